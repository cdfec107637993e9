"""A path through the code: a state with its conditions, its stores, and notes of what new names
stand for."""

import itertools
from dataclasses import dataclass
from typing import Any

import z3
from iced_x86 import Instruction

from model.failures import Refuted

from .integers import exclude
from model.machine import State
from .solver import example, follows, names
from model.terms import Bit, Bits, Byte, Word, as_bytes, known, same_bits, same_bytes, to_bits

_numbers = itertools.count()


def fresh(name: str, width: int = 64) -> z3.BitVecRef:
    """Returns a new unknown."""
    return z3.BitVec(f"{name}#{next(_numbers)}", width)


def fresh_vector() -> list[Byte]:
    return as_bytes([fresh("vector") for _ in range(8)], 64)


def fresh_mask() -> list[z3.BoolRef]:
    number = next(_numbers)
    return [z3.Bool(f"mask#{number}_{index}") for index in range(64)]


@dataclass(frozen=True)
class Pack:
    """The result of VPCOMPRESSB: `result` is the bytes of `source` whose bits are set, then zeros."""

    bits: list[Bit]
    source: list[Any]
    result: list[Byte]


@dataclass(frozen=True)
class Store:
    """A store to a region, at an offset. `bits` is the write mask."""

    region: str
    offset: z3.BitVecRef
    bytes: list[Any]
    bits: list[Bit] | None


@dataclass(frozen=True)
class Encoded:
    """A call that has encoded `values` values to `length` bytes at an offset."""

    offset: z3.BitVecRef
    values: z3.BitVecRef
    length: z3.BitVecRef


@dataclass(frozen=True)
class Rest:
    """A call that has encoded all values from a progress on, or has found that they do not fit. Its
    result is what it returns."""

    done: z3.BitVecRef
    written: z3.BitVecRef
    result: list[z3.BitVecRef]


class Path(State):
    """`lengths` are the names of unknown lengths and positions: conditions about these alone are
    `length_conditions`. `phase` tells apart the visits of a loop that are treated separately."""

    def __init__(self, memory: Any) -> None:
        super().__init__(memory)
        self.conditions: list[z3.BoolRef] = []
        self.lengths: set[str] = set()
        self.packs: list[Pack] = []
        self.counts: list[tuple[list[Bit], z3.BitVecRef]] = []
        self.log: list[Store | Encoded | Rest] = []
        self.phase: tuple[int, ...] = ()
        self._example: z3.ModelRef | None = None

    def copy(self) -> "Path":
        other = type(self)(self.memory.copy())
        other.general, other.vectors = list(self.general), list(self.vectors)
        other.masks, other.flags = list(self.masks), dict(self.flags)
        other.address, other.phase = self.address, self.phase
        other.conditions, other.lengths = list(self.conditions), set(self.lengths)
        other.packs, other.counts = list(self.packs), list(self.counts)
        other.log, other._example = list(self.log), self._example
        return other

    def assume(self, condition: Bit) -> None:
        if not known(condition):
            self.conditions.append(condition)
        elif not condition:
            self.conditions.append(z3.BoolVal(False))

    def executed(self, instruction: Instruction) -> list["Path"] | None:
        """Returns the states after an instruction that this kind of path executes in its own way."""
        return None

    def looked_up(self, address: z3.BitVecRef, size: int) -> list[Any]:
        """Returns what a table of the library has at an unknown address."""
        raise Refuted(f"before {self.address:#x}: reads {size} bytes at any address: {address}")

    def expanded(self, expression: z3.ExprRef) -> z3.ExprRef:
        """Returns a term in which the names of what tables have are replaced by what they stand for."""
        return expression

    def length_conditions(self) -> list[z3.BoolRef]:
        return [condition for condition in self.conditions if self.is_length(condition)]

    def is_length(self, expression: z3.ExprRef) -> bool:
        return names(expression) <= self.lengths

    def example(self) -> z3.ModelRef | None:
        """Returns a solution of the conditions about lengths, if the solver finds one soon."""
        conditions = self.length_conditions()
        if self._example is None or not all(_is_true(self._example, condition) for condition in conditions):
            self._example = example(conditions, 1_000)
        return self._example

    def is_feasible(self) -> bool:
        """Whether the conditions about lengths are not known to exclude one another."""
        return self.example() is not None or not exclude(self.length_conditions(), 3_000)

    def follows(self, claim: Bit) -> bool:
        """Whether a claim about lengths and positions is proved by linear arithmetic."""
        found = None if known(claim) else self.example()
        if found is not None and not _is_true(found, claim):
            return False
        return follows(self.length_conditions(), claim)

    def new_length(self, name: str) -> z3.BitVecRef:
        length = fresh(name)
        self.lengths.add(length.decl().name())
        return length

    def compressed(self, bits: list[Bit], source: list[Any]) -> list[Any]:
        number = next(_numbers)
        result = [Byte(z3.BitVec(f"pack#{number}_{index}", 8)) for index in range(64)]
        self.packs.append(Pack(list(bits), list(source), result))
        return list(result)

    def number_of_ones(self, value: Word | Bits, width: int) -> z3.BitVecRef:
        bits = to_bits(value if width == 64 else z3.ZeroExt(64 - width, value))
        for others, count in self.counts:
            if same_bits(bits, others):
                return count
        count = self.new_length("count")
        self.counts.append((bits, count))
        possible = sum(1 for bit in bits if not known(bit) or bit)
        self.assume(z3.ULE(count, possible))
        self.assume(z3.UGE(count, sum(1 for bit in bits if known(bit) and bit)))
        return count

    def pack_of(self, source: list[Any]) -> Pack | None:
        """Returns the pack that these bytes are the result of."""
        return next((pack for pack in self.packs if same_bytes(pack.result, source)), None)

    def count_of(self, bits: list[Bit]) -> z3.BitVecRef | None:
        """Returns the name of the number of set bits."""
        return next((count for others, count in self.counts if same_bits(bits, others)), None)


def _is_true(model: z3.ModelRef, condition: z3.BoolRef) -> bool:
    return z3.is_true(model.eval(condition, model_completion=True))
