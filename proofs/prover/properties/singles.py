"""Single values by words and by BMI2: the same as by the scalar code, since both are what the wire format says."""

import claripy

from ..codec import NO_ROOM, decode, encode, encode_to_slice, prove
from ..machine import Machine
from ..wire import Integer, by_length, decoded, encoding, same, strings

WINDOW = 25  # bytes from which on a reader looks at more than one of them at a time


def an_encoding_is_the_same(machine: Machine, integer: Integer) -> None:
    """`encode` gives the bytes of the wire format."""
    value = claripy.BVS("value", integer.bits)
    for length, case in by_length(machine.start, value, integer):
        for end, encoded in encode(machine, case, integer, value):
            right = claripy.And(encoded.len == length, same(encoded.bytes[:length], encoding(value, integer, length)))
            prove(end, right, "encode is wrong", value=value, len=encoded.len, bytes=encoded.bytes)


def a_slice_receives_the_same(machine: Machine, integer: Integer) -> None:
    """`encode_to_slice` writes the encoding and not a byte more where there is room, and else nothing."""
    value = claripy.BVS("value", integer.bits)
    before = [claripy.BVS(f"before_{index}", 8) for index in range(integer.longest + 1)]
    for length, case in by_length(machine.start, value, integer):
        for room in (length - 1, length, len(before)):
            fits = room >= length
            dst = [*encoding(value, integer, length), *before[length:room]] if fits else before[:room]
            for end, got, written in encode_to_slice(machine, case, integer, value, before[:room]):
                right = claripy.And(written == (length if fits else NO_ROOM), same(got, dst))
                prove(end, right, f"encode_to_slice is wrong with room for {room}", value=value, dst=got, len=written)


def a_reader_reads_the_same(machine: Machine, integer: Integer) -> None:
    """The first value of a `Reader` over any 25 bytes is what the wire format says."""
    for reader in ("read", "read_canonical"):
        for src in strings(WINDOW, integer.longest):
            says = decoded(src, integer, canonical=reader.endswith("canonical"))
            for end, got in decode(machine, machine.start, integer, src, reader):
                prove(end, got.equals(says), f"{reader} is wrong", bytes=src, kind=got.kind, at=got.at, value=got.value)
