"""All that is proved: each property with the CPU that it is proved for."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial

from .cpu import BASELINE, WITH_AVX2, WITH_BMI2, Cpu
from .machine import Machine
from .properties.blocks import blocks_are_decoded_alike, blocks_are_encoded_alike
from .properties.format import verdicts_agree
from .properties.round_trip import every_value_comes_back
from .properties.singles import a_reader_reads_the_same, a_slice_receives_the_same, an_encoding_is_the_same
from .properties.strings import every_string_has_its_verdict
from .shapes import DWORDS, WORDS, all_of_one, in_eight_bytes, rotating
from .wire import I32, I64, INTEGERS, U32, U64, Integer

Shapes = list[tuple[int, ...]]


@dataclass(frozen=True)
class Property:
    """Something to prove, of the code as it runs on a CPU."""

    name: str
    covers: str
    cpu: Cpu
    prove: Callable[[Machine], None]
    runs_code: bool = True


# The single-value code for a CPU works on 64-bit words whatever the type: one of each width and sign stands for all.
BY_WORDS = (I64, U32)


def catalogue() -> Iterator[Property]:
    """All of them."""
    for integer in INTEGERS:
        yield from _of(integer)
    for integer in BY_WORDS:
        yield from _by_words(integer)
    for integer in (U64, I32):
        yield from _blocks(integer)
    yield _encodes(WITH_AVX2, "avx2", U32, [*WORDS, *DWORDS])


def _of(integer: Integer) -> Iterator[Property]:
    """One value by the scalar code, the encoder by words, and the format itself."""
    name, values = integer.name, f"2^{integer.bits} values"
    strings = partial(every_string_has_its_verdict, integer=integer)
    yield Property(f"{name}: decode and decode_canonical = format", "all strings of 0..=11 bytes", BASELINE, strings)
    round_trip = partial(every_value_comes_back, integer=integer)
    yield Property(f"{name}: decode(encode(x)) = x, bytes = format", values, BASELINE, round_trip)
    agree = partial(verdicts_agree, integer=integer)
    yield Property(
        f"{name}: verdicts agree, canonical Ok re-encodes", "the format, 0..=11 bytes", BASELINE, agree, False
    )


def _by_words(integer: Integer) -> Iterator[Property]:
    """One value by words and by BMI2."""
    name, values = integer.name, f"2^{integer.bits} values"
    encode = partial(an_encoding_is_the_same, integer=integer)
    yield Property(f"{name}: encode = format", values, WITH_BMI2, encode)
    for cpu in (BASELINE, WITH_BMI2):
        to_slice = partial(a_slice_receives_the_same, integer=integer)
        yield Property(f"{name}: encode_to_slice = format", values, cpu, to_slice)
        reader = partial(a_reader_reads_the_same, integer=integer)
        yield Property(f"{name}: Reader = format", "all strings of 25 bytes", cpu, reader)


def _blocks(integer: Integer) -> Iterator[Property]:
    """Blocks through the bulk kernels."""
    yield _encodes(BASELINE, "swar", integer, all_of_one(integer, 8)[:3])
    yield _encodes(WITH_BMI2, "bmi2", integer, rotating(integer, 3))
    yield _encodes(WITH_AVX2, "avx2", integer, all_of_one(integer, 16)[::2])
    for cpu, kernel in ((BASELINE, "swar"), (WITH_BMI2, "bmi2"), (WITH_AVX2, "avx2")):
        yield _decodes(cpu, kernel, integer, in_eight_bytes(integer))


def _encodes(cpu: Cpu, kernel: str, integer: Integer, shapes: Shapes) -> Property:
    covers = f"{len(shapes)} shapes of {len(shapes[0])} values"
    check = partial(blocks_are_encoded_alike, integer=integer, kernel=kernel, shapes=shapes)
    return Property(f"{integer.name}: {kernel} encode_slice = format", covers, cpu, check)


def _decodes(cpu: Cpu, kernel: str, integer: Integer, shapes: Shapes) -> Property:
    covers = f"{len(shapes)} shapes of 8 bytes"
    check = partial(blocks_are_decoded_alike, integer=integer, kernel=kernel, shapes=shapes)
    return Property(f"{integer.name}: {kernel} decode_slice = format", covers, cpu, check)
