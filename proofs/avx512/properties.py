"""The properties of the AVX-512 code."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial

from prover.wire import I64, U64, Integer

from . import encode
from .format import prove_slots
from .image import Image
from .single import encode_to_slice

INTEGERS = (U64, I64)


@dataclass(frozen=True)
class Property:
    """A property of a function."""

    name: str
    covers: str
    prove: Callable[[Image], object]


def properties() -> Iterator[Property]:
    """Yields all properties."""
    for integer in INTEGERS:
        yield from _encoder(integer)


def _encoder(integer: Integer) -> Iterator[Property]:
    def named(name: str, covers: str, prove: Callable[..., object]) -> Property:
        return Property(f"{integer.name} {name}", covers, partial(prove, integer=integer))

    yield named("slots", "the format as used below = wire.py, all values", lambda image, integer: prove_slots(integer))
    yield named("encode_to_slice", "all values, any capacity", encode_to_slice)
    any_job = "any number of values, any capacity"
    yield named("mixed", any_job, _mixed)
    yield named("bytes", any_job, _bytes)
    yield named("vectors", f"{any_job}, lengths 2 to 8", _vectors)
    yield named("encode", f"{any_job}; calls the three above", _loop)
    yield named("scalar", any_job, _scalar)
    yield named("Slices::encode", "passes its arguments to one of the two above", _entry)


def _mixed(image: Image, integer: Integer) -> None:
    encode.block_loop(image, integer, encode.functions(image, integer).mixed)


def _bytes(image: Image, integer: Integer) -> None:
    encode.block_loop(image, integer, encode.functions(image, integer).bytes, 1)


def _vectors(image: Image, integer: Integer) -> None:
    for function in encode.functions(image, integer).vectors:
        for length in range(2, encode.LONGEST_UNIFORM + 1):
            encode.block_loop(image, integer, function, length)


def _loop(image: Image, integer: Integer) -> None:
    found = encode.functions(image, integer)
    encode.slice_encoder(image, integer, found.loop, partial(encode.loop_contracts, found))


def _scalar(image: Image, integer: Integer) -> None:
    encode.slice_encoder(image, integer, encode.functions(image, integer).scalar, lambda job: {}, 0, 0)


def _entry(image: Image, integer: Integer) -> None:
    encode.entry(image, integer, encode.functions(image, integer))
