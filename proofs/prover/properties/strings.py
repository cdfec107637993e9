"""Every string of 0 to 11 bytes, one more than the longest encoding, through the decoders."""

from ..codec import decode, prove
from ..machine import Machine
from ..wire import Integer, decoded, strings

LONGEST = 11


def decoders_match_the_format(machine: Machine, integer: Integer) -> None:
    """Both decoders have the outcome of the wire format, read nothing but the string, and do not
    panic."""
    for decoder in ("decode", "decode_canonical"):
        for length in range(LONGEST + 1):
            for src in strings(length, integer.longest):
                expected = decoded(src, integer, canonical=decoder.endswith("canonical"))
                for end, got in decode(machine, machine.start, integer, src, decoder):
                    prove(end, got.equals(expected), f"{decoder} is wrong", bytes=src, kind=got.kind, at=got.at)
