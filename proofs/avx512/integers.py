"""Lengths and positions as integers: z3's bit-vectors take minutes for long sums, its linear
arithmetic answers at once.

Nothing is lost: a sum of 64 bits is an integer less a multiple of 2^64. A term that is not a sum
may have any value of its width.
"""

from collections.abc import Callable, Sequence
from typing import Any

import z3

from .answers import remembered

MILLISECONDS = 20_000
SUMS = (z3.Z3_OP_BADD, z3.Z3_OP_BSUB, z3.Z3_OP_BMUL, z3.Z3_OP_BNEG, z3.Z3_OP_BNOT)


Sum = tuple[dict[int, tuple[z3.BitVecRef, int]], int]  # by the id of a term: the term and its factor; a constant
Facts = dict[int, z3.BoolRef]  # by their ids


@remembered
def exclude(conditions: Sequence[z3.BoolRef], milliseconds: int = MILLISECONDS) -> bool:
    """Whether the conditions exclude one another. False means that this is not known."""
    claims, facts = _INTEGERS.translated(conditions)
    solver = z3.SolverFor("QF_LIA")  # This takes half the time of the general solver.
    solver.set("timeout", milliseconds)
    solver.add(*facts, *claims)
    return solver.check() == z3.unsat


class _Integers:
    """Translates conditions, each of them once. The facts are what is known of the integers."""

    def __init__(self) -> None:
        self._facts: Facts = {}  # of the term that is translated
        # By the id of a term, and by the number of bits by which it is shifted. The terms are kept, and
        # thus their ids.
        self._known: dict[tuple[int, int | None], tuple[z3.ExprRef, z3.ExprRef, Facts]] = {}
        self._count = 0

    def translated(self, conditions: Sequence[z3.BoolRef]) -> tuple[list[z3.BoolRef], list[z3.BoolRef]]:
        """Returns the conditions about integers, and what is known of these."""
        self._facts = {}
        return [self._once(condition, self._claim) for condition in conditions], list(self._facts.values())

    def _once(self, term: z3.ExprRef, translate: Callable[[Any], z3.ExprRef], shift: int | None = None) -> z3.ExprRef:
        key = term.get_id(), shift
        if key not in self._known:
            outer, self._facts = self._facts, {}
            new = translate(term)
            self._known[key] = (term, new, self._facts)
            self._facts = outer
        _, new, facts = self._known[key]
        self._facts |= facts
        return new

    def _claim(self, condition: z3.BoolRef) -> z3.BoolRef:
        """Translates a condition. One that is not about numbers may be true or false."""
        kind = condition.decl().kind()
        children = condition.children()
        if kind in (z3.Z3_OP_TRUE, z3.Z3_OP_FALSE):
            return condition
        if kind == z3.Z3_OP_NOT:
            return z3.Not(self._claim(children[0]))
        if kind in (z3.Z3_OP_AND, z3.Z3_OP_OR, z3.Z3_OP_IMPLIES):
            operator = {z3.Z3_OP_AND: z3.And, z3.Z3_OP_OR: z3.Or, z3.Z3_OP_IMPLIES: z3.Implies}[kind]
            return operator(*[self._claim(child) for child in children])
        if children and z3.is_bv(children[0]):
            comparisons = {
                z3.Z3_OP_ULEQ: lambda a, b: a <= b,
                z3.Z3_OP_ULT: lambda a, b: a < b,
                z3.Z3_OP_UGEQ: lambda a, b: a >= b,
                z3.Z3_OP_UGT: lambda a, b: a > b,
                z3.Z3_OP_EQ: lambda a, b: a == b,
                z3.Z3_OP_DISTINCT: lambda a, b: a != b,
            }
            if kind in comparisons:
                return comparisons[kind](*[self.word(child) for child in children])
        self._count += 1
        return z3.Bool(f"any{self._count}")

    def word(self, word: z3.BitVecRef) -> z3.ArithRef:
        """Translates a term to an integer of its range."""
        return self._once(word, self._new_word)

    def _fact(self, fact: z3.BoolRef) -> None:
        self._facts[fact.get_id()] = fact

    def _new(self, below: int) -> z3.ArithRef:
        self._count += 1
        new = z3.Int(f"n{self._count}")
        self._fact(z3.And(new >= 0, new < below))
        return new

    def _multiple(self) -> z3.ArithRef:
        self._count += 1
        return z3.Int(f"q{self._count}")

    def _new_word(self, word: z3.BitVecRef) -> z3.ArithRef:
        kind, width, children = word.decl().kind(), word.size(), word.children()
        if z3.is_bv_value(word):
            return z3.IntVal(word.as_long())
        if kind in SUMS:
            factors, constant = _sum(word)
            if list(factors) != [word.get_id()]:
                result = self._new(1 << width)
                total = z3.Sum([factor * self.word(one) for one, factor in factors.values()] + [z3.IntVal(constant)])
                self._fact(result == total - (1 << width) * self._multiple())
                return result
        if kind == z3.Z3_OP_ITE:
            result = self._new(1 << width)
            then, otherwise = result == self.word(children[1]), result == self.word(children[2])
            self._fact(z3.If(self._claim(children[0]), then, otherwise))
            return result
        if kind == z3.Z3_OP_BLSHR and z3.is_bv_value(children[1]) and children[1].as_long() < width:
            return self._quotient(self.word(children[0]), 1 << children[1].as_long(), 1 << width)
        if kind == z3.Z3_OP_BAND and len(children) == 2:
            for mask, other in (children, reversed(children)):
                ones = mask.as_long() if z3.is_bv_value(mask) else 0
                lowest = ones & -ones
                if ones and (below := ones + lowest) & (below - 1) == 0:  # The ones are next to one another.
                    rest = self._new(below // lowest)
                    cut = self._new(lowest) if lowest > 1 else z3.IntVal(0)
                    self._fact(self.word(other) == cut + lowest * rest + below * self._multiple())
                    return lowest * rest
        if kind == z3.Z3_OP_BOR and len(children) == 2:  # At least each of the two, at most their sum.
            result, one, other = self._new(1 << width), *map(self.word, children)
            self._fact(z3.And(result >= one, result >= other, result <= one + other))
            return result
        if kind == z3.Z3_OP_ZERO_EXT:
            return self.word(children[0])
        if kind == z3.Z3_OP_CONCAT:
            total, shift = z3.IntVal(0), width
            for child in children:
                shift -= child.size()
                total = total + (1 << shift) * self.word(child)
            return total
        if kind == z3.Z3_OP_EXTRACT:
            high, low = word.params()
            result = self._new(1 << high - low + 1)
            upper = self._without_low_bits(children[0], low)
            self._fact(upper == result + (1 << high - low + 1) * self._multiple())
            return result
        return self._new(1 << width)

    def _without_low_bits(self, word: z3.BitVecRef, low: int) -> z3.ArithRef:
        """Returns a word shifted right, or a number that differs by a multiple of 2^(width - low). A sum is
        shifted term by term if only one term has low bits, so that the same bits of that term are the
        same number in other sums."""
        factors, constant = _sum(word)
        cut = [one for one, factor in factors.values() if factor % (1 << low)]
        if constant % (1 << low) or len(cut) > 1 or any(factors[one.get_id()][1] != 1 for one in cut):
            return self._shifted(word, low)
        rest = [(factor >> low, one) for one, factor in factors.values() if factor % (1 << low) == 0]
        parts = [
            factor * (self._without_low_bits(one.arg(0), 0) if _is_low_part(one) else self.word(one))
            for factor, one in rest
        ]
        return z3.Sum([self._shifted(one, low) for one in cut] + parts + [z3.IntVal(constant >> low)])

    def _shifted(self, word: z3.BitVecRef, low: int) -> z3.ArithRef:
        """Returns the same for a term."""
        if _is_low_part(word):
            return self._without_low_bits(word.arg(0), low)
        return self._once(word, lambda one: self._quotient(self.word(one), 1 << low, 1 << one.size()), low)

    def _quotient(self, number: z3.ArithRef, divisor: int, below: int) -> z3.ArithRef:
        result = self._new(below // divisor)
        self._fact(z3.And(result * divisor <= number, number < result * divisor + divisor))
        return result


def _is_low_part(word: z3.BitVecRef) -> bool:
    return word.decl().kind() == z3.Z3_OP_EXTRACT and word.params()[1] == 0


def _sum(word: z3.BitVecRef) -> Sum:
    """Returns a term as a sum of multiples."""
    kind, children = word.decl().kind(), word.children()
    if z3.is_bv_value(word):
        return {}, word.as_signed_long()
    if kind in (z3.Z3_OP_BADD, z3.Z3_OP_BSUB):
        total, constant = {}, 0
        for index, child in enumerate(children):
            sign = -1 if kind == z3.Z3_OP_BSUB and index else 1
            factors, one = _sum(child)
            constant += sign * one
            for key, (term, factor) in factors.items():
                total[key] = (term, total.get(key, (term, 0))[1] + sign * factor)
        return total, constant
    if kind == z3.Z3_OP_BNEG:
        return _times(_sum(children[0]), -1)
    if kind == z3.Z3_OP_BNOT:  # -x - 1
        factors, constant = _times(_sum(children[0]), -1)
        return factors, constant - 1
    if kind == z3.Z3_OP_BMUL and len(children) == 2:
        for one, other in (children, reversed(children)):
            if z3.is_bv_value(one):
                return _times(_sum(other), one.as_signed_long())
    return {word.get_id(): (word, 1)}, 0


def _times(sum_: Sum, by: int) -> Sum:
    factors, constant = sum_
    return {key: (term, factor * by) for key, (term, factor) in factors.items()}, constant * by


_INTEGERS = _Integers()
