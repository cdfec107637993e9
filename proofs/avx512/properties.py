"""The properties that are proved by induction."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial

from steps.wire import I16, I32, I64, U16, U32, U64, Integer

from . import encode, words
from .decode_properties import DECODED, decoder
from .format import prove_slots
from model.image import Image

SLICES = (U64, I64, U32, I32, U16, I16)  # the types of which slices are proved


@dataclass(frozen=True)
class Property:
    """A property of a function."""

    name: str
    covers: str
    prove: Callable[[Image], object]


def properties() -> Iterator[Property]:
    """Yields all properties."""
    for integer in SLICES:
        yield from _encoder(integer)
    for integer in DECODED:
        for name, covers, prove in decoder(integer):
            yield _of(integer, name, covers, prove)


def _encoder(integer: Integer) -> Iterator[Property]:
    yield _of(integer, "slots", "the format as used below = wire.py, all values", _slots)
    any_job = "any number of values, any capacity"
    yield _of(integer, "mixed", any_job, _mixed)
    yield _of(integer, "bytes", any_job, _bytes)
    yield _of(integer, "vectors", f"{any_job}, lengths 2 to 8", _vectors)
    yield _of(integer, "encode", f"{any_job}; calls the three above", _loop)
    yield _of(integer, "scalar", f"{any_job}, from any progress on", words.scalar)
    if integer.bits == 64:
        yield _of(integer, "Slices::encode", "passes its arguments to one of the two above", _entry)
    else:
        yield _of(integer, "Slices::encode", f"{any_job}; passes its arguments to 'encode', or encodes", _entry)
    yield _of(integer, "bmi2 mixed", any_job, words.bmi2_mixed)
    yield _of(integer, "bmi2 encode", f"{any_job}; calls the one above and the scalar loop", words.bmi2_encode)
    yield _of(integer, "Bmi2::encode", f"{any_job}; calls the one above, or a scalar loop", words.bmi2_entry)
    yield _of(integer, "ScalarKernel::encode", f"{any_job}; calls the scalar loop, or has it", words.scalar_entry)
    yield _of(integer, "Swar::encode", f"{any_job}; calls the scalar loop", words.swar_encode)


def _of(integer: Integer, name: str, covers: str, prove: Callable[..., object]) -> Property:
    return Property(f"{integer.name} {name}", covers, partial(prove, integer=integer))


def _slots(image: Image, integer: Integer) -> None:
    prove_slots(integer)


def _mixed(image: Image, integer: Integer) -> None:
    encode.block_loop(image, integer, encode.functions(image, integer).mixed)


def _bytes(image: Image, integer: Integer) -> None:
    encode.block_loop(image, integer, encode.functions(image, integer).bytes, 1)


def _vectors(image: Image, integer: Integer) -> None:
    for function, lengths in encode.functions(image, integer).vectors.items():
        for length in lengths:
            encode.block_loop(image, integer, function, length)


def _loop(image: Image, integer: Integer) -> None:
    found = encode.functions(image, integer)
    encode.slice_encoder(image, integer, found.loop, partial(encode.loop_contracts, found))


def _entry(image: Image, integer: Integer) -> None:
    encode.entry(image, integer, encode.functions(image, integer))
