"""Every value comes back: for all of a type's values, through both encoders and both decoders."""

import claripy

from ..codec import decode, encode, prove
from ..machine import Machine
from ..wire import OK, Integer, by_length, encoding, same


def every_value_comes_back(machine: Machine, integer: Integer) -> None:
    """`encode` and `encode_const` give the bytes of the wire format; both decoders give value and length back."""
    value = claripy.BVS("value", integer.bits)
    for length, case in by_length(machine.start, value, integer):
        expected = encoding(value, integer, length)
        for encoder in ("encode_const", "encode"):
            for end, encoded in encode(machine, case, integer, value, encoder):
                right = claripy.And(encoded.len == length, same(encoded.bytes[:length], expected))
                prove(end, right, f"{encoder} is wrong", value=value, len=encoded.len, bytes=encoded.bytes)
        # What both encoders give, as has just been shown.
        for decoder in ("decode", "decode_canonical"):
            for end, verdict in decode(machine, case, integer, expected, decoder):
                back = claripy.And(verdict.kind == OK, verdict.at == length, verdict.value == value)
                prove(
                    end, back, f"{decoder} is wrong", value=value, kind=verdict.kind, at=verdict.at, got=verdict.value
                )
