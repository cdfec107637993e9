"""Proofs about the loops over the bits of a mask, each within a loop over windows.

A loop over a mask is replaced by its state after all turns, for each path that comes to it. The
conditions of the path stay true, because nothing that they mention changes. What the turns change is
found by the first one: by a constant, by the lengths of the values, or the mask itself. Then one turn
from the state after any number of turns is proved.
"""

from dataclasses import dataclass
from typing import Any

import z3
from iced_x86 import Mnemonic

from model.failures import Inconclusive, Refuted

from . import decode_output as output
from .counters import ends_ahead, keeps_ahead
from .decode_bits import MaskPath, Rest
from .decode_contents import REGISTERS, Place, contents_of, key_of, put
from .decode_induction import Induction
from .decode_job import Job
from .decode_path import Progress
from .decode_window import SIZE
from .explore import run
from .flow import all_loops, live_registers
from model.image import Function, Image
from .induction import forget
from model.machine import mnemonic
from .path import Path, fresh, fresh_mask
from .solver import names, prove_lengths
from model.terms import Bits, known, same_bits, term

XMM = 16  # bytes of a vector of SSE2


class MaskInduction(Induction):
    """The induction over windows. Each loop over a mask within the loop over windows is replaced by its
    state after all turns."""

    def __init__(self, image: Image, function: Function, job: Job, calls: Any, finish: Any) -> None:
        super().__init__(image, function, job, calls, finish)
        loops, live = all_loops(image, function), live_registers(image, function)
        inner = {head for head in loops for other, body in loops.items() if head != other and head in body}
        self._cuts -= inner  # Those over windows of which all values have one byte turn a known number of times.
        self._loops: dict[int, Loop] = {}
        for head in inner:
            if any(image.instruction(address).mnemonic == Mnemonic.BLSR for address in loops[head]):
                dead = {place for place, number in REGISTERS.items() if number not in live[head]}
                self._loops[head] = Loop(image, job, head, loops[head], dead)
        if not self._loops:
            raise LookupError(f"{function.name} has no loop over a mask")
        if wide := [one for one in image.instructions(function) if mnemonic(one).startswith("v")]:
            raise Inconclusive(f"{function.name} has instructions on longer vectors: {wide[0]}")

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
        if not rests or any(one is not rests[0] for one in rests):
            raise Inconclusive(f"at {entry.address:#x}: {len(rests)} masks of the last bytes of values")
        if entry.taken or entry.log or not z3.simplify(self.entry.window).eq(z3.simplify(self.before.bytes)):
            raise Inconclusive(f"at {entry.address:#x}: values of the window are decoded before the loop")
        self.mask, self.count = rests[0].bits, rests[0].left
        self._find_changes()

    def _turn(self, path: MaskPath, checked: bool) -> list[MaskPath]:
        """Returns the states after one turn, at the head of the loop or outside."""
        path = path.copy()
        path.memory.checked = checked
        within = self.loop.body - {self.loop.head}
        return run(self.loop.image, path, lambda one: one.address not in within, {})

    # What turns change.

    def _find_changes(self) -> None:
        """Finds the places that turns change: by a constant, by the lengths of the values, or otherwise."""
        later = [one for one in self._turn(self.entry, checked=False) if one.address == self.loop.head]
        if not later or len({len(one.taken) for one in later}) != 1:
            raise Inconclusive(f"at {self.loop.head:#x}: no turn, or turns of different numbers of values")
        self.values = len(later[0].taken)  # in a turn
        if not self.values:
            raise Inconclusive(f"at {self.loop.head:#x}: a turn decodes no value")
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
        ahead, invariants, leaves = self._end()
        if self.checked:
            start = self._state()
            for one in invariants:
                start.assume(one)
            for path in self._turn(start, checked=True):
                self._prove_turn(path, ahead, invariants, leaves)
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

    def _end(self) -> tuple[z3.BitVecRef, list[z3.BoolRef], int]:
        """Returns how far ahead the end is, in a word that each turn reduces, what is true of it, which is
        proved before the first turn, and where the loop is left."""
        paths = self._turn(self._state(), checked=False)
        leaves = {one.address for one in paths if one.address != self.loop.head}
        if len(leaves) != 1:
            raise Inconclusive(f"the loop at {self.loop.head:#x} is left for {len(leaves)} addresses")
        for path in paths:
            if path.address == self.loop.head:
                for ahead, by in ends_ahead(path.length_conditions(), self.turns, 1):
                    invariants = keeps_ahead(ahead, by)
                    first = [z3.substitute(one, (self.turns, z3.BitVecVal(0, 64))) for one in invariants]
                    if self.turns.decl().name() in names(ahead) and all(map(self.entry.follows, first)):
                        return ahead, invariants, leaves.pop()
        raise Inconclusive(f"at {self.loop.head:#x}: the end of the loop is unknown")

    def _prove_turn(
        self, path: MaskPath, ahead: z3.BitVecRef, invariants: list[z3.BoolRef], leaves: int
    ) -> None:
        """Proves a turn from the general state: it decodes values, and ends in that state again, or leaves the
        loop when the end is no longer ahead."""
        before, taken, rest = path.progress, list(path.taken), path.rests[-1]
        then = Progress(z3.simplify(before.values + len(taken)), z3.simplify(before.bytes + sum(taken)))
        if len(taken) != self.values:
            raise Refuted("a turn decodes another number of values")
        output.advance(path, self.job, then)
        next_ = (self.turns, self.turns + 1)
        if path.address == self.loop.head:
            for one in invariants:
                prove_lengths(path.length_conditions(), z3.substitute(one, next_), f"an invariant is lost: {one}")
        elif path.address != leaves:
            raise Refuted(f"the loop at {self.loop.head:#x} is left for {path.address:#x}")
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
