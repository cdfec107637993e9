"""Single values by words and with BMI2 match the wire format, and therefore the scalar code."""

import claripy

from ..codec import TOO_SMALL, decode, encode, encode_to_slice, prove
from ..machine import Machine
from ..wire import Integer, by_length, decoded, encoding, same, strings

WINDOW = 25  # the input length from which a reader examines several bytes at a time


def encode_matches_the_format(machine: Machine, integer: Integer) -> None:
    """`encode` returns the bytes of the wire format."""
    value = claripy.BVS("value", integer.bits)
    for length, case in by_length(machine.start, value, integer):
        for end, encoded in encode(machine, case, integer, value):
            right = claripy.And(encoded.len == length, same(encoded.bytes[:length], encoding(value, integer, length)))
            prove(end, right, "encode is wrong", value=value, len=encoded.len, bytes=encoded.bytes)


def encode_to_slice_matches_the_format(machine: Machine, integer: Integer) -> None:
    """`encode_to_slice` writes exactly the encoding, or nothing if the destination is too small."""
    value = claripy.BVS("value", integer.bits)
    before = [claripy.BVS(f"before_{index}", 8) for index in range(integer.longest + 1)]
    for length, case in by_length(machine.start, value, integer):
        for capacity in (length - 1, length, len(before)):
            fits = capacity >= length
            dst = [*encoding(value, integer, length), *before[length:capacity]] if fits else before[:capacity]
            for end, got, written in encode_to_slice(machine, case, integer, value, before[:capacity]):
                right = claripy.And(written == (length if fits else TOO_SMALL), same(got, dst))
                prove(end, right, f"encode_to_slice is wrong with {capacity} bytes", value=value, dst=got, len=written)


def reader_matches_the_format(machine: Machine, integer: Integer) -> None:
    """The first value of a `Reader` over any 25 bytes has the outcome of the wire format."""
    for reader in ("read", "read_canonical"):
        for src in strings(WINDOW, integer.longest):
            expected = decoded(src, integer, canonical=reader.endswith("canonical"))
            for end, got in decode(machine, machine.start, integer, src, reader):
                claim = got.equals(expected)
                prove(end, claim, f"{reader} is wrong", bytes=src, kind=got.kind, at=got.at, value=got.value)
