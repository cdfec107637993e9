"""Faults that the proofs must refute: a proof that cannot fail would prove nothing."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from struct import pack

from .artefact import Fault, Patch
from .cpu import BASELINE, WITH_AVX2, WITH_BMI2, Cpu
from .machine import Machine
from .properties.blocks import decode_slice_matches_the_format, encode_slice_matches_the_format
from .properties.round_trip import every_value_round_trips
from .properties.singles import reader_matches_the_format, encode_to_slice_matches_the_format, encode_matches_the_format
from .properties.strings import decoders_match_the_format
from .wire import U32, U64


@dataclass(frozen=True)
class Mutant:
    """A fault, the property that must catch it, and a part of the expected message."""

    name: str
    fault: Fault
    cpu: Cpu
    check: Callable[[Machine], None]
    caught_by: str
    sign: str


def mutants() -> Iterator[Mutant]:
    """Yields faulty variants of exports, from a second build, and patches of the crate's tables in
    the image."""
    for variant, export, check, sign in (
        ("one_wrong_value", "encode_u64", every_value_round_trips, "value = 0x200000"),
        ("missing_tenth_byte", "encode_u64", every_value_round_trips, "encode is wrong"),
        ("over_write", "encode_to_slice_u64", encode_to_slice_matches_the_format, "writes"),
        ("over_read", "decode_u64", decoders_match_the_format, "reads"),
        ("missed_overflow", "decode_u64", decoders_match_the_format, "decode is wrong"),
        ("wrong_length", "decode_u64", every_value_round_trips, "decode is wrong"),
        ("overlong_accepted", "decode_canonical_u64", decoders_match_the_format, "decode_canonical is wrong"),
        ("panic_in_a_decoder", "decode_u64", decoders_match_the_format, "panics"),
    ):
        yield _mutant(variant, Fault({export: variant}), BASELINE, check, sign)
    for name, patch, cpu, check, sign in (
        ("a length of the SWAR encoder", LENGTH_OF_64_BITS, BASELINE, encode_matches_the_format, "encode is wrong"),
        ("a flag of the BMI2 encoder", FLAGS_OF_THREE_BYTES, WITH_BMI2, encode_matches_the_format, "encode is wrong"),
        ("a mask of the reader", GROUPS_OF_FOUR_BYTES, WITH_BMI2, reader_matches_the_format, "read is wrong"),
    ):
        yield _mutant(name, Fault(patch=patch), cpu, check, sign)
    encoding = partial(encode_slice_matches_the_format, kernel="bmi2", shapes=[(4, 4, 4)])
    yield _mutant("a flag of the BMI2 kernel", Fault(patch=FLAGS_OF_22_BITS), WITH_BMI2, encoding, "bmi2 encodes")
    decoding = partial(decode_slice_matches_the_format, kernel="bmi2", shapes=[(3, 5)])
    yield _mutant("a mask of the BMI2 kernel", Fault(patch=GROUPS_OF_THREE_BYTES), WITH_BMI2, decoding, "bmi2 decodes")
    packing = partial(encode_slice_matches_the_format, kernel="avx2", shapes=[(1, 2) * 8])
    yield _mutant("a row of the AVX2 kernel", Fault(patch=ROW_OF_WORDS), WITH_AVX2, packing, "avx2 encodes", U32)


def _mutant(name: str, fault: Fault, cpu: Cpu, check: Callable[..., None], sign: str, integer: object = U64) -> Mutant:
    function = check.func if isinstance(check, partial) else check
    caught_by = function.__name__.replace("_", " ")
    return Mutant(name, fault, cpu, partial(check, integer=integer), caught_by, sign)


def _words(*words: int) -> bytes:
    return pack(f"<{len(words)}Q", *words)


def _flags(length: int) -> int:
    """Returns the continuation bits of the first eight bytes of an encoding."""
    return sum(0x80 << (8 * index) for index in range(min(length - 1, 8)))


def _mask(length: int) -> int:
    """Returns a mask of the first `length` of eight bytes."""
    return (1 << (8 * min(length, 8))) - 1


def _changed(table: list[int], index: int, bit: int) -> Patch:
    """Returns a patch that flips one bit of a table of words."""
    return Patch(_words(*table), _words(*table[:index], table[index] ^ 1 << bit, *table[index + 1 :]))


# The lengths of encodings by the leading zeros of the value: ten bytes become nine.
_LENGTHS = bytes(-(-(64 - zeros) // 7) for zeros in range(64)) + b"\x01"
LENGTH_OF_64_BITS = Patch(_LENGTHS, b"\x09" + _LENGTHS[1:])
# The continuation bits by length: the second byte of three loses its bit.
FLAGS_OF_THREE_BYTES = _changed([_flags(length) for length in range(1, 11)], 2, 15)
# The continuation bits by leading zeros: the third byte loses its bit, for values of 22 bits only.
FLAGS_OF_22_BITS = _changed([_flags(-(-(64 - zeros) // 7)) for zeros in range(64)], 42, 23)
# The extracted bits by length: one bit of three bytes, or of four, is missing.
_GROUPS = [0x7F7F_7F7F_7F7F_7F7F & _mask(length) for length in range(8)]
GROUPS_OF_THREE_BYTES, GROUPS_OF_FOUR_BYTES = _changed(_GROUPS, 3, 22), _changed(_GROUPS, 4, 30)
# The shuffle of eight words of which every other one has two bytes: two bytes are swapped.
_ROW = bytes(byte for word in range(8) for byte in range(2 * word, 2 * word + 1 + word % 2)) + b"\x80" * 4
ROW_OF_WORDS = Patch(_ROW, _ROW[:1] + _ROW[2:3] + _ROW[1:2] + _ROW[3:])
