"""Faults in the machine code of `count` and `skip`, each of which a property must refute."""

from collections.abc import Iterator

from . import counts
from .calls import method
from .image import Function, Image
from .mutants import Find, Mutant, immediate, without


def counts_mutants() -> Iterator[Mutant]:
    """Yields all mutants."""
    for faults in (_count(), _skip()):
        yield from faults


def _of(name: str) -> Find:
    def find(image: Image) -> Function:
        return counts.loops_of(image, method(image, name))

    return find


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
