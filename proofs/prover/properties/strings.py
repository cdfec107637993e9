"""Every byte string: what the decoders make of any bytes of 0 to 11, which is one more than the longest encoding."""

from ..codec import decode, prove
from ..machine import Machine
from ..wire import Integer, decoded, strings

LONGEST = 11


def every_string_has_its_verdict(machine: Machine, integer: Integer) -> None:
    """Both decoders read nothing but the string, do not panic, and say what the wire format says."""
    for decoder in ("decode", "decode_canonical"):
        for length in range(LONGEST + 1):
            for src in strings(length, integer.longest):
                says = decoded(src, integer, canonical=decoder.endswith("canonical"))
                for end, got in decode(machine, machine.start, integer, src, decoder):
                    prove(end, got.equals(says), f"{decoder} is wrong", bytes=src, kind=got.kind, at=got.at)
