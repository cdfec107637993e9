"""Paths of the decoder, which know its progress, with notes of what masks become."""

from dataclasses import dataclass
from typing import Any

import z3
from iced_x86 import Instruction, Mnemonic

from model.failures import Refuted

from .decode_memory import DecoderMemory
from model.instructions import execute
from model.machine import CONDITIONS, State, condition, mnemonic, operand_width, read, write
from .memory import Region
from .path import Path, Store, fresh, fresh_mask
from .solver import is_certain, names, prove
from model.terms import Bit, Bits, Word, bit, known, plain, same_bits, term, to_bits, zero_extend

FEW_BITS = 16  # the zeros of a mask with at most this many unknown bits are a term


@dataclass(frozen=True)
class Field:
    """The result of PEXT (`extracts`) or PDEP with an unknown mask."""

    extracts: bool
    source: list[Bit]
    mask: list[Bit]
    result: list[z3.BoolRef]


@dataclass(frozen=True)
class Zeros:
    """The number of leading or trailing zeros of a mask."""

    bits: list[Bit]
    leading: bool
    count: z3.BitVecRef


@dataclass(frozen=True)
class Progress:
    """`values` values are decoded. They take `bytes` bytes; or, if a value is `pending`, they are those
    that end in `bytes` bytes, and at most HISTORY bytes of the next one have been seen."""

    values: z3.BitVecRef
    bytes: z3.BitVecRef
    pending: bool = False


class DecoderPath(Path):
    """A path with the progress of the decoder, and notes."""

    def __init__(self, memory: DecoderMemory) -> None:
        super().__init__(memory)
        self.fields: list[Field] = []
        self.zeros: list[Zeros] = []
        self.progress: Progress | None = None
        self.failure: tuple[Progress, int, z3.BitVecRef] | None = None  # of a call: its progress, kind and offset
        self.taken: list[int] = []  # the lengths of values after the progress, of which the last bytes were found
        self.forks = True  # Whether a choice by lengths becomes a state for each, if it is possible.
        self.asks = True  # Whether a branch is only taken if it is possible.
        self.log: list[Store]

    def copy(self) -> "DecoderPath":
        other = super().copy()
        other.fields, other.zeros = list(self.fields), list(self.zeros)
        other.progress, other.forks, other.failure = self.progress, self.forks, self.failure
        other.asks, other.taken = self.asks, list(self.taken)
        return other

    def assume(self, condition: Bit) -> None:
        """Parts of registers that have no effect on a condition are left out."""
        if not known(condition) and not self.is_length(condition):
            condition = z3.simplify(condition)
        super().assume(condition)

    def executed(self, instruction: Instruction) -> list[Path] | None:
        if instruction.mnemonic == Mnemonic.LZCNT:
            execute(self, instruction)
            return [self]
        if not self.forks and mnemonic(instruction).startswith(("cmov", "set")):
            return self._choose(instruction)
        if mnemonic(instruction).startswith("set"):
            return self._set_by_condition(instruction)
        return None

    def _choose(self, instruction: Instruction) -> list[Path]:
        """A choice by lengths becomes a new number, the same for the same choice."""
        wanted, number, width = condition(self, CONDITIONS[instruction.condition_code]), None, 8
        if not known(wanted) and self.is_length(wanted):
            values: list[Any] = [1, 0]
            if mnemonic(instruction).startswith("cmov"):
                width = operand_width(instruction, 0)
                values = [plain(read(self, instruction, 1)), plain(read(self, instruction, 0))]
            values = [term(zero_extend(one, width, 64), 64) for one in values]
            if all(self.is_length(one) for one in values):
                number = self._choice(z3.simplify(wanted), *map(z3.simplify, values))
        execute(self, instruction)
        if number is not None:
            write(self, instruction, 0, number if width == 64 else z3.Extract(width - 1, 0, number))
        return [self]

    def _choice(self, wanted: z3.BoolRef, then: z3.BitVecRef, otherwise: z3.BitVecRef) -> z3.BitVecRef:
        key = (wanted.get_id(), then.get_id(), otherwise.get_id())
        if key not in _choices:
            number = fresh("choice")
            _choices[key] = (number, number == z3.If(wanted, then, otherwise), wanted, then, otherwise)
        number, definition, *_ = _choices[key]
        if number.decl().name() not in self.lengths:
            self.lengths.add(number.decl().name())
            self.assume(definition)
        return number

    def is_feasible(self) -> bool:
        """A path that does not ask at branches is asked at its end, in `is_possible`."""
        return not self.asks or super().is_feasible()

    def example(self) -> z3.ModelRef | None:
        """Choices that do not fork are terms for which linear arithmetic is faster."""
        return super().example() if self.forks else None

    def is_possible(self) -> bool:
        return super().is_feasible()

    def _set_by_condition(self, instruction: Instruction) -> list[Path] | None:
        """A condition about lengths becomes a state for each result."""
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

    def extracted(self, source: list[Bit], mask: list[Bit]) -> list[Bit]:
        return self._moved(True, source, mask)

    def deposited(self, source: list[Bit], mask: list[Bit]) -> list[Bit]:
        return self._moved(False, source, mask)

    def _moved(self, extracts: bool, source: list[Bit], mask: list[Bit]) -> list[Bit]:
        result = fresh_mask()
        self.fields.append(Field(extracts, list(source), list(mask), result))
        return list(result)

    def number_of_zeros(self, value: Word | Bits, width: int, leading: bool) -> Word:
        if known(value):
            return State.number_of_zeros(self, value, width, leading)
        bits = [simple(one) for one in (value.bits if isinstance(value, Bits) else _split(value, width))]
        if sum(not known(one) for one in bits) <= FEW_BITS:
            return State.number_of_zeros(self, _joined(bits), width, leading)
        found = next((one for one in self.zeros if one.leading == leading and same_bits(one.bits, bits)), None)
        if found is not None:
            return found.count
        count = self.new_length("zeros")
        self.zeros.append(Zeros(bits, leading, count))
        self.assume(z3.ULE(count, width))
        for load in self.memory.masked if leading and width == 64 else []:
            if self._is_part(bits, load.present):  # The highest bit is one of a byte that was loaded.
                self.assume(z3.ULE(64 - count, self.memory.source_length() - load.offset))
        return count if width == 64 else z3.Extract(width - 1, 0, count)

    def _is_part(self, bits: list[Bit], mask: list[Bit]) -> bool:
        """Whether all bits are in a mask, or were deposited in one."""
        field = next((one for one in self.fields if not one.extracts and same_bits(one.result, bits)), None)
        claims = [implied(one, other) for one, other in zip(field.mask if field else bits, mask, strict=True)]
        return is_certain([], z3.And(*claims))

    def number_of_ones(self, value: Word | Bits, width: int) -> z3.BitVecRef:
        count = super().number_of_ones(value, width)
        bits = [one for one in to_bits(value) if not known(one)] if width == 64 else []
        mentioned = frozenset().union(*map(names, bits))
        conditions = [one for one in self.conditions if names(one) & mentioned and not self.is_length(one)]
        if bits and conditions and is_certain(conditions, z3.Or(*bits)):
            self.assume(z3.UGE(count, 1))
        return count

    def byte(self, region: Region, offset: Any) -> z3.BitVecRef:
        """Returns a byte of the source, with what is known of it."""
        return self.memory._byte(region, z3.simplify(term(offset, 64)), 0).term


# Choices by the ids of their terms. The terms are kept, so that their ids stay theirs.
_choices: dict[tuple[int, int, int], tuple[Any, ...]] = {}


def simple(one: Bit) -> Bit:
    """Returns a bit, known if it is the same for all inputs."""
    if known(one):
        return one
    one = z3.simplify(one)
    return z3.is_true(one) if z3.is_true(one) or z3.is_false(one) else one


def implied(one: Bit, other: Bit) -> z3.BoolRef:
    return z3.Implies(*[z3.BoolVal(bool(bit)) if known(bit) else bit for bit in (one, other)])


def _split(value: z3.BitVecRef, width: int) -> list[Bit]:
    return [bit(width, value, index) for index in range(width)]


def _joined(bits: list[Bit]) -> z3.BitVecRef:
    one, zero = z3.BitVecVal(1, 1), z3.BitVecVal(0, 1)
    return z3.Concat(*[(one if bit else zero) if known(bit) else z3.If(bit, one, zero) for bit in reversed(bits)])


def prove_bits(conditions: list[z3.BoolRef], some: list[Bit], others: list[Bit], what: str) -> None:
    """Proves that two masks are the same. Equal bits are not asked again."""
    for index, (a, b) in enumerate(zip(some, others, strict=True)):
        a, b = simple(a), simple(b)
        if known(a) and known(b):
            if a != b:
                raise Refuted(f"{what}, bit {index}")
        elif known(a) or known(b) or not a.eq(b):
            one, other = (z3.BoolVal(c) if known(c) else c for c in (a, b))
            prove(conditions, one == other, f"{what}, bit {index}")
