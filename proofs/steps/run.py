"""Runs a property and faults in the code that it has executed, in a process of its own."""

import random
import resource
import signal
import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path
from types import FrameType
from typing import NamedTuple

from model.failures import Inconclusive, Refuted
from model.image import Image

from .faults import draw
from .properties import properties
from .results import keep

PROVED, REFUTED, INCONCLUSIVE = "proved", "REFUTED", "not proved"
MEMORY = 6 << 30  # limit of the address space in bytes; the greatest proof takes a tenth
PATIENCE = 10  # a proof with a fault may take this many times the time of the proof, and seconds


class Outcome(NamedTuple):
    """How a proof ended, and the processor time that it took."""

    status: str
    detail: str
    seconds: float


@dataclass(frozen=True)
class Result:
    """The result of a proof, the memory it took, the instructions it executed, and which faults survive."""

    name: str
    outcome: Outcome
    kibibytes: int
    code: list[tuple[int, bytes]]  # addresses and bytes
    faults: int
    survivors: list[str]


def attempt(proof: Callable[[], object]) -> Outcome:
    """Tries a proof."""
    started, status, detail = time.process_time(), PROVED, ""
    try:
        proof()
    except Refuted as refuted:
        status, detail = REFUTED, str(refuted)
    except Inconclusive as error:
        status, detail = INCONCLUSIVE, str(error)
    except Exception as error:  # any other exception proves nothing
        status, detail = INCONCLUSIVE, f"{type(error).__name__}: {error}"
    return Outcome(status, detail, time.process_time() - started)


def exit_code(statuses: Iterable[str]) -> int:
    """Returns 0 if everything is proved, 1 if something is refuted, and 2 if nothing is refuted but
    something is not proved."""
    found = set(statuses)
    return 1 if REFUTED in found else 0 if found <= {PROVED} else 2


def prove(name: str, release: Path, steps: Path, faults: int, seed: int, kept: Path) -> Result:
    """Proves the property of this name, of one of two builds, and keeps the result."""
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, resource.RLIM_INFINITY))
    signal.signal(signal.SIGPROF, _out_of_time)
    [one] = [one for one in properties() if one.name == name]
    path = steps if one.step else release
    image = Image(path)
    outcome = attempt(lambda: one.prove(image))
    code = [(instruction.ip, image.read(instruction.ip, instruction.len)) for instruction in image.executed()]
    drawn, survivors = 0, []
    if outcome.status == PROVED and code:
        limit = PATIENCE * (1 + outcome.seconds)
        for fault in draw(image, faults, random.Random(f"{seed} {name}")):
            drawn += 1
            signal.setitimer(signal.ITIMER_PROF, limit)
            try:
                after = attempt(lambda: one.prove(Image(path, {fault.address: bytes([fault.new])})))
            finally:
                signal.setitimer(signal.ITIMER_PROF, 0)
            if after.status == PROVED:
                survivors.append(fault.what)
    if outcome.status == PROVED:
        keep(kept, one, image)
    return Result(name, outcome, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss, code, drawn, survivors)


def _out_of_time(_number: int, _frame: FrameType | None) -> None:
    raise Inconclusive("takes too long")
