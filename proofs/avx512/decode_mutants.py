"""Faults in the machine code of the decoder and in its tables, each of which a property must refute."""

from collections.abc import Iterator

from prover.wire import U64

from . import decode
from .image import Function, Image
from .mutants import Find, Mutant, _immediate, _table, _without


def decoder_mutants() -> Iterator[Mutant]:
    """Yields all mutants."""
    for faults in (_scalar(), _bytes(), _vectors(), _uniform(), _entry()):
        yield from faults


def _of(part: str) -> Find:
    def find(image: Image) -> Function:
        return getattr(decode.functions(image, U64), part)

    return find


def _scalar() -> Iterator[Mutant]:
    by, function = "u64 decode scalar lenient", _of("scalar")
    yield Mutant("counter: a slot is skipped", by, _immediate(function, "add", 0x08, 0x10, 1))
    yield Mutant("bound: nine bytes are taken for ten", by, _immediate(function, "cmp", 0x09, 0x08, 1))
    yield Mutant("bound: a tenth byte of 2 passes", by, _immediate(function, "cmp", 0x02, 0x03, 2))
    yield Mutant("a shift by one bit less", by, _immediate(function, "shl", 0x0E, 0x0D, 1))
    yield Mutant("another kind of error", by, _immediate(function, "mov", 0x01, 0x02))


def _bytes() -> Iterator[Mutant]:
    by, function = "u64 decode bytes lenient", _of("bytes")
    yield Mutant("counter: one byte is decoded again", by, _immediate(function, "add", 0x40, 0x3F, 1))
    yield Mutant("bound: blocks of 32 bytes are counted", by, _immediate(function, "shr", 0x06, 0x05))
    yield Mutant("invariant: space for 32 values is enough", by, _immediate(function, "shr", 0x06, 0x05, 1))


def _vectors() -> Iterator[Mutant]:
    by, function, table = "u64 decode vectors lenient", _of("vectors"), _of("uniform")
    yield Mutant("bound: a window of 63 bytes is read", by, _immediate(function, "cmp", 0x40, 0x3F, 5))
    unchecked = _table(table, ONE_BYTE, 2 * LAYOUT + CHECKED + 1, -0x80)
    yield Mutant("a mask: a continuation bit is not checked", by, unchecked)
    yield Mutant("a table: a byte is gathered from elsewhere", by, _table(table, ONE_BYTE, 2 * LAYOUT + 9, 1))
    yield Mutant("a table: a byte begins one bit early", by, _table(function, LOW, 2, -1))
    yield Mutant("values of nine bytes are taken for short ones", by, _immediate(table, "cmp", 0x09, 0x0A))


def _uniform() -> Iterator[Mutant]:
    by, function = "u64 decode uniform lenient", _of("uniform")
    yield Mutant("bound: a length of zero has a layout", by, _immediate(function, "cmp", 0xF6, 0xF5))


def _entry() -> Iterator[Mutant]:
    by, function = "u64 Slices::decode lenient", _of("entry")
    yield Mutant("an argument is lost", by, _without(function, "mov", 1))


# The beginnings of tables.
ONE_BYTE = bytes([0] * 8 + [1] + [0] * 7 + [2])  # the layout of values of one byte
LAYOUT, CHECKED = 288, 192  # the size of a layout, and the offset of its bits that are checked
LOW = bytes([0, 9, 18, 27, 36, 45, 54, 0]) * 8  # the first bit of each byte of a value
