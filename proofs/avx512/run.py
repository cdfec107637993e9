"""Runs properties and mutants, each in a process of its own."""

from dataclasses import dataclass
from pathlib import Path

from model.failures import Inconclusive
from steps.trial import INCONCLUSIVE, attempt

from model.image import Image
from .mutants import Patch, mutants
from .properties import properties
from .solver import COUNTS, Counts


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
    [one] = [one for one in properties() if one.name == property_name]
    return Result(name, *attempt(lambda: one.prove(Image(path, patch))), COUNTS)
