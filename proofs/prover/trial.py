"""Tries a proof, and keeps the list of what a prover proves up to date. Both provers use it."""

import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import NamedTuple

from .failures import Inconclusive, Refuted

PROVED, REFUTED, INCONCLUSIVE = "proved", "REFUTED", "INCONCLUSIVE"


class Outcome(NamedTuple):
    """How a proof ended, and the processor time that it took."""

    status: str
    detail: str
    seconds: float


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


def check_list(names: Sequence[str], file: Path, write: bool) -> bool:
    """Returns whether a file lists the names of all properties, and writes it first if asked to.
    Programs without the provers read the list: a test compares it with docs/trust-inventory.md."""
    text = "".join(f"{name}\n" for name in names)
    if write:
        file.write_text(text)
    if not file.is_file() or file.read_text() != text:
        print(f"{file} is out of date; --write-list writes it")
        return False
    return True
