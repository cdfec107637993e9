"""Faults for a proof: one bit of an instruction that it has executed, or of a constant that it has read. A
proof that cannot fail would prove nothing."""

import random
from collections.abc import Iterator
from dataclasses import dataclass

from iced_x86 import Decoder, Instruction, Mnemonic

from model.image import Image

CONSTANTS = 0.2  # the share of faults in constants, if there are any


@dataclass(frozen=True)
class Fault:
    """A byte of the library that is replaced."""

    what: str
    address: int
    new: int


def draw(image: Image, count: int, source: random.Random) -> Iterator[Fault]:
    """Yields faults in what was executed and read in this image, each place once."""
    code, constants = image.executed(), sorted(image.read_constants)
    drawn: set[tuple[int, int]] = set()
    while len(drawn) < count:
        fault = _of_constant(image, source) if constants and source.random() < CONSTANTS else _of_code(image, code, source)
        if fault and (fault.address, fault.new) not in drawn:
            drawn.add((fault.address, fault.new))
            yield fault


def _of_constant(image: Image, source: random.Random) -> Fault:
    address = source.choice(sorted(image.read_constants))
    old = image.read(address, 1)[0]
    new = old ^ 1 << source.randrange(8)
    return Fault(f"constant at {address:#x}: {old:#04x} becomes {new:#04x}", address, new)


def _of_code(image: Image, code: list[Instruction], source: random.Random) -> Fault | None:
    """Returns a fault that makes another instruction of the same length, or None if the bit does not."""
    one = source.choice(code)
    changed, at = bytearray(image.read(one.ip, one.len)), source.randrange(one.len)
    changed[at] ^= 1 << source.randrange(8)
    other = next(iter(Decoder(64, bytes(changed), ip=one.ip)))
    if Mnemonic.INVALID == other.mnemonic or other.len != one.len or str(other) == str(one):
        return None
    if Mnemonic.NOP in (one.mnemonic, other.mnemonic) and one.mnemonic == other.mnemonic:
        return None
    return Fault(f"{one.ip:#x}: {one} becomes {other}", one.ip + at, changed[at])
