"""Loops over the bits of a mask: each turn finds the next last byte of a value in a window, by TZCNT and
BLSR, and decodes that value.

Such a loop is replaced by its state after any number of turns, for each path that comes to it. The
conditions of the path stay true, because nothing that they mention changes. What is left of the mask
are its bits from the start of the next value on. Their number is what POPCNT counted less the values
that were decoded, since each turn removes one bit. All values of the window are proved to be valid
before the first turn, so the lowest bit is that of a value with one of the lengths of the format.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

import z3
from iced_x86 import Instruction, Mnemonic

from prover.failures import Inconclusive, Refuted

from . import decode_output as output
from .counters import ends_ahead, keeps_ahead
from .decode_contents import REGISTERS, Place, contents_of, key_of, put
from .decode_induction import Induction
from .decode_job import Job
from .decode_memory import DecoderMemory
from .decode_path import DecoderPath, Progress, is_proved, prove_bits, simple
from .decode_window import SIZE, Window, check_valid, valid
from .explore import replace as replace_number, run
from .flow import all_loops, live_registers
from .image import Function, Image
from .instructions import execute
from .induction import forget
from .machine import GENERAL_REGISTERS, has_memory, is_register, mnemonic, read, write
from .path import Path, fresh, fresh_mask
from .solver import names, prove_lengths
from .terms import Bit, Bits, Word, known, part, same_bits, simplified, term


@dataclass(frozen=True)
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
            if is_proved([added], z3.Not(z3.Or(*bits))):
                self.empty.append([simple(one) for one in bits])
                self.assume(count == 0)
                for zeros in self.zeros:
                    if same_bits(zeros.bits, self.empty[-1]):
                        self.assume(zeros.count == SIZE)
            elif is_proved([added], z3.And(*bits)):
                self.assume(count == SIZE)
                replace_number(self, count, SIZE)
            elif is_proved([added], z3.Or(*bits)):
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
        """Returns a state for each length of the next value, or for two of them while invariants are searched."""
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
            ones = (1 << count) - 1
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


XMM = 16  # bytes of a vector of SSE2


class MaskInduction(Induction):
    """The induction over windows. Each loop over a mask within the loop over windows is replaced by its
    state after all turns."""

    def __init__(self, image: Image, function: Function, job: Job, calls: Any, finish: Any) -> None:
        super().__init__(image, function, job, calls, finish)
        loops = all_loops(image, function)
        self._cuts -= {head for head in loops for other, body in loops.items() if head != other and head in body}
        live, self._loops = live_registers(image, function), {}
        for head in set(loops) - self._cuts:
            names_ = {one.mnemonic for one in map(image.instruction, loops[head])}
            if Mnemonic.BLSR in names_:
                dead = {place for place, number in REGISTERS.items() if number not in live[head]}
                self._loops[head] = Loop(image, job, head, loops[head], dead)
        wide = [one for one in image.instructions(function) if mnemonic(one).startswith("v")]
        if wide:
            raise Inconclusive(f"{function.name} has instructions on longer vectors: {wide[0]}")
        if not self._loops:
            raise LookupError(f"{function.name} has no loop over a mask")

    def _contents(self, path: MaskPath) -> dict[Place, Any]:
        """Instructions of SSE2 read the first bytes of a vector only."""
        contents = super()._contents(path)
        return {place: content[:XMM] if place[0] == "vector" else content for place, content in contents.items()}

    def prove(self, start: MaskPath) -> None:
        start.loops, start.job = dict(self._loops), self.job
        super().prove(start)


@dataclass(frozen=True)
class Loop:
    """A loop over the bits of a mask, its first address and all addresses, and the registers of which the
    content at its head is not read."""

    image: Image
    job: Job
    head: int
    body: set[int]
    dead: set[Place]

    def __call__(self, entry: MaskPath) -> list[Path]:
        """Returns the states after all turns."""
        return Turns(self, entry).after()


class Turns:
    """Any number of turns of a loop, from one state on."""

    def __init__(self, loop: Loop, entry: MaskPath) -> None:
        self.loop, self.job, self.checked, self.loops = loop, loop.job, entry.memory.checked, entry.loops
        self.entry = entry.copy()
        self.entry.loops, self.before = {}, entry.progress
        self.turns, self.start = fresh("turns"), fresh("start")
        rests = [rest for rest in map(self.entry.rest, entry.general) if rest is not None]
        if not rests or any(one is not rests[0] for one in rests) or rests[0].following is not None:
            raise Inconclusive(f"at {entry.address:#x}: {len(rests)} masks of the last bytes of values")
        self.mask, self.count = rests[0].bits, rests[0].left
        self._find_changes()

    def _turn(self, path: MaskPath, checked: bool) -> list[MaskPath]:
        path = path.copy()
        path.memory.checked = checked
        loop = self.loop
        stops = lambda one: one.address == loop.head or one.address not in loop.body  # noqa: E731
        return run(loop.image, path, stops, {})

    # What turns change.

    def _find_changes(self) -> None:
        """Finds the places that turns change: by a constant, by the lengths of the values, or otherwise."""
        later = [one for one in self._turn(self.entry, checked=False) if one.address == self.loop.head]
        if not later or len({len(one.taken) for one in later}) != 1:
            raise Inconclusive(f"at {self.loop.head:#x}: no turn, or turns of different numbers of values")
        self.values = len(later[0].taken)  # in a turn
        self.first = contents_of(self.entry)
        contents = [contents_of(one) for one in later]
        self.steps: dict[Place, int] = {}
        self.starts: set[Place] = set()
        self.masks: set[Place] = set()
        self.forgotten = set(self.loop.dead)
        for place in set().union(self.first, *contents) - self.forgotten:
            before, now = self.first.get(place), [one.get(place) for one in contents]
            if any(one is None for one in (before, *now)):
                self.forgotten.add(place)
            elif all(key_of(one) == key_of(before) for one in now):
                continue
            elif isinstance(before, Bits) and same_bits(before.bits, self.mask):
                self.masks.add(place)
            else:
                self._change(place, before, now, [sum(one.taken) for one in later])

    def _change(self, place: Place, before: Any, now: list[Any], lengths: list[int]) -> None:
        self.forgotten.add(place)
        if any(isinstance(one, list | Bits) for one in (before, *now)):
            return
        changes = [z3.simplify(term(one, 64) - term(before, 64)) for one in now]
        if not all(map(z3.is_bv_value, changes)):
            return
        numbers = [one.as_signed_long() for one in changes]
        if len(set(numbers)) == 1:
            self.steps[place] = numbers[0]
        elif numbers == lengths and known(before) and before == 0:
            self.starts.add(place)
        else:
            return
        self.forgotten.remove(place)

    def _expected(self, turns: Any, rest: Rest) -> dict[Place, Any]:
        """Returns what the places that turns change have after some of them."""
        found: dict[Place, Any] = {
            place: z3.simplify(term(self.first[place], 64) + step * turns) for place, step in self.steps.items()
        }
        return found | dict.fromkeys(self.starts, rest.start) | dict.fromkeys(self.masks, Bits(rest.bits))

    def _state(self) -> MaskPath:
        """Returns the state after any number of turns."""
        path, so_far = self.entry.copy(), self.values * self.turns
        path.lengths |= {self.turns.decl().name(), self.start.decl().name()}
        path.assume(z3.ULE(self.turns, SIZE))
        path.assume(z3.ULE(so_far, self.count))
        path.add(Rest(fresh_mask(), self.start, self.count - so_far))
        for place, content in self._expected(self.turns, path.rests[-1]).items():
            put(path, place, content)
        for place in self.forgotten:
            forget(path, place)
        path.flags = dict.fromkeys(path.flags)
        path.progress = Progress(z3.simplify(self.before.values + so_far), z3.simplify(self.before.bytes + self.start))
        return path

    # The states after the loop.

    def after(self) -> list[Path]:
        """Proves the turns, and returns the states after the last one."""
        ahead, by, leaves = self._end()
        if self.checked:
            for one in keeps_ahead(ahead, by):
                prove_lengths(self.entry.length_conditions(), self._at_start(one), f"an invariant: {one}")
            start = self._state()
            for one in keeps_ahead(ahead, by):
                start.assume(one)
            for path in self._turn(start, checked=True):
                self._prove_turn(path, ahead, by)
        results = []
        for some in (False, True):
            path = self._state()
            rest = path.rests[-1]
            path.assume(ahead == 0)
            path.assume(z3.UGE(rest.left, 1) if some else rest.left == 0)
            if not some:
                for place in (*self.starts, *self.masks):
                    forget(path, place)
            path.address, path.loops = leaves, self.loops
            if path.is_feasible():
                results.append(path)
        return results

    def _at_start(self, invariant: z3.BoolRef) -> z3.BoolRef:
        return z3.substitute(invariant, (self.turns, z3.BitVecVal(0, 64)))

    def _end(self) -> tuple[z3.BitVecRef, int, int]:
        """Returns how far ahead the end is, in a word that each turn reduces, by how much, and where the loop
        is left."""
        paths = self._turn(self._state(), checked=False)
        leaves = {one.address for one in paths if one.address != self.loop.head}
        if len(leaves) != 1:
            raise Inconclusive(f"the loop at {self.loop.head:#x} is left for {len(leaves)} addresses")
        for path in paths:
            if path.address == self.loop.head:
                for ahead, by in ends_ahead(path.length_conditions(), self.turns, 1):
                    claims = [self._at_start(one) for one in keeps_ahead(ahead, by)]
                    if self.turns.decl().name() in names(ahead) and all(map(self.entry.follows, claims)):
                        return ahead, by, leaves.pop()
        raise Inconclusive(f"at {self.loop.head:#x}: the end of the loop is unknown")

    def _prove_turn(self, path: MaskPath, ahead: z3.BitVecRef, by: int) -> None:
        """Proves a turn from the general state: it decodes values, and ends in that state again, or where the
        end is no longer ahead."""
        before, taken, rest = path.progress, list(path.taken), path.rests[-1]
        then = Progress(z3.simplify(before.values + len(taken)), z3.simplify(before.bytes + sum(taken)))
        if len(taken) != self.values:
            raise Refuted("a turn decodes another number of values")
        output.advance(path, self.job, then)
        next_ = (self.turns, self.turns + 1)
        if path.address == self.loop.head:
            for one in keeps_ahead(ahead, by):
                prove_lengths(path.length_conditions(), z3.substitute(one, next_), f"an invariant is lost: {one}")
        else:
            what = "the loop is left before its end"
            prove_lengths(path.length_conditions(), z3.substitute(ahead, next_) == 0, what)
        now, expected = contents_of(path), self._expected(self.turns + 1, rest)
        conditions = path.length_conditions()
        for place, content in self.first.items():
            if place in self.forgotten:
                continue
            content = expected.get(place, content)
            if key_of(now.get(place)) == key_of(content):
                continue
            if any(isinstance(one, list | Bits) or one is None for one in (content, now.get(place))):
                raise Refuted(f"{place} after a turn is {now.get(place)}")
            claim = term(now[place], 64) == term(content, 64)
            if place in self.starts:  # It is not read if no value is left.
                claim = z3.Or(rest.left == 0, claim)
            prove_lengths(conditions, claim, f"{place} after a turn")
