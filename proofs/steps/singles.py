"""Single values: encoders for all values, decoders and a `Reader` in any state for all byte strings."""

import itertools
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import z3

from model.image import Image
from model.terms import Byte, joined, term

from .contract import TablePath, content_of, continued, name_of, stored, unknown_bytes
from .executor import LENT, LONGEST, Path, Region, run
from .questions import check, prove, variables
from .wire import NON_CANONICAL, OK, Integer, Outcome, decoded, encoding, is_last, same, takes

HIGHEST = 3  # `Level` in simd/single/level.rs: 1 is the baseline, 2 has BMI2, and 3 has AVX-512
KNOWN = "zigzag_varint::simd::single::level::KNOWN"
MEMORY = LENT  # where the caller wants the encoding, or the outcome of decoding
READER = LENT + 64
FAR = 640  # bytes, more than any decoder reads at a known offset: a `Reader` looks ahead over eight windows


def _start(image: Image, regions: Sequence[Region], facts: list[z3.BoolRef], arguments: list[Any]) -> TablePath:
    """Returns the state at the start of an export on a CPU that was queried and has any level."""
    level = z3.BitVec("level", 8)
    path = TablePath(image, regions, [z3.ULE(1, level), z3.ULE(level, HIGHEST), *facts], arguments)
    path.stack[image.variable(KNOWN).start] = Byte(level)
    path.lend(MEMORY, 24)
    return path


# Encoders.


def encode(image: Image, integer: Integer, function: str) -> None:
    """`encode` and `encode_const` return the encoding of every value. Each length is a run of its own, in
    which tables that are read by length have one entry."""
    value = z3.BitVec("value", integer.bits)
    lengths = range(1, integer.longest + 1)
    prove(z3.Or(*[takes(value, integer, one) for one in lengths]), "a value has no length")
    for length in lengths:
        start = _start(image, [], [takes(value, integer, length)], [value, MEMORY])
        for end in run(start, image.function(f"{function}_{integer.name}")):
            at = end.number(end.get("RAX"))
            found = [term(end.word(at + index, 8), 8) for index in range(length)]
            end.prove(end.get("RDX") == length, "another length")
            end.prove(same(found, encoding(value, integer, length)), "other bytes")


def encode_to_slice(image: Image, integer: Integer) -> None:
    """`encode_to_slice` writes the encoding and nothing else, and returns its length. If there is no space for
    it, it writes nothing, and reports that."""
    value, capacity = z3.BitVec("value", integer.bits), z3.BitVec("capacity", 64)
    destination = Region("destination", capacity)
    for length in range(1, integer.longest + 1):
        facts = [z3.ULE(capacity, LONGEST), takes(value, integer, length)]
        start = _start(image, [destination], facts, [value, destination.start, capacity])
        for end in run(start, image.function(f"encode_to_slice_{integer.name}")):
            is_some = end.number(end.get("RAX"))
            if is_some == 0 and not end.stores:
                end.prove(z3.ULT(capacity, length), "reports no space where there is enough")
                continue
            end.prove(z3.And(is_some == 1, end.get("RDX") == length), "another length")
            check_encoding(end, value, integer, length)


def check_encoding(path: Path, value: z3.BitVecRef, integer: Integer, length: int, within: range | None = None) -> None:
    """Proves that the encoding of a value is stored, and nothing else that is not `within`."""
    found = [term(byte, 8) for byte in stored(path, length, within=within)]
    path.prove(same(found, encoding(value, integer, length)), "other bytes")


def check_encodings(new: Sequence[Any], values: Sequence[z3.BitVecRef], integer: Integer, length: int) -> None:
    """Proves that these bytes begin with the encodings of values, one after another, if all have this length."""
    for at, value in enumerate(values):
        own = [term(byte, 8) for byte in new[at * length : (at + 1) * length]]
        names = {str(name) for byte in own for name in variables(byte)}  # perhaps also of values whose bits are zero
        facts = [takes(one, integer, length) for one in values if str(one) in names]
        prove(same(own, encoding(value, integer, length)), f"another encoding of value {at}", *facts)


# Decoders.


def decode(image: Image, integer: Integer, function: str) -> None:
    """`decode` and its canonical variant have the outcome of the format, for strings of any length. The strings of each
    number of leading continuation bytes are a run of its own, in which masks are known."""
    size = z3.BitVec("size", 64)
    for more in range(integer.longest + 1):
        data = continued(integer, more, FAR)
        source = Region("source", size, content_of(data))
        start = _start(image, [source], [z3.ULE(size, LONGEST)], [source.start, size, MEMORY])
        expected = decoded(data[: integer.longest], size, integer, "canonical" in function)
        for end in run(start, image.function(f"{function}_{integer.name}")):
            _check_outcome(end, expected, integer)


def _check_outcome(end: Path, expected: Outcome, integer: Integer) -> None:
    """Proves that the outcome of decoding is this one."""
    kind, at = end.words(MEMORY, 2)
    value = z3.BitVecVal(0, integer.bits)
    if check(*end.conditions, kind == OK) is not None:
        value = term(end.word(MEMORY + 16, integer.bits), integer.bits)
    end.prove(Outcome(kind, at, value).equals(expected), "another outcome")


# A `Reader`: the source, its size, the position, the place of the window, and the ends of values that are known.


@dataclass
class _Known:
    """What a `Reader` knows of a window: the bits of `lasts` below `limit` say of the bytes before these places whether they
    are the last ones of values. Ten bytes can be read from each of them on. The ends are the bits after the position."""

    window: Any
    lasts: Any
    limit: Any

    def ends(self, position: Any) -> z3.BitVecRef:
        done = z3.simplify(position - self.window)
        known = [z3.And(z3.ULT(done, at), z3.ULT(at, self.limit)) for at in range(64)]
        return z3.simplify(self.lasts & joined(known))

    def is_at(self, position: Any, size: Any) -> z3.BoolRef:
        """Whether this can be known at a position."""
        is_window = z3.And(z3.ULE(self.window, position), z3.ULE(position, size), z3.ULE(size, LONGEST))
        return z3.And(is_window, z3.ULE(1, self.limit), z3.ULE(self.limit, 64), z3.ULE(self.window + self.limit + 8, size))


def known_ends(_: Image) -> None:
    """The lowest end that a `Reader` knows is that of the value at the position, and ten bytes can be read from its last byte
    on. Without it, the others are the ends that are known after that value."""
    size, done, window, lasts, limit = z3.BitVecs("size done window lasts limit", 64)
    known, position = _Known(window, lasts, limit), window + done
    ends = known.ends(position)
    for end in range(64):
        until = (2 << end) - 1
        facts = [known.is_at(position, size), ends & until == 1 << end]
        prove(z3.And(z3.ULT(done, end), z3.ULE(window + end + 9, size)), "an end that is not after the position", *facts)
        before = joined([z3.ULT(done, at) for at in range(end + 1)] + [False] * (63 - end))
        prove(lasts & before == 1 << end, "an end before the lowest", *facts)
        after = z3.And(ends & (ends - 1) == known.ends(window + end), known.is_at(window + end, size))
        prove(after, "other ends after the value", *facts)


def read(image: Image, integer: Integer, function: str) -> None:
    """`read` and its canonical variant have the outcome of the format for the bytes after the position of a `Reader`, whatever
    it knows, by `known_ends`. Then the position is after the value, or where it was if there is an error, and what is known
    is as before, or about the bytes from the position on. Each number of leading continuation bytes is a run of its own."""
    size, position, ends = z3.BitVecs("size position ends", 64)
    for more, is_known in itertools.product(range(integer.longest + 1), (False, True)):
        data = continued(integer, more, FAR)
        source = Region("source", size, content_of(data, position))
        ahead = z3.Concat(*[z3.If(is_last(byte), z3.BitVecVal(1, 1), 0) for byte in reversed(data[:63])], z3.BitVecVal(0, 1))
        facts, window = [z3.ULE(size, LONGEST), z3.ULE(position, size)], z3.BitVec("window", 64)
        if is_known:
            length = z3.BitVecVal(more + 1, 64) if more < integer.longest else z3.BitVec("length", 64)
            end = name_of("trailing", ends)
            window = position + length - end
            facts += [ends != 0, z3.ULT(more, length), z3.ULE(length, end), z3.ULT(end, 64), z3.ULE(end - length, position)]
            facts.append(z3.ULE(length + 9, size - position))
        start = _start(image, [source], facts, [READER, MEMORY])
        start.names_zeros = is_known
        start.lend(READER, 40, source.start, size, position, window, ends if is_known else 0)
        start.conditions.append(z3.ULE(window, size))
        expected = decoded(data[: integer.longest], size - position, integer, "canonical" in function)
        is_ok = expected.kind == OK
        found = [_Known(position, ahead, z3.BitVecVal(limit, 64)) for limit in (64, 17)]
        states = [(one.window, one.ends(position), one.is_at(position, size)) for one in found]
        for end in run(start, image.function(f"{function}_{integer.name}")):
            _check_outcome(end, expected._replace(at=expected.at + z3.If(is_ok, 0, position)), integer)
            end.expect(READER, source.start, size, position + z3.If(is_ok, expected.at, 0))
            place, left = end.words(READER + 24, 2)
            as_before = (window, ends, True) if is_known else (place, z3.BitVecVal(0, 64), z3.ULE(place, size))
            claims = [
                z3.And(place == at, left == z3.If(is_ok, known & (known - 1), known), holds)
                for at, known, holds in (as_before, *states)
            ]
            end.prove(z3.Or(*claims), "another state")


def new_reader(image: Image) -> None:
    """A new `Reader` is at the start of its source, and knows nothing."""
    size = z3.BitVec("size", 64)
    source = Region("source", size)
    start = _start(image, [source], [z3.ULE(size, LONGEST)], [source.start, size, READER])
    start.lend(READER, 40)
    [end] = run(start, image.function("reader_new"))
    end.expect(READER, source.start, size, 0, 0, 0)


# The format itself.


def format_agrees(image: Image, integer: Integer) -> None:
    """Decoding the encoding of a value gives the value. For every string, both decoders have the same outcome,
    or the lenient one accepts what the canonical one rejects as overlong. What the canonical decoder accepts is
    the encoding of its value."""
    value, size = z3.BitVec("value", integer.bits), z3.BitVec("size", 64)
    for length in range(1, integer.longest + 1):
        for strict in (False, True):
            back = decoded(encoding(value, integer, length), z3.BitVecVal(length, 64), integer, strict)
            right = z3.And(back.kind == OK, back.at == length, back.value == value)
            prove(z3.Implies(takes(value, integer, length), right), "a value does not round-trip")
    src = unknown_bytes("byte", integer.longest)
    lenient, canonical = (decoded(src, size, integer, kind) for kind in (False, True))
    overlong = z3.And(lenient.kind == OK, canonical.kind == NON_CANONICAL, canonical.at == lenient.at - 1)
    prove(z3.Or(lenient.equals(canonical), overlong), "the decoders disagree")
    for used in range(1, integer.longest + 1):
        again = encoding(canonical.value, integer, used)
        once = z3.And(takes(canonical.value, integer, used), same(src[:used], again))
        accepted = z3.And(canonical.kind == OK, canonical.at == used)
        prove(z3.Implies(accepted, once), "an accepted string is not the encoding of its value")
