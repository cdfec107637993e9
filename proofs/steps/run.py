"""Runs a property and faults in the code that it has executed, in a process of its own."""

import random
import resource
import signal
import time
from collections.abc import Callable, Iterable
from pathlib import Path
from types import FrameType

from model.failures import Inconclusive, Refuted
from model.image import Image

from .faults import draw
from .properties import properties
from .results import Outcome, Result, Results

PROVED, REFUTED, INCONCLUSIVE = "proved", "REFUTED", "not proved"
MEMORY = 6 << 30  # limit of the address space in bytes; the greatest proof takes a tenth
PATIENCE = 10  # a proof with a fault may take this many times the time of the proof, and seconds


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


def prove(name: str, release: Path, steps: Path, faults: int, seed: int, kept: Path, quick: bool = False) -> Result:
    """Proves the property of this name, of one of two builds, and keeps the result. If `quick`, returns the result
    that is kept if everything it depends on is the same."""
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, resource.RLIM_INFINITY))
    signal.signal(signal.SIGPROF, _out_of_time)
    [one] = [one for one in properties() if one.name == name]
    path = steps if one.step else release
    image, results = Image(path), Results(kept)
    if quick and (result := results.load(one, image)):
        return result
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
    memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    result = Result(name, outcome, memory, code, drawn, survivors)
    if outcome.status == PROVED:
        results.save(one, image, result)
    return result


def _out_of_time(_number: int, _frame: FrameType | None) -> None:
    raise Inconclusive("takes too long")
