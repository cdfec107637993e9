"""The encoder of the SSE kernel, and its steps for both directions:

    encode                 a slice, in blocks of 16 values; the SWAR kernel or the scalar loop encodes the rest
    any                    the bits that some of 16 values have, which choose among these:
    words, dwords, eight   encoders of eight values, by their size
    whole, uniform         decoders of values of one length
    pair                   decoder of two values of any length, from any places
    is_suspicious          the check of the values of a window

The loops over the values of a window are in `sse_decode.py`."""

import functools
import operator
from collections.abc import Callable
from typing import Any

import z3

from model.image import Image, Refuted
from model.terms import as_bytes, lanes, term

from .avx2_encode import check_packed
from .contract import (
    BYTES, WINDOW, Elements, NotedPath, Window, content_at, content_of, decodable, length_is, stored, unknown_bytes,
)
from .encoder import NOTHING, Encoder
from .executor import LENT, Contract, Path, Region, run
from .questions import check, prove
from .swar import Lengths, check_in_turn
from .wire import U64, Integer, raw, takes, value_of

MODULE, MACHINE = "zigzag_varint::simd::vector128::", "zigzag_varint::simd::vector128::sse::Sse"
READ, SPILL = 80, 8  # bytes of a window, and slots after the last value
BLOCK = 16


def function(image: Image, name: str, *parameters: Any) -> int:
    return image.function(f"{MODULE}{name}::<{', '.join([MACHINE, *map(str, parameters)])}>")


def pack(image: Image, width: int) -> None:
    """The encodings of eight values below 2^14 or 2^28, in lanes of 16 or 32 bits, are written one after another, and
    their length is returned."""
    name, bits = {16: ("words", 14), 32: ("dwords", 28)}[width]
    dst, values = Region("dst", width), [z3.BitVec(f"value{at}", width) for at in range(8)]
    path = NotedPath(image, [dst], [z3.ULT(one, 1 << bits) for one in values], [dst.start])
    bytes_ = as_bytes(values, width)
    for index in range(len(bytes_) // 16):
        path.vectors[index][:16] = bytes_[16 * index : 16 * index + 16]
    [after] = run(path, function(image, f"encode::{name}"))
    check_packed(after, values, z3.BitVecVal(0, 64), term(after.get("RAX"), 64))


def eight(image: Image, integer: Integer) -> None:
    """The encodings of eight values of any size are written one after another, and their length is returned. Each bound
    of their lengths is a run of its own, since it is also a bound of what may be written."""
    for longest in range(5, integer.longest + 1):
        dst, values = Region("dst", 7 * longest + 16), [z3.BitVec(f"value{at}", integer.bits) for at in range(8)]
        facts = [z3.ULE(z3.ZeroExt(8, raw(one, integer)), (1 << min(7 * longest, integer.bits)) - 1) for one in values]
        path = Lengths(longest, image, [dst], facts, [dst.start, LENT])
        bytes_ = as_bytes(values, integer.bits)
        path.lend(LENT, len(bytes_))
        path.stack |= {LENT + at: byte for at, byte in enumerate(bytes_)}
        if integer.size == 4:  # The compiler passes them in registers.
            path.vectors[0][:16], path.vectors[1][:16] = bytes_[:16], bytes_[16:]
        for after in run(path, function(image, "encode::eight", integer.name)):
            check_in_turn(after, values, integer)


def any_bits(image: Image, integer: Integer) -> None:
    """The result is the OR of 16 values."""
    values = [z3.BitVec(f"value{at}", integer.bits) for at in range(16)]
    path = Path(image, [], [], [LENT, LENT + 64])
    path.lend(LENT, 128, *[0] * 16)
    for at in range(2):
        bytes_ = enumerate(as_bytes(values[8 * at : 8 * at + 8], integer.bits), LENT + 64 * at)
        path.stack |= dict(bytes_)
    [after] = run(path, any_of(image, integer))
    after.prove(after.get("RAX") == z3.ZeroExt(64 - integer.bits, functools.reduce(operator.or_, values)), "another OR")


def any_of(image: Image, integer: Integer) -> int:
    return image.function(f"<{MODULE}lanes::Eight<{MACHINE}>>::any::<i{integer.bits}>")


# The encoder.


def encode(image: Image, integer: Integer) -> None:
    """Each block is encoded where the one before it ends, and the rest where the last one ends. A block that needs more
    space than is left belongs to the rest. `calls` has the length of the longest value of the block too, and how many of
    its values no encoder has got."""
    encoder, size = Encoder(image, integer, ahead=2 * BLOCK), integer.size

    def wire(values: Any) -> list[z3.BitVecRef]:
        return [raw(one, integer) for one in encoder.next(values)]

    def words(values: Any, _: Any) -> list[Any]:
        own = [*encoder.next(values)[:BLOCK], *wire(values)[:BLOCK]]
        left = size * ((encoder.count & -BLOCK) - values)
        return [encoder.src.start + size * (values + 8), left, *lanes(as_bytes(own, integer.bits), 64)]

    def end(path: NotedPath, is_last: bool = False) -> tuple[Any, Any]:
        """Returns the progress after the turn, which may have done nothing if it is the last one."""
        values, bytes_, longest, left = path.calls[-1]
        if not path.stores:
            if left not in (0, BLOCK * is_last):
                raise Refuted("not a block")
            return values, bytes_
        new = zip(stored(path, BLOCK, bytes_), wire(values)[:BLOCK], strict=True)
        is_block = longest == 1 and left == BLOCK
        path.prove(z3.And(*[term(byte, 8) == z3.Extract(7, 0, one) for byte, one in new], is_block), "other bytes")
        return values + BLOCK, bytes_ + BLOCK

    def turn(path: NotedPath, *progress: Any) -> list[Path]:
        """The contract of `any`, with which each turn begins. Each length of the longest value is a path of its own."""
        values = wire(progress[0])[:BLOCK]
        for at, name in enumerate(("RDI", "RSI")):
            place = path.number(path.get(name))
            given = lanes([path.fixed(place + index) for index in range(64)], integer.bits)
            expected = [*values[8 * at : 8 * at + 8], *[0] * (len(given) - 8)]
            path.prove(z3.And(*[term(a, integer.bits) == b for a, b in zip(given, expected, strict=True)]), "other values")
        ways, any_ = list[Path](), functools.reduce(operator.or_, values)
        path.set("RAX", z3.ZeroExt(64 - integer.bits, any_))
        for longest in range(1, integer.longest + 1):
            one = path.copy()
            one.conditions.append(takes(any_, Integer("", integer.bits, False), longest))
            one.calls = [(*progress, longest, BLOCK)]
            ways.append(one)
        return ways

    def by_eight(lengths: range, is_given: Callable[[NotedPath, Any], Any]) -> Contract:
        """Returns the contract of an encoder of eight values, of which the longest has one of these lengths."""

        def contract(path: NotedPath) -> list[Path]:
            values, bytes_, longest, left = path.calls[-1]
            if longest not in lengths or left == 0:
                raise Refuted("another encoder")
            path.check_arguments(encoder.dst.start + bytes_)
            path.prove(is_given(path, values), "other values")
            encoder.store(path, 8, 8 * longest, {3: 16, 5: 32}.get(lengths.stop, 7 * longest + 16))
            path.calls = [(*path.calls[-1], longest, left - 8)]
            return [path]

        return contract

    def in_vectors(source: Callable[[Any], list[z3.BitVecRef]], bits: int) -> Callable[[NotedPath, Any], Any]:
        """Returns whether the first vectors have the next values of a source."""

        def is_given(path: NotedPath, values: Any) -> Any:
            given = lanes([byte for vector in path.vectors[: bits // 16] for byte in vector[:16]], bits)
            own = [z3.Extract(bits - 1, 0, one) for one in source(values)[:8]]
            return z3.And(*[term(a, bits) == b for a, b in zip(given, own, strict=True)])

        return is_given

    def in_memory(path: NotedPath, values: Any) -> Any:
        return path.get("RSI") == encoder.src.start + size * values

    last, loop = functools.partial(end, is_last=True), encoder.loop(BLOCK, BLOCK, words=words) if size > 2 else None
    calls = {encoder.function(f"{name}::encode"): encoder.last(name == "scalar", last) for name in ("swar", "scalar")}
    if loop:
        calls |= {
            any_of(image, integer): loop.turn(end, turn),
            function(image, "encode::words"): by_eight(range(1, 3), in_vectors(wire, 16)),
            function(image, "encode::dwords"): by_eight(range(1, 5), in_vectors(wire, 32)),
            function(image, "encode::eight", integer.name): by_eight(
                range(5, integer.longest + 1), in_vectors(encoder.next, 32) if size == 4 else in_memory
            ),
        }
    for after in encoder.ends(loop, function(image, "encode::encode", integer.name), calls, (*NOTHING, 0, 0)):
        encoder.check_result(after, *after.calls)


# Decoders.


def whole(image: Image, integer: Integer, length: int) -> None:
    """Writes all values of a window if each of them has this length."""
    data = unknown_bytes("data", READ)
    src, dst = Region("src", READ, content_of(data)), Region("dst", 64 * integer.size)
    path = Path(image, [src, dst], [], [src.start, dst.start])
    [after] = run(path, function(image, "uniform::whole", integer.name, length))
    _check_values(after, integer, data[:64], 64 // length, length)


def uniform(image: Image, integer: Integer, length: int) -> None:
    """Writes values that have this length. At most SPILL slots after them are written too."""
    data, first = unknown_bytes("data", READ), z3.BitVec("first", 64)
    for count in counts_of(length):
        src = Region("src", first + length * count + 16, content_of(data, first))
        dst = Region("dst", (count + SPILL) * integer.size)
        path = Path(image, [src, dst], [z3.ULT(first, integer.longest)], [src.start, dst.start, first, count, length])
        [after] = run(path, function(image, "uniform::decode", integer.name))
        _check_values(after, integer, data, count, length)


def _check_values(path: Path, integer: Integer, data: list[z3.BitVecRef], count: int, length: int) -> None:
    values, within = Elements(integer), range((count + SPILL) * integer.size)
    new = stored(path, count * integer.size, within=within)
    for at, element in enumerate(lanes(new, integer.bits)):
        values.check(element, zip(data[at * length : (at + 1) * length], BYTES, strict=False), [length])


def pair(image: Image, integer: Integer, long: bool) -> None:
    """Returns what is on the wire of the values at two places, whose lengths are any, or nine or ten bytes."""
    places, starts = z3.BitVecs("a b", 64), [unknown_bytes(name, 16) for name in "ab"]
    src = Region("src", READ, content_at(lambda _: zip(places, starts, strict=True)))
    path = Path(image, [src], [z3.ULE(one, 64) for one in places], [LENT, src.start, *places])
    path.lend(LENT, 16)
    [after] = run(path, function(image, "decode::pair", integer.name, str(long).lower()))
    for data, element in zip(starts, after.words(LENT, 2), strict=True):
        for length in range(9 if long else 1, integer.longest + 1):
            given = [length_is(data, length), decodable(data[:length], integer)]
            prove(element == value_of(data[:length], U64), f"a value of {length} bytes", *given)


def is_suspicious(image: Image, integer: Integer, canonical: bool) -> None:
    """The result is true if one of the values that start at these bytes is as long as the longest encoding and not
    valid, or not one that the kernel decodes; in canonical decoding also if a value in the window is overlong."""
    window, starts = Window.unknown(reach=WINDOW), z3.BitVec("starts", 64)
    path = NotedPath(image, [], [], [LENT, starts, canonical])
    path.lend(LENT, WINDOW + 16)
    window.put(path, LENT)
    wrong = wrong_values(window, starts, integer)
    for end in range(1, WINDOW if canonical else 0):
        wrong.append(z3.And(window.more[end - 1] == 1, window.bytes[end].term == 0))
    checked = image.function(f"<{MODULE}window::Window<{MACHINE}>>::is_suspicious::<{integer.name}>")
    ends, rejects = run(path, checked), z3.Or(*wrong)
    if not any(check(*after.conditions, after.result() == 0) is not None for after in ends):
        raise Refuted("accepts nothing")
    for after in ends:
        after.prove(z3.ULE(after.result(), 1), "an unknown result")
        after.prove(z3.Implies(rejects, after.result() == 1), "an invalid value is accepted")


def wrong_values(window: Window, starts: Any, integer: Integer) -> list[z3.BoolRef]:
    """Returns for each place whether a value starts there, by this mask, that the kernel must not decode."""
    wrong, longest = list[z3.BoolRef](), integer.longest
    for start in range(WINDOW - longest + 1):
        more = [one == 1 for one in window.more[start : start + longest - 1]]
        last = [window.bytes[start + longest - 1].term] * longest
        wrong.append(z3.And(z3.Extract(start, start, starts) == 1, *more, z3.Not(decodable(last, integer))))
    return wrong


def longer(window: Window, starts: Any, length: int) -> Any:
    """Returns those of these starts at which values begin that have more bytes than this."""
    for at in range(length):
        starts &= z3.LShR(window.continues, at)
    return starts


def counts_of(length: int) -> range:
    """Returns how many values of one length may start before the next window."""
    return range(1, 56 // length + 2)


def stride(integer: Integer) -> int:
    """Returns the distance between windows."""
    return 56 if integer.longest <= 8 else 54
