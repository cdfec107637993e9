"""Questions to the solver. A claim that is not proved raises an error."""

import itertools
from collections.abc import Sequence
from dataclasses import dataclass

import z3

from model.failures import Inconclusive, Refuted

from .answers import remembered
from .integers import exclude
from model.terms import Bit, known

MILLISECONDS = 120_000


@dataclass
class Counts:
    """What was done so far, for the report."""

    questions: int = 0
    paths: int = 0
    instructions: int = 0
    accesses: int = 0


COUNTS = Counts()


def prove(conditions: Sequence[z3.BoolRef], claim: Bit, what: str, milliseconds: int = MILLISECONDS) -> None:
    """Proves a claim about values."""
    if known(claim):
        if not claim:
            raise Refuted(what)
        return
    COUNTS.questions += 1
    found, reason = _solution([*conditions, z3.Not(claim)], milliseconds)
    if found is not None:
        values = ", ".join(f"{one} = {found[one]}" for one in itertools.islice(found.decls(), 6))
        raise Refuted(f"{what}: {values}")
    if reason:
        raise Inconclusive(f"{what}: {reason}")


def is_certain(conditions: Sequence[z3.BoolRef], claim: z3.BoolRef, milliseconds: int = 5_000) -> bool:
    """Whether a claim about values follows from the conditions, as far as the solver knows soon."""
    found, reason = _solution([*conditions, z3.Not(claim)], milliseconds)
    return found is None and not reason


@remembered
def _solution(conditions: Sequence[z3.BoolRef], milliseconds: int) -> tuple[z3.ModelRef | None, str]:
    """Returns a solution of the conditions, or why it is not known that there is none."""
    solver = z3.SolverFor("QF_BV")
    solver.set("timeout", milliseconds)
    solver.add(*conditions)
    answer = solver.check()
    return solver.model() if answer == z3.sat else None, solver.reason_unknown() if answer == z3.unknown else ""


def follows(conditions: Sequence[z3.BoolRef], claim: Bit) -> bool:
    """Whether a claim about lengths and positions is proved by linear arithmetic."""
    if known(claim):
        return bool(claim)
    simple = z3.simplify(claim)
    if z3.is_true(simple) or z3.is_false(simple):
        return z3.is_true(simple)
    COUNTS.questions += 1
    return exclude([*conditions, z3.Not(claim)])


def prove_lengths(conditions: Sequence[z3.BoolRef], claim: Bit, what: str) -> None:
    """Proves a claim about lengths and positions."""
    if follows(conditions, claim):
        return
    for part in claim.children() if z3.is_expr(claim) and z3.is_and(claim) else [claim]:
        if not follows(conditions, part):
            prove(conditions, part, what, 10_000)


def example(conditions: Sequence[z3.BoolRef], milliseconds: int = MILLISECONDS) -> z3.ModelRef | None:
    """Returns a solution of the conditions, if the solver finds one."""
    COUNTS.questions += 1
    found, _ = _solution(conditions, milliseconds)
    return found


_names: dict[int, tuple[z3.ExprRef, frozenset[str]]] = {}


def names(expression: z3.ExprRef) -> frozenset[str]:
    """Returns the names of the unknowns in a term."""
    key = expression.get_id()
    if key not in _names:
        found, pending, seen = set(), [expression], set()
        while pending:
            one = pending.pop()
            if one.get_id() not in seen:
                seen.add(one.get_id())
                pending.extend(one.children())
                if one.num_args() == 0 and one.decl().kind() == z3.Z3_OP_UNINTERPRETED:
                    found.add(one.decl().name())
        _names[key] = (expression, frozenset(found))  # The term is kept, so that its id stays its own.
    return _names[key][1]
