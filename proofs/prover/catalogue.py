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


@dataclass(frozen=True)
class Property:
    """Something to prove, of the code as it runs on a CPU."""

    name: str
    covers: str
    cpu: Cpu
    prove: Callable[[Machine], None]
    runs_code: bool = True


def catalogue() -> Iterator[Property]:
    """The greatest first, which keeps all processors busy to the end."""
    for integer in INTEGERS:
        yield from _of(integer)
    yield from _kernels()


def _of(integer: Integer) -> Iterator[Property]:
    values, name = f"2^{integer.bits} values", integer.name
    yield Property(f"{name}: decode, decode_canonical = format", "all strings of 0..=11 bytes", BASELINE, partial(every_string_has_its_verdict, integer=integer))
    yield Property(f"{name}: decode(encode(x)) = x, bytes = format", values, BASELINE, partial(every_value_comes_back, integer=integer))
    yield Property(f"{name}: encode = format", values, WITH_BMI2, partial(an_encoding_is_the_same, integer=integer))
    for cpu in (BASELINE, WITH_BMI2):
        yield Property(f"{name}: encode_to_slice = format", values, cpu, partial(a_slice_receives_the_same, integer=integer))
        yield Property(f"{name}: Reader = format", "all strings of 25 bytes", cpu, partial(a_reader_reads_the_same, integer=integer))
    yield Property(f"{name}: verdicts agree, canonical Ok re-encodes", "the format itself, 0..=11 bytes", BASELINE, partial(_without_code, integer=integer), runs_code=False)


def _without_code(_: Machine, integer: Integer) -> None:
    verdicts_agree(integer)


def _kernels() -> Iterator[Property]:
    for integer in (U64, I32):
        yield _encodes(BASELINE, "swar", integer, [*all_of_one(integer, 8)[:2], rotating(integer, 8)[0]])
        yield _encodes(WITH_BMI2, "bmi2", integer, rotating(integer, 3))
        for cpu, kernel in ((BASELINE, "swar"), (WITH_BMI2, "bmi2"), (WITH_AVX2, "avx2")):
            yield _decodes(cpu, kernel, integer, in_eight_bytes(integer))
    for integer in (U64, I64, U32, I32):
        yield _encodes(WITH_AVX2, "avx2", integer, all_of_one(integer, 16)[:: 1 if integer is U64 else 2])
    yield _encodes(WITH_AVX2, "avx2", U32, [*WORDS, *DWORDS])
    yield _decodes(WITH_AVX2, "avx2", I64, all_of_one(I64, 8)[:9])


def _encodes(cpu: Cpu, kernel: str, integer: Integer, shapes: list[tuple[int, ...]]) -> Property:
    covers = f"{len(shapes)} shapes of {len(shapes[0])} values"
    return Property(f"{integer.name}: {kernel} encode_slice = format", covers, cpu, partial(blocks_are_encoded_alike, integer=integer, kernel=kernel, shapes=shapes))


def _decodes(cpu: Cpu, kernel: str, integer: Integer, shapes: list[tuple[int, ...]]) -> Property:
    covers = f"{len(shapes)} shapes of up to {max(map(sum, shapes))} bytes"
    return Property(f"{integer.name}: {kernel} decode_slice = format", covers, cpu, partial(blocks_are_decoded_alike, integer=integer, kernel=kernel, shapes=shapes))
