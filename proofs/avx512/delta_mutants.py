"""Faults in the machine code of `deltas` and `add_up`, each of which a property must refute."""

from collections.abc import Iterator

from steps.wire import I16, I32, I64, U16, U32, U64, Integer

from . import delta
from .image import Function, Image
from .mutants import Find, Mutant, immediate, table, without


def delta_mutants() -> Iterator[Mutant]:
    """Yields all mutants."""
    for faults in (_deltas(), _add_up(), _several(), _several_in_other_loops(), _short_lanes()):
        yield from faults


def _of(name: str, integer: Integer = U64) -> Find:
    def find(image: Image) -> Function:
        return delta.function(image, integer, name)

    return find


def _deltas() -> Iterator[Mutant]:
    by, function = "u64 deltas", _of(delta.DELTAS)
    yield Mutant("counter: a block of 32 is skipped", by, immediate(function, "add", 0x20, 0x40))
    yield Mutant("bound: a block of 31 values", by, immediate(function, "cmp", 0x20, 0x1F, 1))
    yield Mutant("counter: four values are skipped", by, immediate(function, "add", 0x04, 0x08, 1))
    yield Mutant("bound: a vector of three values", by, immediate(function, "cmp", 0x04, 0x03, 1))
    yield Mutant("invariant: a vector where one value is left", by, immediate(function, "test", 0x1C, 0x1F, 1))
    yield Mutant("counter: a value is skipped", by, immediate(function, "add", 0x08, 0x10))
    yield Mutant("a shift by one bit less", by, immediate(function, "vpsraq", 0x3F, 0x3E, 5))
    # The loops over the values that follow `previous`.
    yield Mutant("bound: a block of 31 first values", by, immediate(function, "cmp", 0x20, 0x1F))
    yield Mutant("counter: four first values are skipped", by, immediate(function, "add", 0x04, 0x08))
    yield Mutant("bound: a vector of three first values", by, immediate(function, "cmp", 0x04, 0x03))
    yield Mutant("invariant: a vector where one first value is left", by, immediate(function, "test", 0x1C, 0x1F))
    yield Mutant("bound: the first values do not end", by, without(function, "cmp", 5))


def _add_up() -> Iterator[Mutant]:
    by, function = "u64 add_up", _of(delta.ADD_UP)
    yield Mutant("counter: a vector is skipped", by, immediate(function, "add", 0x40, 0x80))
    yield Mutant("bound: a vector of six values", by, immediate(function, "cmp", 0x1F, 0x05))
    yield Mutant("invariant: the end is within a vector", by, immediate(function, "and", 0xC0, 0xE0))
    yield Mutant("invariant: an odd number of values is left", by, immediate(function, "test", 0x01, 0x02))
    yield Mutant("counter: a value is skipped", by, immediate(function, "add", 0x02, 0x03))
    yield Mutant("a sum moves by a lane less", by, immediate(function, "valignq", 7, 6))
    yield Mutant("a table: the last lane but one is the sum so far", by, table(function, LAST_LANE, 0, -1))


def _several() -> Iterator[Mutant]:
    by, function = "u64 add_up several", _of(delta.ADD_UP)
    yield Mutant("counter: a previous value is skipped", by, immediate(function, "add", 0x08, 0x10))
    yield Mutant("counter: two of three components", by, immediate(function, "add", 0x18, 0x10))
    yield Mutant("counter: two of four components", by, immediate(function, "add", 0x08, 0x06, 2))
    yield Mutant("bound: two values where one is left", by, immediate(function, "cmp", 0x02, 0x01, 2))
    yield Mutant("a table: a value after the end is replaced", by, table(function, INDICES, 16, -1))


def _several_in_other_loops() -> Iterator[Mutant]:
    """Faults in the loops of other types than `u64`."""
    by, function = "i64 add_up several", _of(delta.ADD_UP, I64)
    yield Mutant("counter: two of six values", by, immediate(function, "add", 0x30, 0x10))
    by, function = "u32 add_up several", _of(delta.ADD_UP, U32)
    yield Mutant("counter: three of two pairs", by, immediate(function, "add", 0x04, 0x03, 3))
    yield Mutant("counter: two of three components", by, immediate(function, "add", 0x0C, 0x08))
    yield Mutant("a mask: a value at the end is left out", by, immediate(function, "vpcmpuq", 5, 6))
    by, function = "i32 add_up several", _of(delta.ADD_UP, I32)
    yield Mutant("counter: three of two pairs", by, immediate(function, "add", 0x04, 0x03, 4))
    yield Mutant("counter: two of four components", by, immediate(function, "add", 0x10, 0x08, 1))
    yield Mutant("counter: three of four points", by, immediate(function, "add", 0x10, 0x0C, 2))
    yield Mutant("counter: four of six values", by, immediate(function, "add", 0x18, 0x10))
    by, function = "u16 add_up several", _of(delta.ADD_UP, U16)
    yield Mutant("counter: three of two pairs", by, immediate(function, "add", 0x04, 0x03))
    yield Mutant("counter: two of three components", by, immediate(function, "add", 0x06, 0x04))
    yield Mutant("counter: one of two points", by, immediate(function, "add", 0x08, 0x04))
    yield Mutant("the second of three components is another", by, immediate(function, "vpshuflw", 0xE8, 0xE0))
    yield Mutant("a table: a component begins one bit early", by, table(function, COMPONENTS, 8, -1))
    by, function = "i16 add_up several", _of(delta.ADD_UP, I16)
    yield Mutant("counter: three of four components", by, immediate(function, "add", 0x08, 0x06))
    yield Mutant("counter: three of four points", by, immediate(function, "add", 0x10, 0x0C))
    yield Mutant("counter: five of six values", by, immediate(function, "add", 0x0C, 0x0A))


def _short_lanes() -> Iterator[Mutant]:
    """Faults in lanes of 4 bytes."""
    by, function = "u32 add_up", _of(delta.ADD_UP, U32)
    yield Mutant("a sum moves by a lane less", by, immediate(function, "valignd", 15, 14))
    yield Mutant("counter: a vector is skipped", by, immediate(function, "add", 0x40, 0x80))


LAST_LANE = (7).to_bytes(8, "little")  # the index in a vector of eight lanes
COMPONENTS = b"".join(bit.to_bytes(8, "little") for bit in (0, 16, 32, 48))  # the first bit of each
INDICES = b"".join(index.to_bytes(8, "little") for index in range(4))
