"""Faults in the encoders of the kernels that work on words, and of the scalar kernel, each of which a
property must refute."""

from collections.abc import Iterator

from steps.wire import I16, U16, U32, U64, Integer

from . import words
from model.image import Function, Image
from .mutants import Find, Mutant, immediate, table, without

CONTINUED = b"\x80" * 64  # the beginning of the table of continuation bits, by leading zeros
LENGTHS = 65 * 8  # where the table of lengths begins after it
LEAST_OF_TWO = (-0x80 & 0xFFFF_FFFF_FFFF_FFFF).to_bytes(8, "little")  # is added to compare with 2^7
LENGTHS_OF_WORDS = bytes(-(-(64 - zeros) // 7) for zeros in range(64))  # by leading zeros
CONTINUATIONS = bytes(16) + b"\x80" + bytes(7)  # by length


def words_mutants() -> Iterator[Mutant]:
    """Yields all mutants."""
    for faults in (_mixed(), _encode(), _entry(), _swar()):
        yield from faults


def _swar_of(integer: Integer) -> Find:
    def find(image: Image) -> Function:
        return words.swar(image, integer)

    return find


def _scalar_of(integer: Integer) -> Find:
    def find(image: Image) -> Function:
        return words.scalar_kernel(image, integer)

    return find


def _of(part: str, integer: Integer = U64) -> Find:
    def find(image: Image) -> Function:
        return getattr(words.bmi2(image, integer), part)

    return find


def _mixed() -> Iterator[Mutant]:
    by, function = "u64 bmi2 mixed", _of("mixed")
    yield Mutant("counter: a value is encoded twice", by, immediate(function, "add", 0x10, 0x08))
    yield Mutant("counter: a length is not added", by, without(function, "add", 1))
    yield Mutant("bound: five bytes for each value", by, immediate(function, "shr", 0x03, 0x02))
    yield Mutant("invariant: an odd number of values in pairs", by, immediate(function, "and", 0xFE, 0xFF))
    yield Mutant("a shift by one bit less", by, immediate(function, "shr", 0x38, 0x37))
    yield Mutant("a table: a continuation bit", by, table(function, CONTINUED, 0, -0x80))
    yield Mutant("a table: the length of 63 bits", by, table(function, CONTINUED, LENGTHS + 1, 1))
    single = _of("mixed", U32)
    yield Mutant("a table: the length of 29 bits", "u32 bmi2 mixed", table(single, CONTINUED, LENGTHS + 35, -1))


def _encode() -> Iterator[Mutant]:
    by, function = "u64 bmi2 encode", _of("loop")
    yield Mutant("counter: the values are not added", by, without(function, "add", 0))
    yield Mutant("counter: the destination does not advance", by, without(function, "mov", 9))
    yield Mutant("bound: values after the slice", by, without(function, "sub", 0))
    yield Mutant("bound: bytes after the slice", by, without(function, "sub", 1))
    yield Mutant("the destination of the scalar loop is lost", by, without(function, "mov", 12))


def _entry() -> Iterator[Mutant]:
    yield Mutant("an argument is lost", "u64 Bmi2::encode", without(_of("entry"), "xor", 0))
    yield Mutant("an argument is lost", "u64 ScalarKernel::encode", without(_scalar_of(U64), "xor", 0))
    for integer in (U32, U16, I16):
        yield from _own_loop(f"{integer.name} Bmi2::encode", _of("entry", integer), integer)
        yield from _own_loop(f"{integer.name} ScalarKernel::encode", _scalar_of(integer), integer)


def _own_loop(by: str, function: Find, integer: Integer) -> Iterator[Mutant]:
    """Faults of a scalar loop that is a part of the method of a kernel."""
    size, longest = integer.bits // 8, integer.longest
    yield Mutant("counter: a value is skipped", by, immediate(function, "add", size, 2 * size))
    yield Mutant("counter: the capacity is not reduced", by, without(function, "sub", 0))
    yield Mutant("bound: one byte too few is enough", by, immediate(function, "cmp", longest, longest - 1))
    yield Mutant("invariant: the counter begins at any number", by, without(function, "xor", 1))


def _swar() -> Iterator[Mutant]:
    by, function = "u64 Swar::encode", _swar_of(U64)
    yield Mutant("counter: seven values are counted", by, immediate(function, "add", 0x08, 0x07, 1))
    yield Mutant("counter: the bytes before are not added", by, without(function, "add", 0))
    yield Mutant("bound: space for 79 bytes is enough", by, immediate(function, "cmp", 0x50, 0x4F))
    yield Mutant("invariant: half of a block is counted", by, immediate(function, "add", 0xC0, 0xE0))
    yield Mutant("a mask: the least of two bytes", by, table(function, LEAST_OF_TWO, 0, 1))
    yield Mutant("a table: the length of 63 bits", by, table(function, LENGTHS_OF_WORDS, 1, -1))
    yield Mutant("a table: a continuation bit of three bytes", by, table(function, CONTINUATIONS, 3 * 8 + 1, -0x80))

