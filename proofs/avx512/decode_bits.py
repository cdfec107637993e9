"""Paths through loops over the bits of a mask: TZCNT finds the next last byte of a value in a window, and
BLSR removes its bit.

All values of the window are proved to be valid before the first is decoded, so the next last byte is
that of a value with one of the lengths of the format. What is left of the mask are its bits from the
start of the next value on. Their number is what POPCNT counted, less the values that were decoded.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

import z3
from iced_x86 import Instruction, Mnemonic

from model.failures import Inconclusive

from .decode_job import Job
from .decode_memory import DecoderMemory
from .decode_path import DecoderPath, prove_bits, simple
from .decode_window import SIZE, Window, check_valid, valid
from .explore import replace as replace_number
from model.instructions import execute
from model.machine import GENERAL_REGISTERS, has_memory, is_register, mnemonic, operand_width, read, write
from .path import Path, fresh_mask
from .solver import is_certain, names, prove_lengths
from model.terms import Bit, Bits, Word, known, part, same_bits, simplified


@dataclass(frozen=True, eq=False)
class Rest:
    """The last bytes of values in a window, from `start` on, where a value begins: their mask, and how many
    they are. If the first of them was found, `following` are the others."""

    bits: list[Bit]
    start: z3.BitVecRef
    left: z3.BitVecRef
    following: "Rest | None" = None


class MaskPath(DecoderPath):
    """A path that knows what is left of a mask. `job` is its work, and `loops` are what replaces loops, by
    their first addresses. The window begins at offset `window`, and its last value ends before `end`."""

    def __init__(self, memory: DecoderMemory) -> None:
        super().__init__(memory)
        self.job: Job
        self.loops: dict[int, Callable[[MaskPath], list[Path]]] = {}
        self.rests: list[Rest] = []
        self.empty: list[list[Bit]] = []  # masks without bits
        self.window, self.end = z3.BitVecs("window end", 64)

    def copy(self) -> "MaskPath":
        other = super().copy()
        other.job, other.loops, other.rests, other.empty = self.job, self.loops, list(self.rests), list(self.empty)
        other.window, other.end = self.window, self.end
        return other

    def assume(self, condition: Bit) -> None:
        """A condition that a mask has no bits, some, or all of them, tells something about their number."""
        super().assume(condition)
        if known(condition) or self.is_length(condition):
            return
        added = self.conditions[-1]
        for bits, count in list(self.counts):
            if not names(added) & frozenset().union(*[names(one) for one in bits if not known(one)]):
                continue
            if is_certain([added], z3.Not(z3.Or(*bits))):
                self.empty.append([simple(one) for one in bits])
                self.assume(count == 0)
                for zeros in self.zeros:
                    if same_bits(zeros.bits, self.empty[-1]):
                        self.assume(zeros.count == SIZE)
            elif is_certain([added], z3.And(*bits)):
                self.assume(count == SIZE)
                replace_number(self, count, SIZE)
            elif is_certain([added], z3.Or(*bits)):
                self.assume(z3.UGE(count, 1))

    def rest(self, word: Any) -> Rest | None:
        """Returns what is known of a mask, if it is one of last bytes. That of a window is one as soon as it
        is known that a value ends there."""
        if not isinstance(word, Bits):
            return None
        if not any(same_bits(one.bits, word.bits) for one in self.rests):
            for bits, count in self.counts:
                if same_bits(bits, word.bits) and self.follows(z3.UGE(count, 1)):
                    self._begin(bits, count)
        return next((one for one in reversed(self.rests) if same_bits(one.bits, word.bits)), None)

    def _begin(self, mask: list[Bit], count: z3.BitVecRef) -> None:
        """Proves that a mask has the last bytes of values in a window, all of which are valid."""
        self.window = self.progress.bytes
        if self.memory.checked:
            data = [self.byte(self.job.source, self.window + k) for k in range(SIZE)]
            window = Window(data, [True] * SIZE, 0)
            prove_bits([], mask, window.ends, "the last bytes of the window")
            check_valid(self, self.job, window, True)
        self.end = z3.simplify(SIZE - self.number_of_zeros(Bits(mask), SIZE, leading=True))
        self.add(Rest(mask, z3.BitVecVal(0, 64), count))

    def number_of_zeros(self, value: Word | Bits, width: int, leading: bool) -> Word:
        if isinstance(value, Bits) and self.empty:
            bits = [simple(one) for one in value.bits]
            if any(same_bits(bits, one) for one in self.empty):
                return width
        return super().number_of_zeros(value, width, leading)

    def executed(self, instruction: Instruction) -> list[Path] | None:
        if instruction.ip in self.loops:
            return self.loops[instruction.ip](self)
        if mnemonic(instruction).startswith("set"):  # A part of a condition about the whole window.
            execute(self, instruction)
            return [self]
        if instruction.mnemonic in (Mnemonic.AND, Mnemonic.BZHI):
            return self._low_part(instruction)
        if instruction.mnemonic in (Mnemonic.TZCNT, Mnemonic.BLSR) and is_register(instruction, 1):
            rest = self.rest(self.general[GENERAL_REGISTERS[instruction.op_register(1)][0]])
            if rest is not None:
                act = self._find if instruction.mnemonic == Mnemonic.TZCNT else self._remove
                return act(rest, instruction)
        return super().executed(instruction)

    def _find(self, rest: Rest, instruction: Instruction) -> list[Path]:
        """Returns a state for each length of the next value, or for two of them while the state at the head of
        a loop is still searched."""
        if rest.following is not None:
            raise Inconclusive(f"at {self.address:#x}: a value is found again")
        if self.memory.checked:
            prove_lengths(self.length_conditions(), z3.UGE(rest.left, 1), f"at {self.address:#x}: no bit is left")
        results: list[Path] = []
        for length in range(1, self.job.integer.longest + 1 if self.memory.checked else 3):
            one = self.copy()
            source = [one.byte(self.job.source, self.window + rest.start + k) for k in range(length)]
            more = [z3.Extract(7, 7, byte) == int(k < length - 1) for k, byte in enumerate(source)]
            for fact in (*more, *valid(self.job, source)):
                one.assume(fact)
            then = Rest(fresh_mask(), z3.simplify(rest.start + length), z3.simplify(rest.left - 1))
            one.rests[one.rests.index(rest)] = replace(rest, following=then)
            one.add(then)
            one.taken.append(length)
            write(one, instruction, 0, z3.simplify(rest.start + (length - 1)))
            one.flags, one.address = dict.fromkeys(one.flags), instruction.next_ip
            results.append(one)
        return results

    def _remove(self, rest: Rest, instruction: Instruction) -> list[Path]:
        """Removes the next value from the mask."""
        if rest.following is None:
            raise Inconclusive(f"at {self.address:#x}: a bit is removed before it is found")
        write(self, instruction, 0, Bits(rest.following.bits))
        self.flags, self.address = dict.fromkeys(self.flags), instruction.next_ip
        return [self]

    def add(self, rest: Rest) -> None:
        """Adds a mask, and what is known of it: its bits are at different places, and after the last of them
        no value ends."""
        self.rests.append(rest)
        self.assume(z3.ULE(rest.start, self.end))
        self.assume(z3.ULE(rest.left, self.end - rest.start))
        self.assume(z3.Or(z3.UGE(rest.left, 1), rest.start == self.end))

    def _low_part(self, instruction: Instruction) -> list[Path] | None:
        """The low bits of a length become a number if they are always the same, and the length if it has no
        others."""
        if instruction.mnemonic == Mnemonic.AND:
            if not is_register(instruction, 0) or is_register(instruction, 1) or has_memory(instruction):
                return None
            source, ones = instruction.op_register(0), instruction.immediate(1)
        else:
            source, count = instruction.op_register(1), simplified(part(read(self, instruction, 2), 0, 8), 8)
            if not known(count):
                return None
            ones = (1 << min(count, operand_width(instruction, 0))) - 1
        index, size, _ = GENERAL_REGISTERS[source]
        word = self.general[index]
        if size < 4 or not ones or ones & (ones + 1) or not z3.is_expr(word) or not self.is_length(word):
            return None
        result: Word = word
        if not self.follows(z3.ULE(word, ones)):
            if (found := self.example()) is None:
                return None
            result = found.eval(word & ones, model_completion=True).as_long()
            if not self.follows(word & ones == result):
                return None
        self.general[GENERAL_REGISTERS[instruction.op_register(0)][0]], self.address = result, instruction.next_ip
        self.flags = dict.fromkeys(self.flags)
        return [self]
