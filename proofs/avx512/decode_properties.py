"""The properties of the decoder."""

from collections.abc import Callable, Iterator
from functools import partial

from steps.wire import I16, I32, I64, U16, U32, U64, Integer

from . import decode, decode_words
from .decode_format import prove_prefixes
from .decode_entry import entry
from .decode_loop import loop
from .decode_windows import windows
from model.image import Image

DECODED = (U64, I64, U32, I32, U16, I16)  # the types of which slices are proved
Prove = Callable[[Image, Integer], object]


def decoder(integer: Integer) -> Iterator[tuple[str, str, Prove]]:
    """Yields the name of each property, what it covers, and its proof."""
    any_job = "any source, any space"
    yield "decode prefixes", "the format in wire.py, strings of up to 11 bytes", _prefixes
    for canonical in (False, True):
        kind = "canonical" if canonical else "lenient"

        def of(prove: Callable[..., object], canonical: bool = canonical) -> Prove:
            return partial(_proved, prove, canonical)

        yield f"decode scalar {kind}", any_job, of(_scalar)
        yield f"ScalarKernel::decode {kind}", any_job, of(_whole_scalar)
        yield f"decode bytes {kind}", any_job, of(decode.uniform_bytes)
        yield f"decode vectors {kind}", f"{any_job}, lengths 2 to {integer.longest}", of(decode.uniform_vectors)
        yield f"decode uniform {kind}", "calls the two above", of(decode.uniform)
        yield f"decode windows {kind}", any_job, of(_windows)
        yield f"decode long windows {kind}", any_job, of(_long_windows)
        yield f"decode loop {kind}", f"{any_job}; calls those above", of(loop)
        yield f"Slices::decode {kind}", "passes its arguments to one of two decoders", of(entry)
        yield f"Bmi2::decode {kind}", f"{any_job}; calls the scalar loop", partial(_bmi2, canonical)


def _prefixes(image: Image, integer: Integer) -> None:
    prove_prefixes(integer)


def _proved(prove: Callable[..., object], canonical: bool, image: Image, integer: Integer) -> None:
    prove(image, integer, decode.functions(image, integer), canonical)


def _bmi2(canonical: bool, image: Image, integer: Integer) -> None:
    decode_words.bmi2(image, integer, canonical)


def _scalar(image: Image, integer: Integer, functions: decode.Functions, canonical: bool) -> None:
    decode.scalar(image, integer, functions.scalar, canonical)


def _whole_scalar(image: Image, integer: Integer, functions: decode.Functions, canonical: bool) -> None:
    decode.scalar(image, integer, functions.whole_scalar, canonical, whole=True)


def _windows(image: Image, integer: Integer, functions: decode.Functions, canonical: bool) -> None:
    windows(image, integer, functions.short, canonical)


def _long_windows(image: Image, integer: Integer, functions: decode.Functions, canonical: bool) -> None:
    windows(image, integer, functions.long, canonical)
