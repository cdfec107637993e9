"""The oracle: the wire format as formulas, written from the specification, independently of the
crate's code.

Varints are unsigned LEB128 (DWARF 5, section 7.6); signed ones are zigzag-coded (Protocol Buffers,
"Signed Integers").
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import claripy

from .failures import Inconclusive

BV = claripy.ast.BV
Bool = claripy.ast.Bool


# The kinds of outcomes, with the numbers of the exports. (They are plain integers because claripy
# cannot compare enums.)
OK, TRUNCATED, OVERFLOW, NON_CANONICAL = range(4)


@dataclass(frozen=True)
class Integer:
    """An integer type."""

    name: str
    bits: int
    signed: bool

    @property
    def longest(self) -> int:
        """The length of the longest encoding in bytes."""
        return -(-self.bits // 7)

    @property
    def last(self) -> int:
        """The greatest last byte of an encoding of that length, which has the remaining bits."""
        return (1 << (self.bits - 7 * (self.longest - 1))) - 1


U64, I64 = Integer("u64", 64, signed=False), Integer("i64", 64, signed=True)
U32, I32 = Integer("u32", 32, signed=False), Integer("i32", 32, signed=True)
U16, I16 = Integer("u16", 16, signed=False), Integer("i16", 16, signed=True)
INTEGERS = (U64, I64, U32, I32)  # the types of the exports for single values


@dataclass(frozen=True)
class Outcome:
    """The outcome of decoding: the value and its length, or the kind and offset of the error."""

    kind: BV
    at: BV
    value: BV

    def equals(self, other: "Outcome") -> Bool:
        """Whether both are the same. The value is compared only if there is one."""
        values = claripy.Or(self.kind != OK, self.value == other.value)
        return claripy.And(self.kind == other.kind, self.at == other.at, values)


def raw(value: BV, integer: Integer) -> BV:
    """Returns the number on the wire: for signed types 0, -1, 1, -2, ... become 0, 1, 2, 3, ..."""
    double = value + value
    return claripy.If(value.SLT(0), ~double, double) if integer.signed else value


def unraw(wire: BV, integer: Integer) -> BV:
    """Returns the value of a number on the wire."""
    half = claripy.LShR(wire, 1)
    return claripy.If(wire[0] == 1, ~half, half) if integer.signed else wire


def takes(value: BV, integer: Integer, length: int) -> Bool:
    """Whether the shortest encoding of the value has this length."""
    wire = raw(value, integer).zero_extend(8)
    fits = wire < (1 << min(7 * length, integer.bits))
    return fits if length == 1 else claripy.And(fits, wire >= (1 << (7 * (length - 1))))


def length(value: BV, integer: Integer) -> BV:
    """Returns the length of the shortest encoding of the value."""
    found = claripy.BVV(0, 8)
    for one in range(1, integer.longest + 1):
        found = claripy.If(takes(value, integer, one), claripy.BVV(one, 8), found)
    return found


def is_last(byte: BV) -> Bool:
    """Whether the byte is the last one of a value: it has no continuation bit."""
    return byte < 0x80


def encoding(value: BV, integer: Integer, length: int) -> list[BV]:
    """Returns the encoding of the value in `length` bytes."""
    wire = raw(value, integer).zero_extend(7 * length + 8 - integer.bits if 7 * length > integer.bits else 8)
    groups = [wire[7 * index + 6 : 7 * index] for index in range(length)]
    more = [claripy.BVV(int(index < length - 1), 1) for index in range(length)]
    return [claripy.Concat(flag, group) for flag, group in zip(more, groups, strict=True)]


def by_length(state: Any, value: BV, integer: Integer) -> Iterator[tuple[int, Any]]:
    """Yields the state for the values of each length. The solver confirms that every value has a
    length."""
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


def strings(length: int, examined: int) -> Iterator[list[BV]]:
    """Yields all byte strings of a length, one for each number of leading continuation bytes. These
    and the byte after them, within the first `examined`, have a known top bit, which saves the
    solver most work."""
    examined = min(length, examined)
    for ends in range(examined + 1):
        flags = [claripy.BVV(int(index < ends), 1) for index in range(min(ends + 1, examined))]
        known = [claripy.Concat(flag, claripy.BVS(f"group_{index}", 7)) for index, flag in enumerate(flags)]
        yield [*known, *(claripy.BVS(f"byte_{index}", 8) for index in range(len(known), length))]


def same(some: Sequence[BV], others: Sequence[BV]) -> Bool:
    """Whether two strings of the same length are equal."""
    return claripy.And(claripy.true(), *(one == other for one, other in zip(some, others, strict=True)))


def decoded(src: Sequence[BV], integer: Integer, canonical: bool) -> Outcome:
    """Returns the outcome of decoding the value at the start of these bytes."""
    outcome = _error(TRUNCATED, len(src), integer)
    if len(src) >= integer.longest:
        outcome = _error(OVERFLOW, integer.longest - 1, integer)
    for index in reversed(range(min(len(src), integer.longest))):
        byte = src[index]
        groups = claripy.Concat(*(byte[6:0] for byte in reversed(src[: index + 1])))
        value = groups.zero_extend(integer.bits)[integer.bits - 1 : 0]
        ends = Outcome(claripy.BVV(OK, 64), claripy.BVV(index + 1, 64), unraw(value, integer))
        if canonical and index > 0:
            ends = _either(byte == 0, _error(NON_CANONICAL, index, integer), ends)
        if index == integer.longest - 1:
            ends = _either(byte > integer.last, _error(OVERFLOW, index, integer), ends)
        outcome = _either(is_last(byte), ends, outcome)
    return outcome


def _error(kind: int, offset: int, integer: Integer) -> Outcome:
    return Outcome(claripy.BVV(kind, 64), claripy.BVV(offset, 64), claripy.BVV(0, integer.bits))


def _either(condition: Bool, then: Outcome, otherwise: Outcome) -> Outcome:
    return Outcome(
        claripy.If(condition, then.kind, otherwise.kind),
        claripy.If(condition, then.at, otherwise.at),
        claripy.If(condition, then.value, otherwise.value),
    )
