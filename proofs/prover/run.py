"""Runs properties and mutants, each in a process of its own, and returns their results."""

import resource
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from .artefact import Artefact, Fault
from .catalogue import catalogue
from .cpu import Cpu
from .machine import Machine
from .mutants import mutants
from .failures import Inconclusive
from .trial import INCONCLUSIVE, attempt

MEMORY = 6 << 30  # limit of the address space of a proof, in bytes; the greatest takes a tenth


@dataclass(frozen=True)
class Result:
    """The result of a proof: its status, the number of paths, processor time and memory."""

    name: str
    status: str
    detail: str
    paths: int
    seconds: float
    kibibytes: int


def prove_property(index: int, path: Path) -> Result:
    """Proves one property of the catalogue."""
    one = list(catalogue())[index]
    return _prove(one.title, Artefact(path, Fault()), one.cpu, one.prove, one.runs_code)


def try_mutant(index: int, path: Path) -> Result:
    """Runs the property of one mutant, which should be refuted."""
    one = list(mutants())[index]
    name = f"mutant: {one.name}"
    try:
        artefact = Artefact(path, one.fault)
    except LookupError as error:
        return Result(name, INCONCLUSIVE, f"cannot be injected: {error}", 0, 0.0, 0)
    return _prove(name, artefact, one.cpu, one.check)


def _prove(name: str, artefact: Artefact, cpu: Cpu, prove: Callable[[Machine], None], runs_code: bool = True) -> Result:
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, resource.RLIM_INFINITY))
    paths = 0

    def proof() -> None:
        nonlocal paths
        machine = Machine(artefact, cpu)
        prove(machine)
        paths = machine.paths
        if runs_code and not paths:
            raise Inconclusive("no path was run")

    outcome = attempt(proof)
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return Result(name, outcome.status, outcome.detail, paths, outcome.seconds, peak)
