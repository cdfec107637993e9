"""Faults in the machine code of the decoder, each of which a property must refute."""

from collections.abc import Iterator

from prover.wire import U64

from . import decode
from .image import Function, Image
from .mutants import Find, Mutant, _immediate, _without


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
    yield Mutant("bound: nine bytes are taken for ten", by, _immediate(function, "cmp", 0x09, 0x08, 1))


def _bytes() -> Iterator[Mutant]:
    by, function = "u64 decode bytes lenient", _of("bytes")
    yield Mutant("counter: one byte is decoded again", by, _immediate(function, "add", 0x40, 0x3F, 1))
    yield Mutant("bound: blocks of 32 bytes are counted", by, _immediate(function, "shr", 0x06, 0x05))
    yield Mutant("invariant: space for 32 values is enough", by, _immediate(function, "shr", 0x06, 0x05, 1))


def _vectors() -> Iterator[Mutant]:
    by, function = "u64 decode vectors lenient", _of("vectors")
    yield Mutant("bound: a window of 63 bytes is read", by, _immediate(function, "cmp", 0x40, 0x3F, 5))


def _uniform() -> Iterator[Mutant]:
    by, function = "u64 decode uniform lenient", _of("uniform")
    yield Mutant("bound: a length of zero has a layout", by, _immediate(function, "cmp", 0xF6, 0xF5))


def _entry() -> Iterator[Mutant]:
    by, function = "u64 Slices::decode lenient", _of("entry")
    yield Mutant("an argument is lost", by, _without(function, "mov", 1))
