"""Tries a proof, and says what the results of all proofs mean."""

import time
from collections.abc import Callable, Iterable
from typing import NamedTuple

from model.failures import Inconclusive, Refuted

PROVED, REFUTED, INCONCLUSIVE = "proved", "REFUTED", "not proved"


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


def exit_code(statuses: Iterable[str]) -> int:
    """Returns 0 if everything is proved, 1 if something is refuted, and 2 if nothing is refuted but
    something is not proved."""
    found = set(statuses)
    return 1 if REFUTED in found else 0 if found <= {PROVED} else 2
