"""Paths of functions that add up a number of each element of a slice.

The sum is a function of an offset: the total of all elements before it. Nothing else is known of it
than what follows from its definition for the elements that a path reads.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import z3
from iced_x86 import Instruction, Mnemonic

from steps.failures import Inconclusive, Refuted

from .instructions import execute
from .integers import SUMS, exclude
from .machine import GENERAL_REGISTERS, is_register, read, select
from .memory import Memory
from .path import Path, fresh
from .solver import COUNTS, names, prove, prove_lengths
from .sum_job import WIDTH, Job
from .terms import Bit, Bits, Word, bit, choose, known, plain, same_bits, term, to_bits

MILLISECONDS = 4_000  # for a question whose answer is probably no
MOST_VALUES = 64  # of a number that becomes a state for each value
PARTS = (*SUMS, z3.Z3_OP_CONCAT, z3.Z3_OP_ZERO_EXT, z3.Z3_OP_EXTRACT)  # of what sums consist


@dataclass(frozen=True)
class Read:
    """A read of elements, or of unknown ones in the turns of a loop. If only the first elements are read,
    `bits` tells which."""

    start: z3.BitVecRef
    end: z3.BitVecRef
    elements: tuple[z3.BitVecRef, ...] = ()
    bits: tuple[z3.BoolRef, ...] | None = None


class Elements(Memory):
    """A memory that tells the path which elements it has read."""

    def load(self, path: "SumPath", address: Any, size: int) -> list[Any]:
        loaded = super().load(path, address, size)
        source = path.job.source
        if not known(address) and source.name in names(address):
            whole = [byte for byte in loaded if byte.index == 0]
            if loaded[0].index != 0 or source.element * len(whole) != size:
                raise Inconclusive(f"at {path.address:#x}: reads parts of elements")
            start = z3.simplify(address - source.start)
            path.read(Read(start, z3.simplify(start + size), tuple(byte.term for byte in whole)))
        return loaded

    def load_masked(self, path: "SumPath", address: Any, bits: list[Bit]) -> list[Any]:
        """Loads the first bytes, of which the number may be unknown."""
        if all(map(known, bits)):
            return super().load_masked(path, address, bits)
        size, source = path.size_of(bits), path.job.source
        if size is None or source.element != 1 or source.name not in names(address):
            raise Inconclusive(f"before {path.address:#x}: a load with another mask")
        start, whole = z3.simplify(address - source.start), source.size
        COUNTS.accesses += 1
        if self.checked:
            within = z3.And(z3.ULE(start, whole), z3.ULE(size, whole - start))
            prove_lengths(path.length_conditions(), within, f"before {path.address:#x}: reads outside {source.name}")
        loaded = [self._byte(source, start, index) for index in range(len(bits))]
        path.read(Read(start, z3.simplify(start + size), tuple(byte.term for byte in loaded), tuple(bits)))
        return select(bits, loaded, [0] * len(bits), 1)


class SumPath(Path):
    """A path that knows which elements it has read."""

    def __init__(self, memory: Elements) -> None:
        super().__init__(memory)
        self.job: Job
        self.reads: list[Read] = []
        zero = z3.BitVecVal(0, 64)
        self._totals: list[tuple[z3.BitVecRef, z3.BitVecRef]] = [(zero, zero)]  # by offset
        self._numbers: dict[str, z3.BitVecRef] = {}  # by element
        self._masks: list[tuple[list[z3.BoolRef], z3.BitVecRef]] = []  # of lowest bits, and their number
        self._deposits: list[tuple[list[z3.BoolRef], z3.BitVecRef]] = []  # of one bit, and its place

    def copy(self) -> "SumPath":
        other = super().copy()
        other.job, other.reads, other._totals = self.job, list(self.reads), list(self._totals)
        other._numbers, other._masks, other._deposits = dict(self._numbers), list(self._masks), list(self._deposits)
        return other

    def assume(self, condition: Bit) -> None:
        """Masks of constants become parts of words, which linear arithmetic knows."""
        super().assume(condition if known(condition) else z3.simplify(condition))

    def read(self, one: Read) -> None:
        self.reads.append(one)
        for offset in (one.start, one.end):
            self.total(offset)

    # The sum.

    def total(self, offset: Any) -> z3.BitVecRef:
        """Returns the sum of all elements before an offset."""
        offset = z3.simplify(term(offset, 64))
        for other, total in self._totals:
            if other.eq(offset):
                return total
        self._totals.append((offset, self.new_length("total")))
        return self._totals[-1][1]

    def between(self, start: Any, end: Any) -> z3.BitVecRef:
        """Returns the sum of the elements between two offsets, of which the second is not less, with what
        is known of its size."""
        total, size = self.total(end) - self.total(start), z3.ZeroExt(WIDTH, z3.simplify(end - start))
        numbers = self.job.size * z3.ZeroExt(WIDTH, total)
        bounds = z3.ULE(self.job.least * size, numbers), z3.ULE(numbers, self.job.most * size)
        self.conditions.append(z3.Implies(z3.ULE(start, end), z3.And(*bounds)))
        return total

    def settle(self) -> None:
        """Assumes that the sums at offsets that are now known to be equal are equal."""
        for index, (offset, total) in enumerate(self._totals):
            for other, same in self._totals[:index]:
                if not total.eq(same) and self._is_same(offset, other):
                    self.conditions.append(total == same)

    def _is_same(self, one: z3.BitVecRef, other: z3.BitVecRef) -> bool:
        """Whether two words are known to be equal. If it takes long, they are probably not."""
        differ, found = one != other, self.example()
        if found is not None and z3.is_true(found.eval(differ, model_completion=True)):
            return False
        return exclude([*self.length_conditions(), differ], MILLISECONDS)

    def number(self, element: z3.BitVecRef) -> z3.BitVecRef:
        """Returns the number of an element that was read."""
        name = element.decl().name()
        if name not in self._numbers:
            found = self._read_of(element)
            for one in found.elements:
                number = self._numbers[one.decl().name()] = z3.BitVec(f"number of {one.decl().name()}", WIDTH)
                self.lengths.add(number.decl().name())
                self.conditions.append(z3.And(z3.ULE(self.job.least, number), z3.ULE(number, self.job.most)))
            parts = [z3.ZeroExt(64 - WIDTH, self._numbers[one.decl().name()]) for one in found.elements]
            self.conditions.append(self.total(found.end) == self.total(found.start) + z3.Sum(parts))
        return self._numbers[name]

    def _read_of(self, element: z3.BitVecRef) -> Read:
        for one in reversed(self.reads):
            if any(element.eq(other) for other in one.elements):
                return one
        raise Refuted(f"{element} is no element that was read")

    def in_numbers(self, word: Word, width: int = 64) -> z3.BitVecRef:
        """Returns a word in which functions of one element each are replaced by the numbers of these
        elements, after a proof that they are equal up to a constant and the sign."""
        word = term(plain(word), width)
        pairs = [(one, self._by_number(one)) for one in self._functions(word)]
        return z3.simplify(z3.substitute(word, *pairs)) if pairs else z3.simplify(word)

    def _functions(self, word: z3.BitVecRef) -> Iterator[z3.BitVecRef]:
        mentioned = names(word)
        if mentioned <= self.lengths:
            return
        if len(mentioned) == 1:
            yield word
        elif word.decl().kind() in PARTS:
            for child in word.children():
                yield from self._functions(child)
        else:
            raise Refuted(f"not a sum of numbers: {sorted(mentioned)[:4]}")

    def _by_number(self, word: z3.BitVecRef) -> z3.BitVecRef:
        [name] = names(word)
        element, width = z3.BitVec(name, self.job.bits), word.size()
        number = self.number(element)
        constant, sign = _linear(self.job, z3.substitute(word, (element, self.job.element)))
        return constant + sign * z3.ZeroExt(width - WIDTH, number)

    def constant(self, word: z3.BitVecRef) -> int | None:
        """Returns a word as a signed number, if the conditions allow only one."""
        word = z3.simplify(word)
        if not z3.is_bv_value(word):
            found = self.example() if self.is_length(word) else None
            value = None if found is None else found.eval(word, model_completion=True)
            if value is None or not self._is_same(word, value):
                return None
            word = value
        return word.as_signed_long()

    # Masks of elements.

    def number_of_ones(self, value: Word | Bits, width: int) -> z3.BitVecRef:
        """Returns the sum of the elements of a read, after a proof that the bits of a mask are their
        numbers."""
        found = self._read_of_mask(to_bits(value))
        total = self.between(found.start, found.end)
        self.conditions.append(z3.ULE(found.start, found.end))  # The read is within the slice.
        return z3.simplify(total)

    def _read_of_mask(self, bits: list[Bit]) -> Read:
        """Returns the read of which a mask has the numbers."""
        mentioned = frozenset() if known(bits[0]) else names(bits[0]) - self.lengths
        if len(mentioned) != 1:
            raise Refuted("a mask with other bits is counted")
        found = self._read_of(z3.BitVec(next(iter(mentioned)), self.job.bits))
        bits_read = found.bits or [True] * len(found.elements)
        for index, one in enumerate(bits):
            if index >= len(found.elements):
                is_right = known(one) and not one
            else:
                element = found.elements[index]
                word = choose(WIDTH, one, 1, 0), choose(WIDTH, bits_read[index], self.job.number(element), 0)
                is_right = _are_equal(*[z3.substitute(each, (element, self.job.element)) for each in word])
            if not is_right:
                raise Refuted(f"bit {index} of a mask is not the number of its element")
        return found

    def deposited(self, source: list[Bit], mask: list[Bit]) -> list[Bit]:
        """Returns a new word, of which one bit is set at most."""
        new = [z3.Bool(f"{fresh('deposit')}_{index}") for index in range(64)]
        rank = _shift_of_one(source)
        found = self._read_of_mask(mask)
        # The place of the bit of that rank: an element whose number is one, with `rank` of them before it.
        if not self.follows(z3.ULT(rank, self.between(found.start, found.end))):
            raise Refuted("a bit is deposited where the mask has none")
        place = self.new_length("place")
        at = z3.simplify(found.start + place)
        self.conditions.append(z3.ULT(place, found.end - found.start))
        self.conditions.append(self.total(at) == self.total(found.start) + rank)
        self.conditions.append(self.total(at + 1) == self.total(at) + 1)
        self._deposits.append((new, place))
        return list(new)

    def number_of_zeros(self, value: Word | Bits, width: int, leading: bool) -> Word:
        if isinstance(value, Bits) and not leading:
            for bits, place in self._deposits:
                if same_bits(bits, value.bits):
                    return place
        return super().number_of_zeros(value, width, leading)

    def size_of(self, mask: list[Bit]) -> z3.BitVecRef | None:
        """Returns the number of bits of a mask whose lowest bits are set, and no others."""
        return next((size for bits, size in self._masks if same_bits(bits, mask)), None)

    def executed(self, instruction: Instruction) -> list[Path] | None:
        """A mask of an unknown number of bits is noted if it is for bytes, and becomes a state for each
        number if it is for longer elements."""
        if instruction.mnemonic != Mnemonic.BZHI or not is_register(instruction, 2):
            return None
        size = plain(read(self, instruction, 2))
        if known(size) or not self.is_length(size):
            return None
        if self.job.size > 1:
            return [_executed_with(one, instruction, number) for number, one in self._each_value(size)]
        execute(self, instruction)
        mask = to_bits(self.general[GENERAL_REGISTERS[instruction.op_register(0)][0]])
        if not any(map(known, mask)) and self.follows(z3.ULE(size, len(mask))):
            self._masks.append((mask, size))
        return [self]

    def _each_value(self, number: z3.BitVecRef) -> Iterator[tuple[int, "SumPath"]]:
        """Yields a state for each value of a number."""
        rest = self.copy()
        for _ in range(MOST_VALUES):
            if (found := rest.example()) is None:
                break
            value = found.eval(number, model_completion=True)
            one = self.copy()
            one.assume(number == value)
            yield value.as_long(), one
            rest.assume(number != value)
        if rest.is_feasible():
            raise Inconclusive(f"at {self.address:#x}: a mask of any size")


def _executed_with(path: SumPath, instruction: Instruction, size: int) -> SumPath:
    """Executes BZHI with a known size."""
    path.general[GENERAL_REGISTERS[instruction.op_register(2)][0]] = size
    execute(path, instruction)
    return path


def _shift_of_one(bits: list[Bit]) -> z3.BitVecRef:
    """Returns the shift count of a word that is a shifted one, of which these are the bits."""
    word = bits[0].arg(0).arg(0) if z3.is_expr(bits[0]) else None
    if word is None or not same_bits(bits, [bit(64, word, index) for index in range(64)]):
        raise Inconclusive("PDEP of several bits")
    one = z3.simplify(word.arg(0)) if word.decl().kind() == z3.Z3_OP_BSHL else word
    if not z3.is_bv_value(one) or one.as_long() != 1:
        raise Inconclusive("PDEP of several bits")
    return word.arg(1)


# The terms are kept, so that their ids stay theirs.
_equal: dict[tuple[int, int], tuple[bool, z3.ExprRef, z3.ExprRef]] = {}


def _are_equal(one: z3.BitVecRef, other: z3.BitVecRef) -> bool:
    """Whether two terms are equal for all inputs."""
    key = one.get_id(), other.get_id()
    if key not in _equal:
        try:
            prove([], one == other, "")
            _equal[key] = True, one, other
        except Refuted:
            _equal[key] = False, one, other
    return _equal[key][0]


_found: dict[tuple[int, int], tuple[z3.ExprRef, Any]] = {}


def _linear(job: Job, word: z3.BitVecRef) -> tuple[int, int]:
    """Returns a constant and a sign with which a function of an element is its number. The sign of a
    constant function is 0."""
    key = (word.get_id(), id(job))
    if key not in _found:
        number, zero = job.number(job.element), z3.BitVecVal(0, job.bits)
        number = z3.ZeroExt(word.size() - WIDTH, number) if word.size() > WIDTH else number
        for sign in (1, -1, 0):
            rest = z3.simplify(z3.substitute(word - sign * number, (job.element, zero)))
            try:
                prove([], word == rest + sign * number, "a number that is added up is wrong")
            except Refuted as error:
                reason = error
            else:
                _found[key] = word, (rest.as_signed_long(), sign)  # The term is kept for its id.
                break
        else:
            raise reason
    return _found[key][1]
