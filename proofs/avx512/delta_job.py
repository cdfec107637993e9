"""The work of `deltas` and `add_up`: two sequences of numbers, of which one follows from the other.

The values have the indices from `-components` on: the first `components` of them are `previous`. The
zigzag form of the difference between a value and the one `components` before it is what is encoded of
the delta with the same index. Indices are offsets in bytes.
"""

from typing import Any

import z3
from iced_x86 import Instruction

from steps.failures import Inconclusive
from steps.wire import Integer

from .format import raw
from .image import Image
from .instructions import execute
from .job import LONGEST
from .machine import GENERAL, MASK_REGISTERS, mnemonic, read, write
from .memory import Memory, Region
from .path import Path, fresh
from .solver import names, prove, prove_lengths
from .terms import Bit, as_bytes, known, lanes, plain, term


class Job:
    """All deltas, or all values in the place of the deltas."""

    def __init__(self, integer: Integer, count: Any, components: Any, in_place: bool) -> None:
        self.integer, self.size, self.in_place = integer, integer.bits // 8, in_place
        self.signed = Integer(f"i{integer.bits}", integer.bits, signed=True)
        self.count, self.components = count, term(components, 64)
        self.previous = Region("previous", z3.simplify(self.history), element=self.size)
        self.values = Region("values", self.size * self.count, element=self.size)
        self.deltas = Region("deltas", self.size * self.count, writable=True, element=self.size)

    @property
    def history(self) -> z3.BitVecRef:
        """Returns the distance between the values that are compared."""
        return self.size * self.components

    def slices(self) -> list[Region]:
        """Returns the slices, in the order of the arguments."""
        return [self.previous, self.deltas] if self.in_place else [self.previous, self.values, self.deltas]

    def length(self, slice_: Region) -> z3.BitVecRef:
        """Returns the number of elements of a slice."""
        return self.components if slice_ == self.previous else self.count

    def facts(self) -> list[z3.BoolRef]:
        """Returns what is true at any time. The slices are valid: neither null nor across the end of the
        address space."""
        numbers = [self.count, *(z3.BitVec(name, 64) for name in sorted(self.lengths()))]
        facts = [z3.ULE(one, LONGEST // self.size) for one in numbers]
        for one in self.slices():
            facts += [z3.UGE(one.start, self.size), z3.ULE(one.start, -self.size * self.length(one) - 1)]
        return facts

    def lengths(self) -> frozenset[str]:
        """Returns the names of the unknown numbers of values."""
        return names(self.count) | names(self.components)

    def agree(self, difference: z3.BitVecRef, delta: z3.BitVecRef) -> z3.BoolRef:
        """Whether the zigzag form of a difference is what is encoded of a delta."""
        return raw(difference, self.signed) == raw(delta, self.integer)


class DeltaPath(Path):
    """A path that has stored the results up to the offset `done`. `results` are the names of values that
    it has stored, and their terms."""

    def __init__(self, memory: Memory) -> None:
        super().__init__(memory)
        self.done: z3.BitVecRef = z3.BitVecVal(0, 64)
        self.results: list[tuple[z3.BitVecRef, z3.BitVecRef]] = []

    def copy(self) -> "DeltaPath":
        other = super().copy()
        other.done, other.results = self.done, list(self.results)
        return other

    def assume(self, condition: Bit) -> None:
        """Masks of constants become parts of words, which linear arithmetic knows."""
        super().assume(condition if known(condition) else z3.simplify(condition))

    def executed(self, instruction: Instruction) -> list[Path] | None:
        """A comparison of lengths that becomes a mask becomes a state for each mask. A division of a
        length by three gets a name for its quotient."""
        if mnemonic(instruction) == "mulx":
            return self._divided_by_three(instruction)
        if not mnemonic(instruction).startswith("vpcmp") or instruction.op_register(0) not in MASK_REGISTERS:
            return None
        path = self.copy()
        execute(path, instruction)
        index = MASK_REGISTERS[instruction.op_register(0)]
        states = [path]
        for at, bit in enumerate(path.masks[index]):
            if not known(bit) and path.is_length(bit):
                states = [one for state in states for one in state.with_bit(index, at, bit)]
        return states

    def _divided_by_three(self, instruction: Instruction) -> list[Path] | None:
        """The product of a number and (2^65 + 1) / 3 is 2^65 times its third, rounded down, plus less than
        2^65. The upper 63 bits of the high half are thus the quotient."""
        factors = plain(self.general[GENERAL.index("RDX")]), plain(read(self, instruction, 2))
        numbers = [one for one in factors if not known(one)]
        if (2**65 + 1) // 3 not in factors or len(numbers) != 1 or not self.is_length(numbers[0]):
            return None
        if instruction.op0_register != instruction.op1_register:  # The low half is used.
            return None
        path, quotient, rest = self.copy(), fresh("quotient", 63), fresh("rest", 1)
        path.lengths |= {one.decl().name() for one in (quotient, rest)}
        thrice = 3 * z3.ZeroExt(1, quotient)
        path.assume(z3.And(z3.ULE(thrice, numbers[0]), z3.ULE(numbers[0] - thrice, 2)))
        path.assume(z3.ULE(quotient, (2**64 - 1) // 3))
        write(path, instruction, 0, z3.Concat(quotient, rest))
        path.address = instruction.next_ip
        return [path]

    def with_bit(self, mask: int, at: int, bit: z3.BoolRef) -> list["DeltaPath"]:
        """Returns the possible states in which a bit of a mask register is known."""
        states = []
        for choice, condition in ((True, bit), (False, z3.Not(bit))):
            one = self.copy()
            one.assume(condition)
            one.masks[mask] = [*one.masks[mask][:at], choice, *one.masks[mask][at + 1 :]]
            if one.is_feasible():
                states.append(one)
        return states

    def distance(self, one: Any, other: Any) -> int | None:
        """Returns the difference of two lengths or addresses, if it is always the same."""
        distance = z3.simplify(term(one, 64) - term(other, 64))
        if z3.is_bv_value(distance):
            return distance.as_signed_long()
        found = self.example()
        number = z3.BitVecVal(0, 64) if found is None else found.eval(distance, model_completion=True)
        return number.as_signed_long() if self.follows(distance == number) else None

    def resolved(self, word: z3.BitVecRef) -> z3.BitVecRef:
        """Returns a word with the terms of values instead of their names."""
        return z3.simplify(z3.substitute(word, *self.results)) if self.results else z3.simplify(word)

    def named(self, word: z3.BitVecRef) -> z3.BitVecRef:
        """Returns the name of a value if the word is its term."""
        word = self.resolved(word)
        return next((name for name, result in self.results if result.eq(word)), word)


class Sequences(Memory):
    """Memory with both sequences. Every store has to be that of the next results. If a function works in
    place, what is stored so far are values, and the others still deltas."""

    def __init__(self, image: Image, job: Job, regions: list[Region]) -> None:
        super().__init__(image, [*job.slices(), *regions])
        self.job = job
        self.offsets: dict[str, z3.BitVecRef] = {}  # by the name of a value

    def value(self, offset: Any) -> z3.BitVecRef:
        """Returns the name of a value."""
        offset = z3.simplify(term(offset, 64))
        value = self.element(self.job.values, offset)
        self.offsets.setdefault(value.decl().name(), offset)
        return value

    def offset(self, word: Any) -> z3.BitVecRef | None:
        """Returns the offset of a value, if the word is the name of one."""
        return self.offsets.get(word.decl().name()) if z3.is_expr(word) else None

    # Loads.

    def load(self, path: DeltaPath, address: Any, size: int) -> list[Any]:
        region = self._region(z3.simplify(address)) if z3.is_expr(address) else None
        if region not in self.job.slices():
            return super().load(path, address, size)
        _, offset = self._find(path, address, size, write=False)
        if size % self.job.size:
            raise Inconclusive(f"before {path.address:#x}: reads a part of a number")
        offset = term(offset, 64)
        prove([], offset & (self.job.size - 1) == 0, f"before {path.address:#x}: reads parts of two numbers")
        return as_bytes(self._numbers(path, region, offset, size), self.job.integer.bits)

    def _numbers(self, path: DeltaPath, region: Region, offset: z3.BitVecRef, size: int) -> list[z3.BitVecRef]:
        job = self.job
        distances = range(0, size, job.size)
        if region == job.deltas and not job.in_place:
            raise Inconclusive(f"before {path.address:#x}: reads what it should write")
        # A number should have one name, whatever the code adds up for its address.
        done = path.distance(offset, path.done)
        if done is not None:
            offset = path.done + done
        elif (distance := path.distance(offset, path.done - job.history)) is not None:
            offset = path.done - job.history + distance
        if region == job.previous:
            return [self.value(offset - job.history + at) for at in distances]
        if not job.in_place:
            return [self.value(offset + at) for at in distances]
        if done is not None:  # Neither offset is more than the size of the slice.
            are_stored = [done + at < 0 for at in distances]
        else:
            are_stored = [not path.follows(z3.UGE(offset, path.done))] * len(distances)
        if done is None and are_stored[0] and self.checked:
            what = f"before {path.address:#x}: reads a value that is not stored yet"
            prove_lengths(path.length_conditions(), z3.ULE(offset + size, path.done), what)
        return [
            self.value(offset + at) if is_stored else self.element(job.deltas, offset + at)
            for at, is_stored in zip(distances, are_stored, strict=True)
        ]

    # Stores.

    def store(self, path: DeltaPath, address: Any, new: list[Any]) -> None:
        super().store(path, address, new)
        self._advance(path)

    def store_masked(self, path: DeltaPath, address: Any, new: list[Any], bits: list[Bit]) -> None:
        super().store_masked(path, address, new, bits)
        self._advance(path)

    def _advance(self, path: DeltaPath) -> None:
        """Proves that a store, if there was one, is that of the next results."""
        if not path.log:
            return
        job, at, store = self.job, f"before {path.address:#x}", path.log.pop()
        if len(store.bytes) % job.size or store.bits is not None:
            raise Inconclusive(f"{at}: stores a part of a number, or an unknown number of bytes")
        if self.checked:
            prove_lengths(path.length_conditions(), store.offset == path.done, f"{at}: stores elsewhere")
        for word in lanes(store.bytes, job.integer.bits):
            result, value = path.resolved(term(word, job.integer.bits)), self.value(path.done)
            if job.in_place:
                path.results.append((value, result))
            if self.checked:
                before = self.value(path.done - job.history)
                delta = self.element(job.deltas, path.done) if job.in_place else result
                prove([], job.agree(path.resolved(value - before), delta), f"{at}: stores another number")
            path.done = z3.simplify(path.done + job.size)
