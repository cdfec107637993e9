"""What the wire format says, as formulas: the oracle, written from the specification and apart from the crate's code.

Varints are unsigned LEB128 (DWARF 5, section 7.6); signed ones are zigzag-coded (Protocol Buffers, "Signed Integers").
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import claripy

from .outcome import Inconclusive

BV = claripy.ast.BV
Bool = claripy.ast.Bool


# How a decode ends, by the numbers that the exports give out. (Plain integers: claripy compares no enum.)
OK, TRUNCATED, OVERFLOW, NON_CANONICAL = range(4)


@dataclass(frozen=True)
class Integer:
    """An integer type."""

    name: str
    bits: int
    signed: bool

    @property
    def longest(self) -> int:
        """Bytes of the longest encoding."""
        return -(-self.bits // 7)

    @property
    def last(self) -> int:
        """The greatest last byte of an encoding that long: the bits that are left."""
        return (1 << (self.bits - 7 * (self.longest - 1))) - 1


U64, I64 = Integer("u64", 64, signed=False), Integer("i64", 64, signed=True)
U32, I32 = Integer("u32", 32, signed=False), Integer("i32", 32, signed=True)
INTEGERS = (U64, I64, U32, I32)


@dataclass(frozen=True)
class Verdict:
    """What a decode comes to: the value and its length, or the kind of the error and its offset."""

    kind: BV
    at: BV
    value: BV

    def equals(self, other: "Verdict") -> Bool:
        """Whether both say the same. The value counts only where there is one."""
        values = claripy.Or(self.kind != OK, self.value == other.value)
        return claripy.And(self.kind == other.kind, self.at == other.at, values)


def raw(value: BV, integer: Integer) -> BV:
    """What travels: 0, -1, 1, -2, ... become 0, 1, 2, 3, ..."""
    double = value + value
    return claripy.If(value.SLT(0), ~double, double) if integer.signed else value


def unraw(wire: BV, integer: Integer) -> BV:
    """The value behind what travelled."""
    half = claripy.LShR(wire, 1)
    return claripy.If(wire[0] == 1, ~half, half) if integer.signed else wire


def takes(value: BV, integer: Integer, length: int) -> Bool:
    """Whether the shortest encoding of the value takes so many bytes."""
    wire = raw(value, integer).zero_extend(8)
    fits = wire < (1 << min(7 * length, integer.bits))
    return fits if length == 1 else claripy.And(fits, wire >= (1 << (7 * (length - 1))))


def encoding(value: BV, integer: Integer, length: int) -> list[BV]:
    """The bytes of the value in an encoding of so many."""
    wire = raw(value, integer).zero_extend(7 * length + 8 - integer.bits if 7 * length > integer.bits else 8)
    groups = [wire[7 * index + 6 : 7 * index] for index in range(length)]
    more = [claripy.BVV(int(index < length - 1), 1) for index in range(length)]
    return [claripy.Concat(flag, group) for flag, group in zip(more, groups, strict=True)]


def by_length(state: Any, value: BV, integer: Integer) -> Iterator[tuple[int, Any]]:
    """The state for the values of each length. Every value has one, which the solver is asked to confirm."""
    lengths = range(1, integer.longest + 1)
    if state.solver.satisfiable(
        extra_constraints=[claripy.Not(claripy.Or(*(takes(value, integer, n) for n in lengths)))]
    ):
        raise Inconclusive("some value has no length")
    for length in lengths:
        case = state.copy()
        case.add_constraints(takes(value, integer, length))
        if case.satisfiable():
            yield length, case


def strings(length: int, looked_at: int) -> Iterator[list[BV]]:
    """Every byte string of that length, by the number of bytes that continue before the first that does not. That one
    and those before it, among the first that are looked at, have a known top bit, which spares the solver most work."""
    looked_at = min(length, looked_at)
    for ends in range(looked_at + 1):
        flags = [claripy.BVV(int(index < ends), 1) for index in range(min(ends + 1, looked_at))]
        known = [claripy.Concat(flag, claripy.BVS(f"group_{index}", 7)) for index, flag in enumerate(flags)]
        yield [*known, *(claripy.BVS(f"byte_{index}", 8) for index in range(len(known), length))]


def same(some: Sequence[BV], others: Sequence[BV]) -> Bool:
    """Whether two strings of one length are equal."""
    return claripy.And(claripy.true(), *(one == other for one, other in zip(some, others, strict=True)))


def decoded(src: Sequence[BV], integer: Integer, canonical: bool) -> Verdict:
    """The verdict on the value that begins these bytes."""
    verdict = _error(TRUNCATED, len(src), integer)
    if len(src) >= integer.longest:
        verdict = _error(OVERFLOW, integer.longest - 1, integer)
    for index in reversed(range(min(len(src), integer.longest))):
        byte = src[index]
        groups = claripy.Concat(*(byte[6:0] for byte in reversed(src[: index + 1])))
        value = groups.zero_extend(integer.bits)[integer.bits - 1 : 0]
        ends = Verdict(claripy.BVV(OK, 64), claripy.BVV(index + 1, 64), unraw(value, integer))
        if canonical and index > 0:
            ends = _either(byte == 0, _error(NON_CANONICAL, index, integer), ends)
        if index == integer.longest - 1:
            ends = _either(byte > integer.last, _error(OVERFLOW, index, integer), ends)
        verdict = _either(byte < 0x80, ends, verdict)
    return verdict


def _error(kind: int, offset: int, integer: Integer) -> Verdict:
    return Verdict(claripy.BVV(kind, 64), claripy.BVV(offset, 64), claripy.BVV(0, integer.bits))


def _either(condition: Bool, then: Verdict, otherwise: Verdict) -> Verdict:
    return Verdict(
        claripy.If(condition, then.kind, otherwise.kind),
        claripy.If(condition, then.at, otherwise.at),
        claripy.If(condition, then.value, otherwise.value),
    )
