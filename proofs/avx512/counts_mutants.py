"""Faults in the machine code of `encoded_len`, `count` and `skip`, each of which a property must refute."""

from collections.abc import Iterator

from . import counts
from .calls import method
from .image import Function, Image
from .mutants import Find, Mutant, immediate, table, without


def counts_mutants() -> Iterator[Mutant]:
    """Yields all mutants."""
    for faults in (_encoded_len(), _inverted(), _count(), _skip()):
        yield from faults


def _of(name: str) -> Find:
    def find(image: Image) -> Function:
        return counts.loops_of(image, method(image, name))

    return find


def _encoded_len() -> Iterator[Mutant]:
    by, function = "u64 encoded_len", _of("Slices<u64>>::encoded_len")
    start = bytes(10 - -(-(64 - zeros) // 7) if zeros else 0 for zeros in range(16))  # of the table
    yield Mutant("a table: the length of 55 bits", by, table(function, start, 9, 1))
    yield Mutant("counter: lanes without a value are not counted", by, without(function, "add", 0))
    yield Mutant("step: the second half of a block is read again", by, immediate(function, "add", 0x20, 0x10))
    yield Mutant("bound: a block where there are only three vectors", by, immediate(function, "cmp", 0x18, 0x10))
    yield Mutant("a mask: a tail of up to three values", by, immediate(function, "and", 0x07, 0x03))


def _inverted() -> Iterator[Mutant]:
    """Lanes of 4 bytes, of signed values."""
    by, function = "i32 encoded_len", _of("Slices<i32>>::encoded_len")
    start = bytes(5 - -(-(33 - zeros) // 7) if zeros else 0 for zeros in range(16))
    yield Mutant("a table: the length of 14 bits and the sign", by, table(function, start, 18, -1))
    yield Mutant("a sum: half of the lanes is added twice", by, immediate(function, "vpshufd", 0xEE, 0x44))
    yield Mutant("counter: lanes without a value are not counted", by, without(function, "add", 0))
    yield Mutant("step: the second half of a block is read again", by, immediate(function, "add", 0x20, 0x10))
    yield Mutant("a mask: a tail of up to seven values", by, immediate(function, "and", 0x0F, 0x07))


def _count() -> Iterator[Mutant]:
    by, function = "Untyped::count", _of("Untyped>::count")
    yield Mutant("counter: a vector is not counted", by, without(function, "add", 0))
    yield Mutant("counter: a vector of a block is not counted", by, without(function, "add", 2))
    yield Mutant("step: half of a vector is read again", by, immediate(function, "add", 0x40, 0x20))
    yield Mutant("bound: an odd number of vectors before blocks of four", by, immediate(function, "and", 0x03, 0x01))
    yield Mutant("a mask: a tail of up to 31 bytes", by, immediate(function, "and", 0x3F, 0x1F))
    yield Mutant("a comparison with zero: it is not a last byte", by, immediate(function, "vpternlogd", 0xFF, 0))


def _skip() -> Iterator[Mutant]:
    by, function = "Untyped::skip", _of("Untyped>::skip")
    yield Mutant("counter: the values left are not reduced", by, without(function, "mov", 3))
    yield Mutant("step: half of a vector is read again", by, immediate(function, "add", 0x40, 0x20, 1))
    yield Mutant("bound: the loop ends one byte later", by, immediate(function, "cmp", 1, 2))
    yield Mutant("a mask: a tail of up to 31 bytes", by, immediate(function, "and", 0x3F, 0x1F))
