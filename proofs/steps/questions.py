"""Questions to the solver, and the terms that they are about."""

import itertools
from typing import Any

import z3

from model.image import Inconclusive, Refuted
from model.terms import Word, known, simplified

EFFORT = 300_000_000  # the most steps of the solver for a question
QUICK = 3_000_000  # the most steps to find which claims contradict each other, which takes fewer for most questions
_serial = itertools.count()


def fresh(name: str, width: int = 64) -> z3.BitVecRef:
    """Returns a new unknown."""
    return z3.BitVec(f"{name}!{next(_serial)}", width)


def check(*claims: z3.BoolRef) -> z3.ModelRef | None:
    """Returns an example of which all claims are true, or None if there is none. Paths share most of their conditions, and
    much is proved again on each. So the claims that contradict each other are kept, and any question with all of them is
    answered."""
    ids = {one.get_id() for one in claims}
    kept = _contradictions.setdefault(claims[-1].get_id() if claims else 0, [])
    if any(contradiction.keys() <= ids for contradiction in kept):
        return None
    solver = new_solver(effort=QUICK)
    answer, core = solver.check(*claims), claims
    if answer == z3.sat:
        return solver.model()
    if answer == z3.unsat:
        core = [*solver.unsat_core()] or claims
    elif (model := example_of(new_solver(*claims))) is not None:
        return model
    kept.append({one.get_id(): one for one in core})
    return None


# Sets of claims that are never all true, by the last claim of the question: the claims by their ids, which are theirs as
# long as they are kept.
_contradictions: dict[int, list[dict[int, z3.BoolRef]]] = {}


def new_solver(*claims: z3.BoolRef, effort: int = EFFORT) -> z3.Solver:
    solver = z3.SolverFor("QF_UFBV")
    solver.set("rlimit", effort)
    solver.add(*claims)
    return solver


def example_of(solver: z3.Solver) -> z3.ModelRef | None:
    answer = solver.check()
    if answer == z3.unknown:
        raise Inconclusive(f"the solver has no answer: {solver.reason_unknown()}")
    return solver.model() if answer == z3.sat else None


def prove(claim: z3.BoolRef, what: str, *facts: z3.BoolRef) -> None:
    """Proves a claim for all inputs of which the facts are true. The message names an input for which it is false."""
    if (model := check(*facts, z3.Not(claim))) is not None:
        example = ", ".join(f"{one} = {model[one]}" for one in itertools.islice(model.decls(), 6))
        raise Refuted(f"{what}: {example}")


def only_value(word: Word, *conditions: z3.BoolRef, width: int = 64) -> int:
    """Returns the number that a word is under these conditions."""
    word = simplified(word, width)
    if known(word):
        return word
    if (model := check(*conditions)) is None:
        raise Inconclusive("a path that no input takes")
    value = model.eval(word, model_completion=True).as_long()
    if check(*conditions, word != value) is not None:
        raise Refuted("a number that depends on more of the input")
    return value


def subterms(expression: Any) -> list[z3.ExprRef]:
    """Returns all terms in a term. A number has none."""
    found, pending = dict[int, z3.ExprRef](), [expression] * (not known(expression))
    while pending:
        one = pending.pop()
        if one.get_id() not in found:
            found[one.get_id()] = one
            pending += one.children()
    return list(found.values())


def variables(expression: Any) -> set[z3.ExprRef]:
    """Returns the unknowns of a term."""
    return {one for one in subterms(expression) if z3.is_const(one) and one.decl().kind() == z3.Z3_OP_UNINTERPRETED}
