"""Round trips of all values of a type, with both encoders and both decoders."""

import claripy

from ..codec import decode, encode, prove
from ..machine import Machine
from ..wire import OK, U64, Integer, by_length, encoding, same


def every_value_round_trips(machine: Machine, integer: Integer) -> None:
    """`encode` and, for `u64`, `encode_const` return the bytes of the wire format, and both decoders
    return the value and the length."""
    value = claripy.BVS("value", integer.bits)
    encoders = ("encode_const", "encode") if integer == U64 else ("encode",)
    for length, case in by_length(machine.start, value, integer):
        expected = encoding(value, integer, length)
        for encoder in encoders:
            for end, encoded in encode(machine, case, integer, value, encoder):
                right = claripy.And(encoded.len == length, same(encoded.bytes[:length], expected))
                prove(end, right, f"{encoder} is wrong", value=value, len=encoded.len, bytes=encoded.bytes)
        # The encoders return the expected bytes, as has just been shown.
        for decoder in ("decode", "decode_canonical"):
            for end, outcome in decode(machine, case, integer, expected, decoder):
                claim = claripy.And(outcome.kind == OK, outcome.at == length, outcome.value == value)
                prove(
                    end, claim, f"{decoder} is wrong", value=value, kind=outcome.kind, at=outcome.at, got=outcome.value
                )
