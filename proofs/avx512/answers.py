"""Answers of the solver. Paths ask the same questions: those of values with different bits, but of one
length, have the same conditions about lengths."""

from collections.abc import Callable, Sequence
from functools import wraps
from typing import Any, TypeVar

import z3

Answer = TypeVar("Answer")


def remembered(ask: Callable[..., Answer]) -> Callable[..., Answer]:
    """Makes a function of conditions, and of other arguments that can be compared, ask each question
    once. The order of the conditions does not matter."""
    answers: dict[tuple[Any, ...], tuple[Answer, tuple[z3.BoolRef, ...]]] = {}

    @wraps(ask)
    def answer(conditions: Sequence[z3.BoolRef], *others: Any) -> Answer:
        key = frozenset(one.get_id() for one in conditions), *others
        if key not in answers:
            answers[key] = ask(conditions, *others), tuple(conditions)  # They are kept, and thus their ids.
        return answers[key][0]

    return answer
