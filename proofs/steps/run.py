"""Runs a property in a process of its own, and with faults: one bit of an instruction that its proof has executed, or
of a constant that it has read. A proof that cannot fail would prove nothing."""

import random
import resource
import signal
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from types import FrameType

from iced_x86 import Decoder, Instruction, Mnemonic

from model.image import Image, Inconclusive, Refuted

from .properties import properties
from .results import keep

PROVED, REFUTED, INCONCLUSIVE = "proved", "REFUTED", "not proved"
MEMORY = 6 << 30  # limit of the address space in bytes; the greatest proof takes a tenth
CONSTANTS = 0.2  # the share of faults in constants, if there are any
PATIENCE = 3  # a proof with a fault may take this many times the time of the proof, and seconds


@dataclass
class Result:
    """How a proof ended, the processor time and memory that it took, the instructions that it executed with their
    bytes, and which faults survive."""

    status: str
    detail: str
    seconds: float
    name: str = ""
    kibibytes: int = 0
    code: list[tuple[int, bytes]] = field(default_factory=list)
    faults: int = 0
    survivors: list[str] = field(default_factory=list)


def attempt(proof: Callable[[], object]) -> Result:
    """Tries a proof."""
    started, status, detail = time.process_time(), PROVED, ""
    try:
        proof()
    except Refuted as refuted:
        status, detail = REFUTED, str(refuted)
    except Exception as error:  # Any other exception proves nothing.
        known = isinstance(error, Inconclusive)
        status, detail = INCONCLUSIVE, str(error) if known else f"{type(error).__name__}: {error}"
    return Result(status, detail, time.process_time() - started)


def prove(name: str, release: Path, steps: Path, kept: Path, faults: int, seed: int) -> Result:
    """Proves the property of this name, of one of two builds, and keeps the result."""
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, resource.RLIM_INFINITY))
    signal.signal(signal.SIGPROF, _out_of_time)
    [one] = [one for one in properties() if one.name == name]
    path = steps if one.step else release
    image = Image(path)
    result = attempt(lambda: one.prove(image))
    result.name, result.code = name, [(one.ip, image.read(one.ip, one.len)) for one in image.executed()]
    if result.status == PROVED:
        drawn = draw(image, faults if result.code else 0, random.Random(f"{seed} {name}"))
        for result.faults, (what, address, new) in enumerate(drawn, 1):
            signal.setitimer(signal.ITIMER_PROF, PATIENCE * (1 + result.seconds))
            after = attempt(lambda: one.prove(Image(path, {address: bytes([new])})))
            signal.setitimer(signal.ITIMER_PROF, 0)
            if after.status == PROVED:
                result.survivors.append(what)
        keep(kept, one, image)
    result.kibibytes = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return result


def _out_of_time(_number: int, _frame: FrameType | None) -> None:
    raise Inconclusive("takes too long")


# Faults: what becomes what, the address of a byte, and its new value.


def draw(image: Image, count: int, source: random.Random) -> Iterator[tuple[str, int, int]]:
    """Yields faults in what was executed and read in this image, each place once."""
    code, constants = image.executed(), sorted(image.read_constants)
    drawn: set[tuple[str, int, int]] = set()
    while len(drawn) < count:
        if constants and source.random() < CONSTANTS:
            address = source.choice(constants)
            old = image.read(address, 1)[0]
            new = old ^ 1 << source.randrange(8)
            fault = f"constant at {address:#x}: {old:#04x} becomes {new:#04x}", address, new
        else:
            fault = _of_code(image, source.choice(code), source)
        if fault and fault not in drawn:
            drawn.add(fault)
            yield fault


def _of_code(image: Image, one: Instruction, source: random.Random) -> tuple[str, int, int] | None:
    """Returns a fault that makes another instruction of the same length, or None if the bit does not."""
    changed, at = bytearray(image.read(one.ip, one.len)), source.randrange(one.len)
    changed[at] ^= 1 << source.randrange(8)
    other = next(iter(Decoder(64, bytes(changed), ip=one.ip)))
    is_same = str(other) == str(one) or one.mnemonic == other.mnemonic == Mnemonic.NOP
    if is_same or other.mnemonic == Mnemonic.INVALID or other.len != one.len:
        return None
    return f"{one.ip:#x}: {one} becomes {other}", one.ip + at, changed[at]
