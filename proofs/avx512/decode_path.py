"""Paths of the decoder, which know how far it has come."""

from dataclasses import dataclass
from typing import Any

import z3
from iced_x86 import Instruction

from .machine import CONDITIONS, condition, mnemonic, write
from .memory import Memory, Region
from .path import Path, Store
from .terms import Bit, known, term


@dataclass(frozen=True)
class Progress:
    """`values` values are decoded, from `bytes` bytes."""

    values: z3.BitVecRef
    bytes: z3.BitVecRef


class DecoderPath(Path):
    """A path with the progress of the decoder."""

    def __init__(self, memory: Memory) -> None:
        super().__init__(memory)
        self.progress: Progress | None = None
        self.log: list[Store]

    def copy(self) -> "DecoderPath":
        other = super().copy()
        other.progress = self.progress
        return other

    def assume(self, condition: Bit) -> None:
        """Parts of registers that have no effect on a condition are left out."""
        if not known(condition) and not self.is_length(condition):
            condition = z3.simplify(condition)
        super().assume(condition)

    def executed(self, instruction: Instruction) -> list[Path] | None:
        """A condition about lengths that becomes a number becomes a state for each result."""
        if not mnemonic(instruction).startswith("set"):
            return None
        wanted = condition(self, CONDITIONS[instruction.condition_code])
        if known(wanted) or not self.is_length(wanted):
            return None
        results = []
        for choice, result in ((wanted, 1), (z3.Not(wanted), 0)):
            one = self.copy()
            one.assume(choice)
            if one.is_feasible():
                one.address = instruction.next_ip
                write(one, instruction, 0, result)
                results.append(one)
        return results

    def byte(self, region: Region, offset: Any) -> z3.BitVecRef:
        """Returns a byte of the source."""
        return self.memory.element(region, term(offset, 64))
