"""Paths on which a value is encoded without a branch on its length: the number of its leading zeros
selects words in tables.

Such a number has a name, and so has what a table has at an address that depends on it. Each stands
for few numbers, with the condition on the value for each.
"""

from functools import cache
from typing import Any

import z3
from iced_x86 import Instruction, Mnemonic

from model.instructions import execute
from model.machine import State, mnemonic
from .path import Path, fresh
from .solver import COUNTS, names, prove
from model.terms import Bits, Word, as_bytes, known, leading_zeros, plain

Cases = tuple[z3.BitVecRef, dict[int, z3.BoolRef]]  # a name, and the numbers that it stands for, and when


def _zeros(value: z3.BitVecRef, width: int) -> dict[int, z3.BoolRef]:
    """Returns the numbers of leading zeros, and the condition on the value for each."""
    cases = {width - 1 - bit: z3.Extract(width - 1, bit, value) == 1 for bit in reversed(range(width))}
    return cases | {width: value == 0}


@cache
def _prove_zeros(width: int) -> None:
    """Proves that these are the numbers that the instruction has."""
    value = z3.BitVec("any", width)
    number = leading_zeros(width, value)
    same = z3.And(*[condition == (number == zeros) for zeros, condition in _zeros(value, width).items()])
    prove([], same, f"the leading zeros of {width} bits")


class TablePath(Path):
    """`cases` are those of each name. Entries of one byte are lengths of encodings."""

    def __init__(self, memory: Any) -> None:
        super().__init__(memory)
        self.cases: dict[str, Cases] = {}

    def copy(self) -> "TablePath":
        other = super().copy()
        other.cases = dict(self.cases)
        return other

    def executed(self, instruction: Instruction) -> list[Path] | None:
        if instruction.mnemonic in (Mnemonic.LZCNT, Mnemonic.BSR) or mnemonic(instruction).startswith("cmov"):
            execute(self, instruction)
            return [self]
        return None

    def number_of_zeros(self, value: Word | Bits, width: int, leading: bool) -> Word:
        if known(value) or not leading:
            return State.number_of_zeros(self, value, width, leading)
        _prove_zeros(width)
        return self._named(_zeros(plain(value), width), width)

    def _named(self, cases: dict[int, z3.BoolRef], width: int) -> z3.BitVecRef:
        name = fresh("entry", width)
        simple = {number: z3.simplify(condition) for number, condition in cases.items()}
        self.cases[name.decl().name()] = name, {one: when for one, when in simple.items() if not z3.is_false(when)}
        return name

    def looked_up(self, address: z3.BitVecRef, size: int) -> list[Any]:
        mentioned = names(address)
        if len(mentioned) != 1 or not mentioned <= set(self.cases):
            return super().looked_up(address, size)
        name, cases = self.cases[min(mentioned)]
        when: dict[int, list[z3.BoolRef]] = {}
        for number, condition in cases.items():
            at = z3.simplify(z3.substitute(address, (name, z3.BitVecVal(number, name.size()))))
            entry = bytes(self.memory.load(self, at, size))
            when.setdefault(int.from_bytes(entry, "little"), []).append(condition)
        COUNTS.accesses += 1
        found = self._named({entry: z3.Or(*conditions) for entry, conditions in when.items()}, 8 * size)
        if size == 1:
            self.lengths.add(found.decl().name())
            self.assume(z3.And(z3.UGE(found, min(when)), z3.ULE(found, max(when))))
        return as_bytes([found], 8 * size)

    def expanded(self, expression: z3.ExprRef) -> z3.ExprRef:
        pairs = []
        for name, cases in (self.cases[one] for one in names(expression) & set(self.cases)):
            stands_for = z3.BitVecVal(0, name.size())  # Some condition is true.
            for number, condition in cases.items():
                stands_for = z3.If(condition, z3.BitVecVal(number, name.size()), stands_for)
            pairs.append((name, stands_for))
        return z3.substitute(expression, *pairs) if pairs else expression
