"""The scalar loops, `scalar::decode::<T>` and `scalar::encode::<T>`, and their steps for one value."""

from functools import partial
from typing import Any

import z3

from model.image import Image, Refuted
from model.terms import Byte, as_bytes, lanes, term

from .contract import CANONICAL, NotedPath, Slices, check_no_stores, content_of, continued
from .encoder import Encoder
from .executor import LENT, Path, run
from .loops import Loop, progress_of
from .questions import fresh
from .singles import FAR, check_encoding
from .wire import OK, Integer, decoded, takes

STEP = "<zigzag_varint::scalar::slice::{}<{}>>::step"
LOOP = "zigzag_varint::simd::scalar::{}::<{}>"
DONE = 4  # the kind in the result of a decoder if there is no error; the errors are numbered from 0
RESULT = LENT + 64

Result = tuple[Any, Any, Any, Any]  # of a decoder of slices: the progress, and the offset and kind of an error


def _is_result(result: Result, space: Any, size: Any) -> z3.BoolRef:
    """What is true of the result of each decoder, in a source of this size and to this number of slots."""
    values, bytes_, offset, kind = result
    nothing = z3.Or(values == space, bytes_ == size)
    is_progress = z3.And(z3.ULE(values, space), z3.ULE(bytes_, size))
    return z3.And(is_progress, z3.ULE(kind, DONE), z3.If(kind == DONE, nothing, z3.ULE(offset, size)))


def put_result(path: Path, space: Any, size: Any) -> Result:
    """Puts the result of a decoder, which may be any, where a call wants it, and returns it."""
    place, result = path.number(path.get("RDI")), (*(fresh(name) for name in ("values", "bytes", "offset")), fresh("kind", 8))
    path.put(place, *result[:3])
    path.forget(range(place + 25, place + 32))
    path.stack[place + 24] = Byte(result[3])
    path.conditions.append(_is_result(result, space, size))
    return result


def check_result(path: Path, place: int, result: Result, space: Any, size: Any) -> None:
    """Proves that a decoder returns this result, of which that is true."""
    values, bytes_, offset, kind = result
    kind = term(kind, 8)
    path.expect(place, values, bytes_, what="another result")
    path.prove(term(path.word(place + 24, 8), 8) == kind, "another kind")
    path.prove(z3.Or(kind == DONE, path.words(place + 16, 1)[0] == offset), "another offset")
    path.prove(_is_result((values, bytes_, term(offset, 64), kind), space, size), "ends too early")


def decode_step(image: Image, integer: Integer) -> None:
    """If a byte and a slot are left, the outcome is that of the format for the bytes that are left: the value is
    written to the slot and the state advances by it, or the state is unchanged and the result is the error."""
    slices = Slices(integer)
    values, bytes_, left = slices.values, slices.bytes, slices.len - slices.bytes
    for more in range(integer.longest + 1):
        data = continued(integer, more, FAR)
        slices.src.content = content_of(data, bytes_)
        path = Path(image, [slices.src, slices.dst], slices.facts, [RESULT, LENT, CANONICAL])
        path.lend(LENT, 48, *_decoding(slices, values, bytes_))
        path.lend(RESULT, 16)
        expected = decoded(data[: integer.longest], left, integer, CANONICAL)
        nothing = _is_end(slices, values, bytes_)
        for after in run(path, image.function(STEP.format("Decoding", integer.name))):
            has_value, kind = term(after.word(RESULT, 8), 8), after.word(RESULT + 8, 8)
            if after.stores:
                [(_, offset, new)] = after.stores
                right = z3.And(z3.Not(nothing), expected.kind == OK, kind == DONE, has_value == 1)
                value = lanes(new, integer.bits)[0] == expected.value
                after.prove(z3.And(right, offset == integer.size * values, value), "another value")
                after.expect(LENT, *_decoding(slices, values + 1, bytes_ + expected.at))
                continue
            after.expect(LENT + 16, values, bytes_)
            if kind == DONE:
                after.prove(z3.And(nothing, has_value == 0), "stops too early")
            else:
                right = z3.And(z3.Not(nothing), expected.kind != OK, expected.kind == z3.ZeroExt(56, term(kind, 8)) + 1)
                [offset] = after.words(RESULT, 1)
                after.prove(z3.And(right, offset == expected.at + bytes_, z3.ULE(offset, slices.len)), "another error")


def _is_end(slices: Slices, values: Any, bytes_: Any) -> z3.BoolRef:
    """Whether no slot or no byte is left."""
    return z3.Or(values == slices.space, bytes_ == slices.len)


def _decoding(slices: Slices, values: Any, bytes_: Any) -> list[Any]:
    """Returns the words of a `Decoding` at this progress."""
    size, dst = slices.integer.size, slices.dst.start
    return [slices.src.start, slices.len, values, bytes_, dst + size * values, dst + size * slices.space]


def decode(image: Image, integer: Integer) -> None:
    """Calls the step until it decodes nothing or there is an error, and returns the progress and the error."""
    slices = Slices(integer)
    words = partial(_decoding, slices)
    loop = Loop(words, slices.within, lambda *_: [CANONICAL, z3.Not(CANONICAL)])

    def step(path: NotedPath, *at: Any) -> list[Path]:
        """The contract of the step: another value, no value, or an error."""
        result, state = path.number(path.get("RDI")), path.number(path.get("RSI"))
        path.check_arguments(None, None, CANONICAL)
        path.expect(state, *words(*at), what="another state")
        path.set("RAX", fresh("unused"))
        path.forget(range(result, result + 16))
        none, error, kind, offset = path.copy(), path.copy(), fresh("kind", 8), fresh("offset")
        none.conditions.append(_is_end(slices, *at))
        for one, *outcome in ((none, DONE, 0), (error, kind, offset)):
            one.forget(range(state, state + 48))
            one.put(state + 16, *at)
            one.calls += outcome
        none.stack |= {result: 0, result + 8: DONE}
        error.put(result, offset)
        error.stack[result + 8] = Byte(kind)
        error.conditions.append(z3.And(z3.ULT(kind, DONE), z3.ULE(offset, slices.len)))
        slices.advance(path, state, words)
        path.stack |= {result: 1, result + 8: DONE}
        return [none, error, path]

    path = slices.path(image, [RESULT, *slices.arguments, *slices.at, CANONICAL])
    path.lend(RESULT, 32)
    path.calls = [slices.at]
    calls = {image.function(STEP.format("Decoding", integer.name)): loop.turn(progress_of, step)}
    for after in loop.ends(path, image.function(LOOP.format("decode", integer.name)), calls):
        check_no_stores(after)
        at, kind, offset = after.calls
        check_result(after, RESULT, (*at, offset, kind), slices.space, slices.len)


def encode_step(image: Image, integer: Integer) -> None:
    """Writes the encoding of the next value and nothing else, and advances by it. If there is no value, or no
    space for it, it writes nothing and says so. Each length is a run of its own."""
    encoder = Encoder(image, integer)
    index, [value] = encoder.values, encoder.next(encoder.values)
    encoder.src.content = content_of(as_bytes([value], integer.bits), integer.size * index)
    facts = [*encoder.facts, z3.ULE(index, encoder.count)]
    for length in range(1, integer.longest + 1):
        path = Path(image, [encoder.src, encoder.dst], [*facts, takes(value, integer, length)], [LENT])
        path.lend(LENT, 32, *_encoding(encoder, index, 0))
        for after in run(path, image.function(STEP.format("Encoding", integer.name))):
            result = after.number(after.result(), 8)
            if result == 1:
                after.prove(index != encoder.count, "a value after the last one")
                check_encoding(after, value, integer, length)
                after.expect(LENT, *_encoding(encoder, index + 1, length))
                continue
            full = z3.And(index != encoder.count, z3.ULT(encoder.room, length))
            after.prove(index == encoder.count if result == 0 else full, "stops too early")
            if result == 0:
                after.expect(LENT, *_encoding(encoder, index, 0))
            if after.stores or result not in (0, 2):
                raise Refuted("writes a value that it does not report")


def _encoding(encoder: Encoder, values: Any, bytes_: Any) -> list[Any]:
    """Returns the words of an `Encoding` at this progress."""
    source, _, *destination = encoder.rest(values, bytes_)
    return [*destination, source, encoder.src.start + encoder.src.size]


def encode(image: Image, integer: Integer) -> None:
    """Calls the step until no value is left or there is no space, and returns the length that is used."""
    encoder = Encoder(image, integer)
    words = partial(_encoding, encoder)
    loop = Loop(words, encoder.within)

    def step(path: NotedPath, *at: Any) -> list[Path]:
        """The contract of the step: another value, no value, or no space."""
        state = path.number(path.get("RDI"))
        path.expect(state, *words(*at), what="another state")
        none, full = path.copy(), path.copy()
        none.calls, full.calls = [1, at[1]], [0, 0]
        full.forget(range(state, state + 32))
        encoder.advance(path, state, words)
        return [none.returning(0), full.returning(2), path.returning(1)]

    path = encoder.start(encoder.within(*encoder.at), arguments=[*encoder.arguments, *encoder.at], at=encoder.at)
    calls = {image.function(STEP.format("Encoding", integer.name)): loop.turn(progress_of, step)}
    for after in loop.ends(path, image.function(LOOP.format("encode", integer.name)), calls):
        encoder.check_result(after, *after.calls)
