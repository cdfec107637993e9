"""Runs properties and mutants, each in a process of its own, and says how each ended."""

import resource
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from .artefact import Artefact, Fault
from .catalogue import catalogue
from .cpu import Cpu
from .machine import Machine
from .mutants import mutants
from .outcome import Inconclusive, Refuted

MEMORY = 6 << 30  # address space in bytes that one proof may take: the greatest takes a tenth; a machine is not to run out
PROVED, REFUTED, INCONCLUSIVE = "proved", "REFUTED", "INCONCLUSIVE"


@dataclass(frozen=True)
class Result:
    """How a proof ended, after so many paths and so much processor time, and with how much memory."""

    name: str
    verdict: str
    detail: str
    paths: int
    seconds: float
    kibibytes: int


def prove_property(index: int, path: Path) -> Result:
    """Proves one property of the catalogue."""
    one = list(catalogue())[index]
    return _prove(f"{one.name} ({one.cpu.name})", Artefact(path, Fault()), one.cpu, one.prove, one.runs_code)


def try_mutant(index: int, path: Path) -> Result:
    """Runs one mutant's property, which should be refuted."""
    one = list(mutants())[index]
    name = f"mutant: {one.name}"
    try:
        artefact = Artefact(path, one.fault)
    except LookupError as error:
        return Result(name, INCONCLUSIVE, f"cannot be planted: {error}", 0, 0.0, 0)
    return _prove(name, artefact, one.cpu, one.check)


def _prove(name: str, artefact: Artefact, cpu: Cpu, prove: Callable[[Machine], None], runs_code: bool = True) -> Result:
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, resource.RLIM_INFINITY))
    begun = time.process_time()
    paths = 0
    verdict, detail = PROVED, ""
    try:
        machine = Machine(artefact, cpu)
        prove(machine)
        paths = machine.paths
        if runs_code and not paths:
            raise Inconclusive("no path was run")
    except Refuted as refuted:
        verdict, detail = REFUTED, str(refuted)
    except Exception as error:  # whatever goes wrong, nothing is proved
        verdict, detail = INCONCLUSIVE, f"{type(error).__name__}: {error}"
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return Result(name, verdict, detail, paths, time.process_time() - begun, peak)
