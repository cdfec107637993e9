"""The functions on slices that users call, from their first instruction, and those to which they leave work (src/dispatch.rs):

    encode_slice, decode_slice  a few values one by one, and others by these:
    encode_more, decode_more    at most 15 blocks of values of one byte, and the kernel of this CPU if there is none
    encode_rest, decode_rest    what follows these blocks
    encode_few, decode_few      values one by one
    fail                        the error of a value, by the scalar loop
    put, load_one               one value, as the loops for few values encode and decode it"""

from collections.abc import Callable, Sequence
from typing import Any

import z3

from model.image import Image, Refuted
from model.terms import Byte, lanes, term

from .contract import CANONICAL, NotedPath, Slices, TablePath, check_no_stores, content_of, continued, stored
from .encoder import NOTHING, Encoder
from .executor import LENT, LONGEST, Contract, Path, Region, run
from .loops import Loop, progress_of
from .questions import fresh
from .scalar import DONE, RESULT, check_result, put_result
from .singles import FAR, check_encoding
from .sse import function as of_sse
from .wire import OK, Integer, decoded, encoding, is_last, raw, takes, value_of

MANY = 128  # values, of src/dispatch.rs, for which blocks of values of one byte are worthwhile
DEFAULT = "zigzag_varint::kernel::default::DEFAULT"
QUERY = "<std::sync::once_lock::OnceLock<zigzag_varint::kernel::Kernel>>::initialize"  # which has found it out afterwards
KERNELS = 6  # `Choice` in src/kernel/mod.rs, in a byte with the bool of AVX-512


def _function(image: Image, name: str, integer: Integer) -> int:
    return image.function(f"zigzag_varint::{name}::<{integer.name}>")


def kernels(image: Image, integer: Integer, what: str, whole: Contract, from_start: Contract) -> dict[int, Contract]:
    """Returns the contracts of the encoders or decoders of all kernels. The scalar loop also gets the progress, and the decoder
    of AVX-512 a bool."""

    def with_bool(path: NotedPath) -> list[Path]:
        if what == "decode":
            path.prove(z3.ULE(term(path.word(path.get("RSP"), 8), 8), 1), "not a bool")
        return whole(path)

    names = {"swar": whole, f"avx2::{what}": whole, f"avx512::{what}": with_bool, "scalar": from_start}
    calls = {_function(image, f"simd::{name}::{what}", integer): contract for name, contract in names.items()}
    calls[of_sse(image, f"{what}::{what}", integer.name)] = whole
    return calls | query(image)


def query(image: Image) -> dict[int, Contract]:
    """Returns the contract of the function that finds out which the default kernel is."""
    return {one.address: lambda path: [path] for one in image.functions() if one.name.startswith(QUERY)}


def choose(path: NotedPath, given: int | None = None) -> NotedPath:
    """Puts any kernel at the address that is given, or makes it the default, whether or not that is known already. The CPU has
    its instructions."""
    place, kernel = path.image.variable(DEFAULT), fresh("kernel", 8)
    path.stack |= {at: Byte(fresh("state", 8)) for at in place}
    path.stack[given or place.start + 4] = Byte(kernel)
    path.conditions.append(z3.ULT(kernel, KERNELS))
    return path


# Encoding. The results are whether there is space, and the end.


def length_of(value: Any, integer: Integer) -> Any:
    """Returns the length of a number on the wire."""
    length = z3.BitVecVal(integer.longest, 64)
    for shorter in reversed(range(1, integer.longest)):
        length = z3.If(z3.ULT(value, 1 << 7 * shorter), z3.BitVecVal(shorter, 64), length)
    return length


def _put(value: Any, at: Any, room: Any, integer: Integer) -> tuple[Any, Any]:
    """Returns the result of `put`."""
    length = length_of(value, integer)
    return z3.ULE(length, room - at), at + length


def _put_of(image: Image, integer: Integer) -> int:
    return image.function(f"<u{integer.bits} as zigzag_varint::width::Width>::put_wire_at")


def put(image: Image, integer: Integer) -> None:
    """Writes the encoding of a value at a place of the destination if there is space for it. Each length is a run."""
    value, at, room = z3.BitVec("value", integer.bits), *z3.BitVecs("at room", 64)
    dst, (fits, end) = Region("dst", room), _put(value, at, room, integer)
    for length in range(1, integer.longest + 1):
        facts = [z3.ULE(room, LONGEST), z3.ULE(at, room), takes(value, integer, length)]
        for after in run(Path(image, [dst], facts, [value, dst.start, room, at]), _put_of(image, integer)):
            has_space = after.number(after.get("RAX"))
            after.prove(fits == (has_space == 1), "another result")
            if has_space:
                after.prove(after.get("RDX") == end, "another end")
                after.stores = [(name, offset - at, new) for name, offset, new in after.stores]
                check_encoding(after, value, integer, length)


def _is_rest(encoder: Encoder, done: Any) -> z3.BoolRef:
    """Whether this number of values may be done, each of which has one byte."""
    return z3.And(z3.ULE(done, encoder.count), z3.ULE(done, encoder.room))


def _after(encoder: Encoder, done: Callable[[NotedPath], tuple[Any, Any]]) -> Contract:
    """Returns the contract of an encoder of the values after those that are done."""

    def contract(path: NotedPath) -> list[Path]:
        values, bytes_ = done(path)
        path.prove(z3.And(_is_rest(encoder, values), values == bytes_), "not a rest")
        path.check_arguments(*encoder.arguments, values)
        return encoder.result(path)

    return contract


def encode_few(image: Image, integer: Integer) -> None:
    """The values after those that are done are encoded one after another."""
    encoder, done = Encoder(image, integer), z3.BitVec("done", 64)
    loop = encoder.loop(1, words=lambda values, _: [integer.size * (encoder.count - values)])

    def end(path: NotedPath) -> Any:
        values, bytes_ = progress_of(path)
        path.check_arguments(raw(encoder.next(values)[0], integer), encoder.dst.start, encoder.room, bytes_)
        return values, bytes_

    def turn(path: NotedPath, values: Any, bytes_: Any) -> list[Path]:
        """The contract of `put`."""
        fits, path.second = _put(raw(encoder.next(values)[0], integer), bytes_, encoder.room, integer)
        full = path.copy()
        for has_space, one in enumerate((full, path)):
            one.set("RAX", has_space)
            one.conditions.append(fits == bool(has_space))
        full.calls, path.calls = [0, 0], [(values + 1, path.second)]
        return [full, path]

    calls = {_put_of(image, integer): loop.turn(end, turn)}
    start = encoder.start(_is_rest(encoder, done), arguments=[*encoder.arguments, done], at=(done, done))
    for after in loop.ends(start, _function(image, "dispatch::encode_few", integer), calls):
        encoder.check_result(after, *_result(after, encoder))


def _result(path: NotedPath, encoder: Encoder) -> Any:
    """Returns the result of the last call, or that of other values, after which none is left."""
    if len(path.calls) == 1:
        values, bytes_ = progress_of(path)
        path.prove(values == encoder.count, "values are left")
        return 1, bytes_
    return path.calls


def encode_rest(image: Image, integer: Integer) -> None:
    """A few values after those that are done are encoded one by one, and others by `encode_more`."""
    encoder, done = Encoder(image, integer), z3.BitVec("done", 64)
    calls = {
        _function(image, "dispatch::encode_few", integer): _after(encoder, progress_of),
        _function(image, "dispatch::encode_more", integer): encoder.last(gets_all=False),
    }
    start = encoder.start(_is_rest(encoder, done), arguments=[*encoder.arguments, done], at=(done, done))
    for after in run(start, _function(image, "dispatch::encode_rest", integer), calls):
        encoder.check_result(after, *after.calls)


def encode_more(image: Image, integer: Integer) -> None:
    """Blocks of values of one byte are encoded, and others after them by `encode_rest`, or all by the kernel."""
    encoder = Encoder(image, integer, MANY)

    def blocks(path: NotedPath) -> tuple[Any, Any]:
        """Returns the progress after blocks of values of one byte each."""
        count = sum(len(new) for *_, new in path.stores)
        for value, byte in zip(encoder.next(NOTHING[0]), stored(path, count), strict=False):
            is_byte = term(byte, 8) == encoding(value, integer, 1)[0]
            path.prove(z3.And(takes(value, integer, 1), is_byte), "another encoding")
        path.stores = []
        return z3.BitVecVal(count, 64), z3.BitVecVal(count, 64)

    calls = kernels(image, integer, "encode", *[encoder.last(gets_all, blocks) for gets_all in (False, True)])
    calls[_function(image, "dispatch::encode_rest", integer)] = _after(encoder, blocks)
    for after in run(choose(encoder.start()), _function(image, "dispatch::encode_more", integer), calls):
        if len(after.calls) == 1:
            after.calls = [blocks(after)]
        encoder.check_result(after, *_result(after, encoder))


def encode_slice(image: Image, integer: Integer) -> None:
    """A few values are encoded one by one, and others by `encode_more`. The result is the length, or that there is no space,
    with the length that `too_small` returns."""
    encoder, needed = Encoder(image, integer), fresh("needed")

    def too_small(path: NotedPath) -> list[Path]:
        path.prove(path.calls[0] == 0, "there is space")
        path.check_arguments(*encoder.arguments[:2], encoder.room)
        path.set("RAX", needed)
        path.second, path.calls = encoder.room, [0, needed]
        return [path]

    calls = {
        _function(image, "dispatch::encode_few", integer): _after(encoder, progress_of),
        _function(image, "dispatch::encode_more", integer): encoder.last(gets_all=False),
        _function(image, "varint_trait::too_small", integer): too_small,
    }
    start = encoder.start(arguments=[RESULT, *encoder.arguments])
    start.lend(RESULT, 24)
    for after in run(start, image.function(f"encode_slice_{integer.name}"), calls):
        check_no_stores(after)
        after.prove(after.get("RAX") == RESULT, "another place of the result")
        has_space, number = after.calls
        if after.number(after.word(RESULT)) == 0:
            after.prove(z3.And(has_space == 1, after.words(RESULT + 8, 1)[0] == number), "another length")
        else:
            after.prove(has_space == 0, "another error")
            after.expect(RESULT, 1, number, encoder.room, what="another error")


# Decoding. The results are those of the scalar loop.


def load_one(image: Image, integer: Integer) -> None:
    """The value at the start of a source, of which there is a byte, is written to the slot as the format has it, if it is
    valid. The result is its length."""
    size, slot = z3.BitVec("size", 64), Region("slot", integer.size)
    for more in range(integer.longest + 1):
        data = continued(integer, more, FAR)
        source = Region("source", size, content_of(data))
        facts = [z3.ULE(1, size), z3.ULE(size, LONGEST)]
        start = Path(image, [source, slot], facts, [source.start, size, slot.start, CANONICAL])
        expected = decoded(data[: integer.longest], size, integer, CANONICAL)
        for after in run(start, _function(image, "dispatch::load_one", integer)):
            has_value = after.number(after.get("RAX"))
            after.prove((expected.kind == OK) == (has_value == 1), "another result")
            if not has_value:
                check_no_stores(after)
                continue
            [value], length = lanes(stored(after, integer.size), integer.bits), term(after.get("RDX"), 64)
            after.prove(z3.And(value == expected.value, length == expected.at), "another value")
            after.prove(_is_loaded(length, size, integer), "another length")


def _is_loaded(length: Any, left: Any, integer: Integer) -> z3.BoolRef:
    """What is true of the length of a value that `left` bytes begin with."""
    return z3.And(z3.ULE(1, length), z3.ULE(length, integer.longest), z3.ULE(length, left))


class Decoder:
    """A source and a destination. The last one of `calls` begins with the progress. Or it is the result of another function."""

    def __init__(self, image: Image, integer: Integer, canonical: Any = CANONICAL) -> None:
        self.image, self.integer, self.canonical, self.slices = image, integer, canonical, Slices(integer)
        rests = {"fail": self.whole, "decode_few": self.after, "decode_rest": self.after, "decode_more": self.others}
        self.calls = {self.function(f"dispatch::{name}"): contract for name, contract in rests.items()}

    def function(self, name: str) -> int:
        return _function(self.image, name, self.integer)

    def progress(self, path: NotedPath) -> tuple[Any, Any]:
        """Returns the progress, after the proof that the values stored since then have one byte and are in the next slots."""
        values, bytes_ = path.calls[-1]
        new = stored(path, sum(len(new) for *_, new in path.stores), self.integer.size * values)
        for element in lanes(new, self.integer.bits):
            byte = self.slices.byte(bytes_)
            path.prove(z3.And(is_last(byte), element == value_of([byte], self.integer)), "another value")
            values, bytes_ = values + 1, bytes_ + 1
        path.stores, path.calls = [], [(values, bytes_)]
        return values, bytes_

    def before_load(self, path: NotedPath) -> tuple[Any, Any]:
        values, bytes_ = progress_of(path)
        path.check_arguments(*self.slices.rest(values, bytes_)[:3], self.canonical)
        return values, bytes_

    def load(self, path: NotedPath, values: Any, bytes_: Any) -> list[Path]:
        """The contract of `load_one`: the next slot has a value, of which there is the length, or there is none."""
        length, failed = fresh("length"), path.copy()
        failed.set("RAX", 0)
        path.set("RAX", 1)
        path.second, path.calls = length, [(values + 1, bytes_ + length)]
        path.conditions.append(_is_loaded(length, self.slices.len - bytes_, self.integer))
        failed.calls = [(values, bytes_)]
        return [path, failed]

    def whole(self, path: NotedPath) -> list[Path]:
        """The contract of a function that is given all, and the progress."""
        at = self.progress(path)
        path.prove(self.slices.within(*at), "progress beyond the slices")
        path.check_arguments(None, *self.slices.arguments, *at, self.canonical)
        path.calls = [put_result(path, self.slices.space, self.slices.len)]
        return [path]

    def after(self, path: NotedPath) -> list[Path]:
        """The contract of a function that is given all, and how many values are done, with one byte each."""
        values, bytes_ = self.progress(path)
        path.prove(z3.And(self.slices.within(values, bytes_), values == bytes_), "not a rest")
        path.check_arguments(None, *self.slices.arguments, values, self.canonical)
        path.calls = [put_result(path, self.slices.space, self.slices.len)]
        return [path]

    def others(self, path: NotedPath, *given: Any) -> list[Path]:
        """The contract of a function that is given what is left, and perhaps these arguments."""
        values, bytes_ = self.progress(path)
        rest = self.slices.rest(values, bytes_)
        path.check_arguments(None, *rest, *given, self.canonical)
        more = put_result(path, rest[3], rest[1])
        path.calls = [(values + more[0], bytes_ + more[1], bytes_ + more[2], more[3])]
        return [path]

    def start(
        self, arguments: Sequence[Any], *facts: z3.BoolRef, at: Sequence[Any] = NOTHING, before: Sequence[Any] = ()
    ) -> NotedPath:  # fmt: skip
        """Returns the state at the start of a function with these arguments after the slices, and before them, after this
        progress."""
        given = [LENT, *before, *self.slices.arguments, *arguments]
        start = TablePath(self.image, [self.slices.src, self.slices.dst], [*self.slices.facts, *facts], given)
        start.lend(LENT, 32)
        start.calls = [tuple(at)]
        return start

    def check_ends(self, ends: Sequence[NotedPath], returns_place: bool = False) -> None:
        """Proves that the result is that of the last function, or that nothing is left. `returns_place`: the place of the
        result is returned, which is so for functions that users call."""
        for after in ends:
            if returns_place:
                after.prove(after.get("RAX") == LENT, "another place of the result")
            result = after.calls[-1] if len(after.calls[-1]) == 4 else (*self.progress(after), 0, DONE)
            check_no_stores(after)
            check_result(after, LENT, result, self.slices.space, self.slices.len)


def decode_slice(image: Image, integer: Integer, canonical: bool) -> None:
    """A few values are decoded one by one, and others by `decode_more`."""
    decoder, kind = Decoder(image, integer, canonical), "canonical_" if canonical else ""
    ends = run(decoder.start([]), image.function(f"decode_slice_{kind}{integer.name}"), decoder.calls)
    decoder.check_ends(ends, returns_place=True)


def decode_few(image: Image, integer: Integer) -> None:
    """The values after those that are done, with one byte each, are decoded to the next slots."""
    decoder, done = Decoder(image, integer), z3.BitVec("done", 64)
    slices = decoder.slices

    def words(values: Any, bytes_: Any) -> list[Any]:
        return [values, bytes_, integer.size * values, *slices.rest(values, bytes_)]

    def holds(values: Any, bytes_: Any) -> z3.BoolRef:
        return z3.And(z3.ULT(values, slices.space), z3.ULT(bytes_, slices.len))

    loop = Loop(words, holds)
    calls = decoder.calls | {decoder.function("dispatch::load_one"): loop.turn(decoder.before_load, decoder.load)}
    start = decoder.start([done, CANONICAL], slices.within(done, done), at=(done, done))
    decoder.check_ends(loop.ends(start, _function(image, "dispatch::decode_few", integer), calls))


def decode_rest(image: Image, integer: Integer) -> None:
    """A few values after those that are done, with one byte each, are decoded one by one, and others by `decode_more`."""
    decoder, done = Decoder(image, integer), z3.BitVec("done", 64)
    start = decoder.start([done, CANONICAL], decoder.slices.within(done, done), at=(done, done))
    decoder.check_ends(run(start, _function(image, "dispatch::decode_rest", integer), decoder.calls))


def decode_more(image: Image, integer: Integer) -> None:
    """Blocks of values of one byte are decoded, and others after them by `decode_rest`, or all by the kernel."""
    decoder = Decoder(image, integer)
    calls = decoder.calls | kernels(image, integer, "decode", decoder.others, decoder.whole)
    decoder.check_ends(run(choose(decoder.start([CANONICAL])), _function(image, "dispatch::decode_more", integer), calls))


def fail(image: Image, integer: Integer) -> None:
    """The result is that of the scalar loop for what is left."""
    decoder = Decoder(image, integer)
    calls = {_function(image, "simd::scalar::decode", integer): lambda path: decoder.others(path, 0, 0)}
    start = decoder.start([*decoder.slices.at, CANONICAL], at=decoder.slices.at)
    decoder.check_ends(run(start, _function(image, "dispatch::fail", integer), calls))
