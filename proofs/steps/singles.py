"""Single values: encoders for all values, decoders and the first value of a `Reader` for all byte strings."""

from collections.abc import Sequence
from typing import Any

import z3

from model.image import Image
from model.terms import Byte, term

from .contract import content_of, continued, stored, unknown_bytes
from .executor import LENT, LONGEST, Path, Region, run
from .questions import check, prove, variables
from .wire import NON_CANONICAL, OK, Integer, Outcome, decoded, encoding, same, takes

HIGHEST = 3  # `Level` in simd/single/level.rs: 1 is the baseline, 2 has BMI2, and 3 has AVX-512
KNOWN = "zigzag_varint::simd::single::level::KNOWN"
MEMORY = LENT  # where the caller wants the encoding, or the outcome of decoding
FAR = 640  # bytes, more than any decoder reads at a known offset: a `Reader` looks ahead over eight windows


def _start(image: Image, regions: Sequence[Region], facts: list[z3.BoolRef], arguments: list[Any]) -> Path:
    """Returns the state at the start of an export on a CPU that was queried and has any level."""
    level = z3.BitVec("level", 8)
    path = Path(image, regions, [z3.ULE(1, level), z3.ULE(level, HIGHEST), *facts], arguments)
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
    """`decode`, `read` and their canonical variants have the outcome of the format, for strings of any length.
    The strings of each number of leading continuation bytes are a run of its own, in which masks are known."""
    size, canonical = z3.BitVec("size", 64), "canonical" in function
    for more in range(integer.longest + 1):
        data = continued(integer, more, FAR)
        source = Region("source", size, content_of(data))
        start = _start(image, [source], [z3.ULE(size, LONGEST)], [source.start, size, MEMORY])
        expected = decoded(data[: integer.longest], size, integer, canonical)
        for end in run(start, image.function(f"{function}_{integer.name}")):
            kind, at = end.words(MEMORY, 2)
            value = z3.BitVecVal(0, integer.bits)
            if check(*end.conditions, kind == OK) is not None:
                value = term(end.word(MEMORY + 16, integer.bits), integer.bits)
            end.prove(Outcome(kind, at, value).equals(expected), f"another outcome after {more} continuation bytes")


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
