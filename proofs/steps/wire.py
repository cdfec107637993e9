"""The format: the specification as formulas, written independently of the crate's code.

Varints are unsigned LEB128 (DWARF 5, section 7.6); signed ones are zigzag-coded (Protocol Buffers,
"Signed Integers").
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import z3

BV = z3.BitVecRef
Bool = z3.BoolRef

# The kinds of outcomes, with the numbers of the exports.
OK, TRUNCATED, OVERFLOW, TOO_LONG, NON_CANONICAL = range(5)


@dataclass(frozen=True)
class Integer:
    """An integer type."""

    name: str
    bits: int
    signed: bool

    @property
    def size(self) -> int:
        """The size in bytes."""
        return self.bits // 8

    @property
    def longest(self) -> int:
        """The length of the longest encoding in bytes."""
        return -(-self.bits // 7)

    @property
    def last(self) -> int:
        """The greatest last byte of an encoding of that length, which has the remaining bits."""
        return (1 << (self.bits - 7 * (self.longest - 1))) - 1


INTEGERS = [Integer(f"{sign}{bits}", bits, sign == "i") for bits in (64, 32, 16) for sign in "ui"]
U64, U32 = INTEGERS[0], INTEGERS[2]


class Outcome(NamedTuple):
    """The outcome of decoding: the value and its length, or the kind and offset of the error."""

    kind: BV
    at: BV
    value: BV

    def equals(self, other: "Outcome") -> Bool:
        """Whether both are the same. The value is compared only if there is one."""
        values = z3.Or(self.kind != OK, self.value == other.value)
        return z3.And(self.kind == other.kind, self.at == other.at, values)


def raw(value: BV, integer: Integer) -> BV:
    """Returns the number on the wire: for signed types 0, -1, 1, -2, ... become 0, 1, 2, 3, ..."""
    double = value + value
    return z3.If(value < 0, ~double, double) if integer.signed else value


def unraw(wire: BV, integer: Integer) -> BV:
    """Returns the value of a number on the wire."""
    half = z3.LShR(wire, 1)
    return z3.If(z3.Extract(0, 0, wire) == 1, ~half, half) if integer.signed else wire


def takes(value: BV, integer: Integer, length: int) -> Bool:
    """Whether the shortest encoding of the value has this length."""
    wire = z3.ZeroExt(8, raw(value, integer))
    fits = z3.ULT(wire, 1 << min(7 * length, integer.bits))
    return fits if length == 1 else z3.And(fits, z3.UGE(wire, 1 << (7 * (length - 1))))


def is_last(byte: BV) -> Bool:
    """Whether the byte is the last one of a value: it has no continuation bit."""
    return z3.ULT(byte, 0x80)


def encoding(value: BV, integer: Integer, length: int) -> list[BV]:
    """Returns the encoding of the value in `length` bytes."""
    wire = z3.ZeroExt(7 * length + 8, raw(value, integer))
    groups = [z3.Extract(7 * index + 6, 7 * index, wire) for index in range(length)]
    more = [z3.BitVecVal(index < length - 1, 1) for index in range(length)]
    return [z3.Concat(flag, group) for flag, group in zip(more, groups, strict=True)]


def value_of(encoding: Sequence[BV], integer: Integer) -> BV:
    """Returns the value of a valid encoding, which is all of these bytes."""
    groups = z3.Concat(z3.BitVecVal(0, integer.bits), *(z3.Extract(6, 0, byte) for byte in reversed(encoding)))
    return unraw(z3.Extract(integer.bits - 1, 0, groups), integer)


def decoded(src: Sequence[BV], size: BV, integer: Integer, canonical: bool | Bool) -> Outcome:
    """Returns the outcome of decoding the value at the start of `size` bytes, the first of which are
    `src`. These are as many as the longest encoding has, or all."""
    outcome = _error(TRUNCATED, size, integer)
    if len(src) >= integer.longest:
        outcome = _either(z3.UGE(size, integer.longest), _error(TOO_LONG, integer.longest - 1, integer), outcome)
    for index in reversed(range(min(len(src), integer.longest))):
        byte = src[index]
        ends = Outcome(z3.BitVecVal(OK, 64), z3.BitVecVal(index + 1, 64), value_of(src[: index + 1], integer))
        if canonical is not False and index > 0:
            ends = _either(z3.And(canonical, byte == 0), _error(NON_CANONICAL, index, integer), ends)
        if index == integer.longest - 1:
            ends = _either(z3.UGT(byte, integer.last), _error(OVERFLOW, index, integer), ends)
        outcome = _either(z3.And(z3.UGT(size, index), is_last(byte)), ends, outcome)
    return outcome


def same(some: Sequence[BV], others: Sequence[BV]) -> Bool:
    """Whether two strings of the same length are equal."""
    return z3.And(*(one == other for one, other in zip(some, others, strict=True)))


def _error(kind: int, offset: int | BV, integer: Integer) -> Outcome:
    at = z3.BitVecVal(offset, 64) if isinstance(offset, int) else offset
    return Outcome(z3.BitVecVal(kind, 64), at, z3.BitVecVal(0, integer.bits))


def _either(condition: Bool, then: Outcome, otherwise: Outcome) -> Outcome:
    return Outcome(*[z3.If(condition, one, other) for one, other in zip(then, otherwise, strict=True)])
