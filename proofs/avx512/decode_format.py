"""The format of one value, as `steps/wire.py` decodes it, in terms of z3."""

from functools import cache
from typing import Any

import z3

from steps import wire
from steps.wire import OK, Integer

from .solver import prove
from model.terms import Bit


def unknown_bytes(count: int) -> list[z3.BitVecRef]:
    """Returns the names of the bytes in the formulas below."""
    return [z3.BitVec(f"encoded_{index}", 8) for index in range(count)]


@cache
def _outcome(count: int, integer: Integer, canonical: bool) -> tuple[z3.ExprRef, z3.ExprRef, z3.ExprRef]:
    outcome = wire.decoded(unknown_bytes(count), z3.BitVecVal(count, 64), integer, canonical)
    return z3.simplify(outcome.kind), z3.simplify(outcome.at), z3.simplify(outcome.value)


def decodes_to(source: list[Any], integer: Integer, canonical: bool, value: z3.BitVecRef) -> z3.BoolRef:
    """Whether these bytes, all of them, are the encoding of a value."""
    kind, at, specified = (_of(one, source) for one in _outcome(len(source), integer, canonical))
    return z3.And(kind == OK, at == len(source), specified == value)


def fails(source: list[Any], integer: Integer, canonical: bool, kind: int, at: int) -> z3.BoolRef:
    """Whether decoding these bytes gives this error."""
    specified, offset, _ = (_of(one, source) for one in _outcome(len(source), integer, canonical))
    return z3.And(specified == kind, offset == at)


def _of(formula: z3.ExprRef, source: list[Any]) -> z3.ExprRef:
    return z3.substitute(formula, *zip(unknown_bytes(len(source)), source, strict=True)) if source else formula


def prove_prefixes(integer: Integer) -> None:
    """Proves that the outcome does not depend on bytes after those that decide it: what is not truncated
    has the same outcome with one byte more, and from the longest encoding on there is no more byte."""
    for canonical in (False, True):
        for count in range(integer.longest):
            short, long = (_outcome(length, integer, canonical) for length in (count, count + 1))
            same: list[Bit] = [a == b for a, b in zip(short[:2], long[:2], strict=True)]
            same.append(z3.Or(short[0] != OK, short[2] == long[2]))
            claim = z3.Implies(short[0] != wire.TRUNCATED, z3.And(*same))
            prove([], claim, f"{integer.name}: {count} bytes decide the outcome, and one more changes it")
        more, all_ = (_outcome(length, integer, canonical) for length in (integer.longest, integer.longest + 1))
        claim = z3.And(more[0] == all_[0], more[1] == all_[1], z3.Or(more[0] != OK, more[2] == all_[2]))
        prove([], claim, f"{integer.name}: a byte after the longest encoding changes the outcome")
