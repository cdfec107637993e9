"""Faults in the machine code of the decoder and in its tables, each of which a property must refute."""

from collections.abc import Iterator
from functools import partial

from steps.wire import I32, U64, Integer

from . import decode
from .decode_words import bmi2_functions
from model.image import Function, Image
from .mutants import Find, Mutant, immediate, table, without


def decoder_mutants() -> Iterator[Mutant]:
    """Yields all mutants."""
    of_avx512 = (_scalar(), _bytes(), _vectors(), _uniform(), _windows(), _long_windows(), _loop(), _entry())
    for faults in (*of_avx512, _bmi2()):
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


def _bmi2() -> Iterator[Mutant]:
    by, function = "u64 Bmi2::decode lenient", partial(_bmi2_of, U64)
    yield Mutant("counter: a window advances by 63 bytes", by, immediate(function, "add", 0x40, 0x3F))
    yield Mutant("counter: the values before are not added", by, without(function, "add", 0))
    yield Mutant("bound: 71 bytes are left", by, immediate(function, "cmp", 0x47, 0x46))
    yield Mutant("invariant: a value begins after 32 bytes", by, immediate(function, "and", 0x3F, 0x1F))
    yield Mutant("the space is not reduced", by, without(function, "sub", 2))
    yield Mutant("an error is taken for none", by, immediate(function, "cmp", 0x03, 0x02))
    yield Mutant("a mask: bytes 16 to 31 are one bit lower", by, immediate(function, "shl", 0x10, 0x0F, 1))
    yield Mutant("a mask: the longest values follow others", by, immediate(function, "shl", 0x09, 0x0A))
    yield Mutant("a length of nine bytes is one", by, immediate(function, "and", 0x0F, 0x07))
    yield Mutant("a table: the groups of two bytes", by, table(function, GROUPS_BY_LENGTH, 2 * 8 + 1, -1))
    yield Mutant("a table: a bit of the ninth byte", by, table(function, NINTH_BYTE, 9 * 8 + 7, -1))
    canonical, signed = "u64 Bmi2::decode canonical", "i32 Bmi2::decode lenient"
    yield Mutant("a mask: zeros are one bit lower", canonical, immediate(function, "shl", 0x20, 0x1F, 2))
    yield Mutant("values of one byte lose a bit", signed, immediate(partial(_bmi2_of, I32), "psrld", 0x01, 0x02))


def _bmi2_of(integer: Integer, image: Image) -> Function:
    return bmi2_functions(image, integer)[1]


GROUPS_BY_LENGTH = bytes(8) + b"\x7f" + bytes(7) + b"\x7f\x7f"
NINTH_BYTE = bytes(9 * 8 + 7) + b"\xff"  # by length
LOW = bytes([0, 9, 18, 27, 36, 45, 54, 0]) * 8  # the first bit of each byte of a value
