"""The scalar loops, `scalar::decode::<T>` and `scalar::encode::<T>`, and their steps for one value."""

from typing import Any

import z3

from model.image import Image, Refuted
from model.terms import Byte, as_bytes, lanes, term

from .contract import CANONICAL, NotedPath, Slices, again, any_turn, content_of, continued, ends_of_loop
from .executor import LENT, LONGEST, Path, Region, fresh, run
from .singles import FAR, check_encoding
from .wire import OK, Integer, decoded, takes

STEP = "<zigzag_varint::scalar::slice::{}<{}>>::step"
LOOP = "zigzag_varint::simd::scalar::{}::<{}>"
DONE = 3  # the kind in the result of a decoder if there is no error; the errors are numbered from 0
RESULT = LENT + 64


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
        nothing = z3.Or(values == slices.space, left == 0)
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
                after.prove(z3.And(right, after.word(RESULT) == expected.at + bytes_), "another error")


def _decoding(slices: Slices, values: Any, bytes_: Any) -> list[Any]:
    """Returns the words of a `Decoding` at this progress."""
    size, dst = slices.integer.size, slices.dst.start
    return [slices.src.start, slices.len, values, bytes_, dst + size * values, dst + size * slices.space]


def decode(image: Image, integer: Integer) -> None:
    """Calls the step until it decodes nothing or there is an error, and returns the progress and the error."""
    slices = Slices(integer)
    path = slices.path(image, [RESULT, *slices.arguments, *slices.at, CANONICAL])
    path.lend(RESULT, 32)

    def step(path: NotedPath) -> list[Path]:
        """The contract of the step: no value, an error, or another value."""
        result, state, at = path.get("RDI"), path.get("RSI"), path.calls[-1][:2]
        second = again(path, {*range(state, state + 48), *range(result, result + 16)})
        path.check_arguments(None, None, CANONICAL)
        path.expect(state, *_decoding(slices, *at), what="another state")
        path.set("RAX", result)
        error, moved = fresh("kind", 8), (fresh("values"), fresh("bytes"))
        ways = [(*at, DONE, None), (*at, error, fresh("offset")), (*moved, DONE, None)][: 2 if second else 3]
        after = [path.copy() for _ in ways]
        for one, (values, bytes_, kind, offset) in zip(after, ways, strict=True):
            one.calls.append((values, bytes_, kind, offset))
            one.put(state, *_decoding(slices, values, bytes_))
            one.forget(range(result, result + 16))
            if values is not moved[0]:
                one.forget(range(state + 32, state + 40))
            one.stack |= {result: int(values is moved[0]), result + 8: Byte(error) if kind is error else DONE}
            if kind is error:
                one.put(result, offset)
            one.conditions += [slices.within(values, bytes_), z3.ULT(error, DONE)]
        return after

    caller = image.function(LOOP.format("decode", integer.name))
    callee = image.function(STEP.format("Decoding", integer.name))
    for after, (values, bytes_, kind, offset) in ends_of_loop(path, caller, callee, step, (*slices.at, DONE, None), 2):
        after.expect(RESULT, values, bytes_)
        after.prove(term(after.word(RESULT + 24, 8), 8) == kind, "another kind")
        if offset is not None:
            after.expect(RESULT + 16, offset, what="another offset")


def encode_step(image: Image, integer: Integer) -> None:
    """Writes the encoding of the next value and nothing else, and advances by it. If there is no value, or no
    space for it, it writes nothing and says so. Each length is a run of its own."""
    value, index, count, room = z3.BitVec("value", integer.bits), *z3.BitVecs("index count room", 64)
    content = content_of(as_bytes([value], integer.bits), integer.size * index)
    src, dst = Region("src", integer.size * count, content), Region("dst", room)
    for length in range(1, integer.longest + 1):
        facts = [z3.ULE(room, LONGEST), z3.ULE(count, LONGEST // integer.size), z3.ULE(index, count)]
        path = Path(image, [src, dst], [*facts, takes(value, integer, length)], [LENT])
        path.lend(LENT, 32, dst.start, room, src.start + integer.size * index, src.start + integer.size * count)
        for after in run(path, image.function(STEP.format("Encoding", integer.name))):
            result = after.number(after.result(), 8)
            if result == 1:
                after.prove(index != count, "a value after the last one")
                check_encoding(after, value, integer, length)
                after.expect(LENT, dst.start + length, room - length, src.start + integer.size * (index + 1))
                continue
            full = z3.And(index != count, z3.ULT(room, length))
            after.prove(index == count if result == 0 else full, "stops too early")
            if result == 0:
                after.expect(LENT, dst.start, room, src.start + integer.size * index, src.start + integer.size * count)
            if after.stores or result not in (0, 2):
                raise Refuted("writes a value that it does not report")


def encode(image: Image, integer: Integer) -> None:
    """Calls the step until no value is left or there is no space, and returns the length that is used."""
    slices = Slices(integer)  # `src` is the bytes here, and `dst` the values
    path = slices.path(image, [*slices.arguments[2:], *slices.arguments[:2], *slices.at])

    def words(values: Any, bytes_: Any) -> list[Any]:
        size, first = integer.size, slices.dst.start
        return [slices.src.start + bytes_, slices.len - bytes_, first + size * values, first + size * slices.space]

    caller = image.function(LOOP.format("encode", integer.name))
    callee, step = image.function(STEP.format("Encoding", integer.name)), any_turn(slices, words, stops=(0, 2))
    for after, ((_, used), result) in ends_of_loop(path, caller, callee, step, (slices.at, 1), least=2):
        after.prove(term(after.get("RAX"), 64) == int(result == 0), "another result")
        if result == 0:
            after.prove(after.get("RDX") == used, "another length")
        if result == 1:
            raise Refuted("ends before the last value")
