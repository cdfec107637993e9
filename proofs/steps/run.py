"""Runs a property in a process of its own, also with faults and gaps. A proof that cannot fail would prove nothing."""

import random
import re
import resource
import signal
import time
import traceback
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from types import FrameType

from model.image import Image, Inconclusive, Refuted

from .faults import draw, draw_gap, gap
from .executor import RETURN
from .properties import properties
from .results import Trace, keep, trace

PROVED, REFUTED, INCONCLUSIVE = "proved", "REFUTED", "not proved"
MEMORY = 6 << 30  # limit of the address space in bytes; the greatest proof takes a tenth
# How arguments and results are passed depends on the compiler, and contracts state it.
COMPILER = "rustc version 1.95."
PATIENCE = 3  # a proof with a fault may take this many times the time of the proof, and seconds


@dataclass
class Result:
    """How a proof ended, the processor time and memory that it took, what it was about, how many places could have a gap,
    and which faults and gaps survive."""

    status: str
    detail: str
    seconds: float
    name: str = ""
    kibibytes: int = 0
    trace: Trace = field(default_factory=lambda: Trace([], {}, {}))
    places: int = 0
    faults: int = 0
    survivors: list[str] = field(default_factory=list)
    gaps: int = 0
    unnoticed: list[str] = field(default_factory=list)


def attempt(proof: Callable[[], object]) -> Result:
    """Tries a proof."""
    started, status, detail = time.process_time(), PROVED, ""
    try:
        proof()
    except Refuted as refuted:
        status, detail = REFUTED, str(refuted)
    except Exception as error:  # Any other exception proves nothing.
        status, detail = INCONCLUSIVE, str(error)
        if not isinstance(error, Inconclusive):
            where = traceback.extract_tb(error.__traceback__)[-1]
            detail = f"{Path(where.filename).name}:{where.lineno}: ended by {type(error).__name__}: {error}"
    return Result(status, detail, time.process_time() - started)


def prove(name: str, paths: Mapping[str, Path], kept: Path, faults: int, seed: int) -> Result:
    """Proves the property of this name, of one of these builds, and keeps the result."""
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, resource.RLIM_INFINITY))
    signal.signal(signal.SIGPROF, _out_of_time)
    [one] = [one for one in properties() if one.name == name]
    path = paths[one.build]
    image = Image(path)
    with gap() as found:
        result = attempt(lambda: one.check(image))
    result.name, result.trace, result.places = name, trace(image), len(found)
    result.detail = re.sub("^(?:at|near) (0x[0-9a-f]+)", lambda place: _place(image, *place.group(0, 1)), result.detail)
    if result.status == REFUTED and not image.compiler.startswith(COMPILER):
        result.status = INCONCLUSIVE
        result.detail += f"\nor {image.compiler} passes this in another way: the contracts are for {COMPILER}"
    if result.status == PROVED:
        source = random.Random(f"{seed} {name}")

        def is_proved(image: Image) -> bool:
            signal.setitimer(signal.ITIMER_PROF, PATIENCE * (1 + result.seconds))
            after = attempt(lambda: one.check(image))
            signal.setitimer(signal.ITIMER_PROF, 0)
            return after.status == PROVED

        for result.faults, (what, address, new) in enumerate(draw(image, faults, source), 1):
            result.survivors += [what] * is_proved(Image(path, {address: bytes([new])}))
        for result.gaps in range(1, faults * bool(found) + 1):
            with gap(what := draw_gap(found, source)):
                result.unnoticed += [what] * is_proved(Image(path))
        if not result.unnoticed:
            keep(kept, one, image)
    result.kibibytes = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return result


def _place(image: Image, text: str, address: str) -> str:
    """Returns the text of a place with the function."""
    at = int(address, 16)
    function = image.around(at)
    return f"{text} in {function.name}" if function else "at the end" if at == RETURN else text


def _out_of_time(_number: int, _frame: FrameType | None) -> None:
    raise Inconclusive("takes too long")
