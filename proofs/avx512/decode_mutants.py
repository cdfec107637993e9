"""Faults in the machine code of the decoder and in its tables, each of which a property must refute."""

from collections.abc import Iterator

from prover.wire import U64

from . import decode
from .image import Function, Image
from .mutants import Find, Mutant, immediate, table, without


def decoder_mutants() -> Iterator[Mutant]:
    """Yields all mutants."""
    for faults in (_scalar(), _bytes(), _vectors(), _uniform(), _windows(), _long_windows(), _loop(), _entry()):
        yield from faults


def _of(part: str) -> Find:
    def find(image: Image) -> Function:
        return getattr(decode.functions(image, U64), part)

    return find


def _scalar() -> Iterator[Mutant]:
    by, function = "u64 decode scalar lenient", _of("scalar")
    yield Mutant("bound: nine bytes are taken for ten", by, immediate(function, "cmp", 0x09, 0x08, 1))


def _bytes() -> Iterator[Mutant]:
    by, function = "u64 decode bytes lenient", _of("bytes")
    yield Mutant("counter: one byte is decoded again", by, immediate(function, "add", 0x40, 0x3F, 1))
    yield Mutant("bound: blocks of 32 bytes are counted", by, immediate(function, "shr", 0x06, 0x05))
    yield Mutant("invariant: space for 32 values is enough", by, immediate(function, "shr", 0x06, 0x05, 1))


def _vectors() -> Iterator[Mutant]:
    by, function = "u64 decode vectors lenient", _of("vectors")
    yield Mutant("bound: a window of 63 bytes is read", by, immediate(function, "cmp", 0x40, 0x3F, 5))


def _uniform() -> Iterator[Mutant]:
    by, function = "u64 decode uniform lenient", _of("uniform")
    yield Mutant("bound: a length of zero has a layout", by, immediate(function, "cmp", 0xF6, 0xF5))


def _windows() -> Iterator[Mutant]:
    by, function = "u64 decode windows lenient", _of("short")
    yield Mutant("bound: a window of 63 bytes is read", by, immediate(function, "sub", 0x40, 0x3F))
    yield Mutant("counter: a window advances by 54 bytes", by, immediate(function, "add", 0x37, 0x36))
    yield Mutant("invariant: space for 32 values is enough", by, immediate(function, "shr", 0x06, 0x05))
    yield Mutant("a mask: a run of seven bytes is a long value", by, immediate(function, "shl", 0x05, 0x04, 1))
    yield Mutant("a table: a byte begins one bit early", by, table(function, LOW, 2, -1))


def _long_windows() -> Iterator[Mutant]:
    by, function = "u64 decode long windows lenient", _of("long")
    yield Mutant("counter: a window advances by 54 bytes", by, immediate(function, "add", 0x37, 0x36))
    yield Mutant("a mask: a tenth byte of 0 passes", by, immediate(function, "vpcmpb", 4, 6, 1))


def _loop() -> Iterator[Mutant]:
    by, function = "u64 decode loop lenient", _of("loop")
    yield Mutant("bound: 64 bytes are loaded where 63 are left", by, immediate(function, "cmp", 0x40, 0x3F))
    yield Mutant("counter: the last byte is left over", by, immediate(function, "add", 0x40, 0x3F))
    yield Mutant("invariant: windows begin after eight bytes", by, immediate(function, "cmp", 0x09, 0x08))


def _entry() -> Iterator[Mutant]:
    by, function = "u64 Slices::decode lenient", _of("entry")
    yield Mutant("an argument is lost", by, without(function, "mov", 1))


LOW = bytes([0, 9, 18, 27, 36, 45, 54, 0]) * 8  # the first bit of each byte of a value
