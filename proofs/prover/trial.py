"""Tries a proof. Both provers use it."""

import time
from collections.abc import Callable
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
