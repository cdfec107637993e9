"""Faults that the proofs have to catch: a proof that nothing can fail would prove nothing."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from struct import pack

from .artefact import Fault, Patch
from .cpu import BASELINE, WITH_AVX2, WITH_BMI2, Cpu
from .machine import Machine
from .properties.blocks import blocks_are_decoded_alike, blocks_are_encoded_alike
from .properties.round_trip import every_value_comes_back
from .properties.singles import a_reader_reads_the_same, a_slice_receives_the_same, an_encoding_is_the_same
from .properties.strings import every_string_has_its_verdict
from .wire import U32, U64


@dataclass(frozen=True)
class Mutant:
    """A fault, the property that is to catch it, and how it is to show."""

    name: str
    fault: Fault
    cpu: Cpu
    check: Callable[[Machine], None]
    caught_by: str
    sign: str


def mutants() -> Iterator[Mutant]:
    """Twins of exports, from a second build with them, and patches of the crate's own tables in the image."""
    for twin, export, check, sign in (
        ("one_wrong_value", "encode_u64", every_value_comes_back, "value = 0x200000"),
        ("cut_tenth_byte", "encode_u64", every_value_comes_back, "encode is wrong"),
        ("written_without_room", "encode_to_slice_u64", a_slice_receives_the_same, "writes"),
        ("over_read", "decode_u64", every_string_has_its_verdict, "reads"),
        ("missed_overflow", "decode_u64", every_string_has_its_verdict, "decode is wrong"),
        ("wrong_length", "decode_u64", every_value_comes_back, "decode is wrong"),
        ("overlong_taken", "decode_u64_canonical", every_string_has_its_verdict, "decode_canonical is wrong"),
        ("panic_in_a_decoder", "decode_u64", every_string_has_its_verdict, "panics"),
    ):
        yield _mutant(twin, Fault({export: twin}), BASELINE, check, sign)
    for name, patch, cpu, check, sign in (
        ("a length of the SWAR encoder", LENGTH_OF_64_BITS, BASELINE, an_encoding_is_the_same, "encode is wrong"),
        ("a flag of the BMI2 encoder", FLAGS_OF_THREE_BYTES, WITH_BMI2, an_encoding_is_the_same, "encode is wrong"),
        ("a mask of the reader", MASK_OF_FOUR_BYTES, WITH_BMI2, a_reader_reads_the_same, "read is wrong"),
    ):
        yield _mutant(name, Fault(patch=patch), cpu, check, sign)
    encoding = partial(blocks_are_encoded_alike, kernel="bmi2", shapes=[(4, 4, 4)])
    yield _mutant("a flag of the BMI2 kernel", Fault(patch=FLAGS_OF_22_BITS), WITH_BMI2, encoding, "bmi2 encodes")
    decoding = partial(blocks_are_decoded_alike, kernel="bmi2", shapes=[(3, 5)])
    yield _mutant("a mask of the BMI2 kernel", Fault(patch=GROUPS_OF_THREE_BYTES), WITH_BMI2, decoding, "bmi2 decodes")
    packing = partial(blocks_are_encoded_alike, kernel="avx2", shapes=[(1, 2) * 8])
    yield _mutant("a row of the AVX2 kernel", Fault(patch=ROW_OF_WORDS), WITH_AVX2, packing, "avx2 encodes", U32)


def _mutant(name: str, fault: Fault, cpu: Cpu, check: Callable[..., None], sign: str, integer: object = U64) -> Mutant:
    function = check.func if isinstance(check, partial) else check
    caught_by = function.__name__.replace("_", " ")
    return Mutant(name, fault, cpu, partial(check, integer=integer), caught_by, sign)


def _words(*words: int) -> bytes:
    return pack(f"<{len(words)}Q", *words)


def _flags(length: int) -> int:
    """The continuation bits of an encoding among its first eight bytes."""
    return sum(0x80 << (8 * index) for index in range(min(length - 1, 8)))


def _mask(length: int) -> int:
    """The first so many of eight bytes."""
    return (1 << (8 * min(length, 8))) - 1


def _changed(table: list[int], index: int, bit: int) -> Patch:
    """A table of words with one bit flipped."""
    return Patch(_words(*table), _words(*table[:index], table[index] ^ 1 << bit, *table[index + 1 :]))


# By the zeros that a value begins with, its length: ten bytes become nine.
_LENGTHS = bytes(-(-(64 - zeros) // 7) for zeros in range(64)) + b"\x01"
LENGTH_OF_64_BITS = Patch(_LENGTHS, b"\x09" + _LENGTHS[1:])
# By length, the continuation bits: the second byte of three loses its own.
FLAGS_OF_THREE_BYTES = _changed([_flags(length) for length in range(1, 11)], 2, 15)
# By length, which bytes belong to a value: of four, one bit does not.
MASK_OF_FOUR_BYTES = _changed([_mask(length) for length in range(1, 9)], 3, 30)
# By the zeros that a value begins with, the continuation bits: the third byte loses its own, for 22 bits only.
FLAGS_OF_22_BITS = _changed([_flags(-(-(64 - zeros) // 7)) for zeros in range(64)], 42, 23)
# By length, the bits that are extracted: of three bytes, one too few.
GROUPS_OF_THREE_BYTES = _changed([0x7F7F_7F7F_7F7F_7F7F & _mask(length) for length in range(8)], 3, 22)
# Where eight words go of which each other one has two bytes: two bytes change places.
_ROW = bytes(byte for word in range(8) for byte in range(2 * word, 2 * word + 1 + word % 2)) + b"\x80" * 4
ROW_OF_WORDS = Patch(_ROW, _ROW[:1] + _ROW[2:3] + _ROW[1:2] + _ROW[3:])
