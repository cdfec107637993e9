"""Runs properties and mutants, each in a process of its own."""

import time
from dataclasses import dataclass
from pathlib import Path

from prover.failures import Inconclusive, Refuted

from .image import Image
from .mutants import Patch, mutants
from .properties import properties
from .solver import COUNTS, Counts

PROVED, REFUTED, INCONCLUSIVE = "proved", "REFUTED", "INCONCLUSIVE"


@dataclass(frozen=True)
class Result:
    """The result of a proof, and its costs."""

    name: str
    status: str
    detail: str
    seconds: float
    counts: Counts


def prove_property(name: str, path: Path) -> Result:
    """Proves the property of this name."""
    return _prove(name, name, path, {})


def try_mutant(title: str, path: Path) -> Result:
    """Runs the property that should be refuted by the mutant of this title."""
    [one] = [one for one in mutants() if one.title == title]
    try:
        return _prove(title, one.caught_by, path, one.patch(Image(path)))
    except Inconclusive as error:
        return Result(title, INCONCLUSIVE, f"cannot be injected: {error}", 0.0, COUNTS)


def _prove(name: str, property_name: str, path: Path, patch: Patch) -> Result:
    started, status, detail = time.process_time(), PROVED, ""
    [one] = [one for one in properties() if one.name == property_name]
    try:
        one.prove(Image(path, patch))
    except Refuted as refuted:
        status, detail = REFUTED, str(refuted)
    except Exception as error:  # any other exception proves nothing
        status, detail = INCONCLUSIVE, f"{type(error).__name__}: {error}"
    return Result(name, status, detail, time.process_time() - started, COUNTS)
