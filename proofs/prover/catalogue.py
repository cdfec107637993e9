"""The properties to prove, each with the CPU that it is proved for."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial

from .cpu import BASELINE, WITH_AVX2, WITH_BMI2, Cpu
from .machine import Machine
from .properties.blocks import decode_slice_matches_the_format, encode_slice_matches_the_format
from .properties.format import decoders_agree
from .properties.round_trip import every_value_round_trips
from .properties.singles import reader_matches_the_format, encode_to_slice_matches_the_format, encode_matches_the_format
from .properties.strings import decoders_match_the_format
from .shapes import DWORDS, WORDS, all_of_one, in_eight_bytes, rotating
from .wire import I32, I64, INTEGERS, U32, U64, Integer

Shapes = list[tuple[int, ...]]


@dataclass(frozen=True)
class Property:
    """A property of the code on a CPU."""

    name: str
    covers: str
    cpu: Cpu
    prove: Callable[[Machine], None]
    runs_code: bool = True

    @property
    def title(self) -> str:
        return f"{self.name} ({self.cpu.name})"


# The code for single values works on 64-bit words for all types, so one type of each width and sign
# is enough.
BY_WORDS = (I64, U32)


def catalogue() -> Iterator[Property]:
    """Yields all properties."""
    for integer in INTEGERS:
        yield from _of(integer)
    for integer in BY_WORDS:
        yield from _by_words(integer)
    for integer in (U64, I32):
        yield from _blocks(integer)
    yield _encodes(WITH_AVX2, "avx2", U32, [*WORDS, *DWORDS])


def _of(integer: Integer) -> Iterator[Property]:
    """Yields the properties of the scalar code, the encoder by words, and the format itself."""
    name, values = integer.name, f"2^{integer.bits} values"
    strings = partial(decoders_match_the_format, integer=integer)
    yield Property(f"{name}: decode and decode_canonical = format", "all strings of 0..=11 bytes", BASELINE, strings)
    round_trip = partial(every_value_round_trips, integer=integer)
    yield Property(f"{name}: decode(encode(x)) = x, bytes = format", values, BASELINE, round_trip)
    agree = partial(decoders_agree, integer=integer)
    yield Property(
        f"{name}: decoders agree, canonical Ok re-encodes", "the format, 0..=11 bytes", BASELINE, agree, False
    )


def _by_words(integer: Integer) -> Iterator[Property]:
    """Yields the properties of single values by words and with BMI2."""
    name, values = integer.name, f"2^{integer.bits} values"
    encode = partial(encode_matches_the_format, integer=integer)
    yield Property(f"{name}: encode = format", values, WITH_BMI2, encode)
    for cpu in (BASELINE, WITH_BMI2):
        to_slice = partial(encode_to_slice_matches_the_format, integer=integer)
        yield Property(f"{name}: encode_to_slice = format", values, cpu, to_slice)
        reader = partial(reader_matches_the_format, integer=integer)
        yield Property(f"{name}: Reader = format", "all strings of 25 bytes", cpu, reader)


def _blocks(integer: Integer) -> Iterator[Property]:
    """Yields the properties of the bulk kernels."""
    yield _encodes(BASELINE, "swar", integer, all_of_one(integer, 8)[:3])
    yield _encodes(WITH_BMI2, "bmi2", integer, rotating(integer, 3))
    yield _encodes(WITH_AVX2, "avx2", integer, all_of_one(integer, 16)[::2])
    for cpu, kernel in ((BASELINE, "swar"), (WITH_BMI2, "bmi2"), (WITH_AVX2, "avx2")):
        yield _decodes(cpu, kernel, integer, in_eight_bytes(integer))


def _encodes(cpu: Cpu, kernel: str, integer: Integer, shapes: Shapes) -> Property:
    covers = f"{len(shapes)} shapes of {len(shapes[0])} values"
    check = partial(encode_slice_matches_the_format, integer=integer, kernel=kernel, shapes=shapes)
    return Property(f"{integer.name}: {kernel} encode_slice = format", covers, cpu, check)


def _decodes(cpu: Cpu, kernel: str, integer: Integer, shapes: Shapes) -> Property:
    covers = f"{len(shapes)} shapes of 8 bytes"
    check = partial(decode_slice_matches_the_format, integer=integer, kernel=kernel, shapes=shapes)
    return Property(f"{integer.name}: {kernel} decode_slice = format", covers, cpu, check)
