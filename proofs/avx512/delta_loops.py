"""Proofs about the loops of `deltas` and `add_up`, by induction on the number of turns.

The first turn, from the state that arrives at a loop, tells by how much a turn changes each register.
If every turn does the same, the general state is that after any number of turns. What a later turn
contradicts is forgotten. Invariants are candidates that every arrival meets. In the end one turn from
the general state is run with all proofs, and the paths that leave the loop go on from there.
"""

from collections.abc import Callable, Iterator
from typing import Any

import z3
from iced_x86 import FlowControl

from steps.failures import Inconclusive, Refuted

from .decode_contents import REGISTERS
from .delta_job import DeltaPath, Job
from .explore import RETURN, run
from .flow import all_loops, live_registers, waists
from .image import Function, Image
from .induction import forget
from .job import LONGEST
from .path import fresh, fresh_mask
from .solver import example, names, prove_lengths
from .terms import as_bytes, known, lanes, plain, same_bytes, simplified, term

Place = tuple[str, int]  # ("general", 3), ("vector", 3) or ("mask", 3)


def prove(image: Image, function: Function, job: Job, start: DeltaPath, finish: Callable[[DeltaPath], None]) -> None:
    """Proves a function. `finish` proves what is claimed of a state that returns."""
    heads, live = set(all_loops(image, function)), live_registers(image, function)
    joins = waists(image, function)

    def stops(path: DeltaPath) -> bool:
        calls = (FlowControl.CALL, FlowControl.INDIRECT_CALL)
        return path.address in heads | joins or image.instruction(path.address).flow_control in calls

    def go(path: DeltaPath) -> list[DeltaPath]:
        return run(image, path, stops, {})

    pending, waiting, returned = [start], [], False
    while pending or waiting:
        if not pending:  # All states that are left wait where they join.
            pending, waiting = _joined(job, start, waiting, live), []
        state = pending.pop()
        for path in Loop(job, state, live[state.address], go).left() if state.address in heads else go(state):
            if path.address == RETURN:
                finish(path)
                returned = returned or example(path.conditions) is not None
            elif path.address in heads:
                pending.append(path)
            elif path.address in joins:
                waiting.append(path)
            else:
                raise Refuted(f"calls another function at {path.address:#x}")
    if not returned:
        raise Inconclusive("no input takes any of the paths")


def _joined(job: Job, start: DeltaPath, paths: list[DeltaPath], live: dict[int, set[int]]) -> list[DeltaPath]:
    """Replaces states that differ only in how they were reached by one. What they have stored is
    compared with the slices, and the conditions that all of them meet are kept."""
    groups: list[list[DeltaPath]] = []
    for path in paths:
        ends = [end for end in (job.history, job.size * job.count) if path.distance(path.done, end) == 0]
        path.done, path.results = z3.simplify(ends[0]) if ends else path.done, []
        for place, number in REGISTERS.items():
            if place[0] != "general" or number not in live[path.address]:
                forget(path, place)
        path.flags = dict.fromkeys(path.flags)
        group = next((group for group in groups if _are_alike(group[0], path, live[path.address])), None)
        if group is None:
            groups.append([path])
        else:
            group.append(path)
    for first, *others in groups:
        first.conditions = [
            one
            for one in first.conditions
            if names(one) <= start.lengths and all(other.follows(one) for other in others)
        ]
    return [group[0] for group in groups]


def _are_alike(one: DeltaPath, other: DeltaPath, live: set[int]) -> bool:
    """Whether all is the same in two states but their conditions."""
    registers = [at for (kind, at), number in REGISTERS.items() if kind == "general" and number in live]
    first, then = one.memory.kept, other.memory.kept
    return (
        one.address == other.address
        and one.done.eq(other.done)
        and all(_same(*(simplified(plain(path.general[at])) for path in (one, other))) for at in registers)
        and first.keys() == then.keys()
        and same_bytes(list(first.values()), [then[key] for key in first])
    )


class Loop:
    """A loop at which a state has arrived. The contents of registers are lanes, of which those that are
    None are unknown."""

    def __init__(self, job: Job, first: DeltaPath, live: set[int], go: Callable[[DeltaPath], list[DeltaPath]]) -> None:
        self.job, self.first, self.go = job, first, go
        self.turns = first.new_length("turns")
        self.live = [place for place, number in REGISTERS.items() if number in live]
        self.contents: dict[Place, list[Any]] = {}
        self.invariants: list[z3.BoolRef] = []
        self.step = z3.BitVecVal(0, 64)

    def left(self) -> list[DeltaPath]:
        """Proves the loop, and returns the states that leave it."""
        turned = self._arrivals(self.first)
        if not turned:
            return self.go(self.first)
        self._guess(turned[0])
        candidates = [one for path in self._arrivals(self._general()) for one in self._candidates(path)]
        self.invariants = [one for one in candidates if self.first.follows(self._at(one, z3.BitVecVal(0, 64)))]
        while any([self._weaken(path) for path in self._arrivals(self._general())]):
            pass
        paths = self.go(self._general())
        for path in paths:
            if path.address == self.first.address:
                self._prove_arrival(path)
        return [path for path in paths if path.address != self.first.address]

    def _arrivals(self, start: DeltaPath) -> list[DeltaPath]:
        """Returns the states after a turn, without proofs."""
        start = start.copy()
        start.memory.checked = False
        return [path for path in self.go(start) if path.address == self.first.address]

    # The state after any number of turns.

    def _guess(self, turned: DeltaPath) -> None:
        """Takes what the first turn changes for what every turn changes."""
        self.step = z3.simplify(turned.done - self.first.done)
        if not z3.is_bv_value(self.step):
            raise Inconclusive(f"a turn stores {self.step} bytes")
        for place in self.live:
            first, then = self._lanes(self.first, place), self._lanes(turned, place)
            if len(first) != len(then):  # A length became another number, or the reverse.
                then = [None] * len(first)
            self.contents[place] = [self._changing(place, a, b) for a, b in zip(first, then, strict=True)]

    def _changing(self, place: Place, first: Any, then: Any) -> Any:
        """Returns what a lane has after any number of turns, by its contents before and after the first."""
        if _same(first, then):
            return first
        if place[0] == "mask":
            return None
        path, memory = self.first, self.first.memory
        offsets = memory.offset(first), memory.offset(then)
        if all(one is not None for one in offsets):
            step = path.distance(*reversed(offsets))
            return None if step is None else memory.value(offsets[0] + step * self.turns)
        if place[0] == "general" and _are_lengths(path, first, then):
            step = path.distance(then, first)
            return None if step is None else z3.simplify(term(first, 64) + step * self.turns)
        return None

    def _general(self) -> DeltaPath:
        """Returns the general state."""
        path = self.first.copy()
        for place in REGISTERS:
            if place in self.contents:
                self._put(path, place, self.contents[place])
            else:
                forget(path, place)
        path.flags = dict.fromkeys(path.flags)
        path.done, path.results = z3.simplify(self.first.done + self.step * self.turns), []
        path.conditions = [*self.first.conditions, *self.invariants]
        return path

    def _lanes(self, path: DeltaPath, place: Place) -> list[Any]:
        """Returns the content of a register. A number of 64 bits that is a length is one lane."""
        (kind, at), bits = place, self.job.integer.bits
        if kind == "mask":
            return list(path.masks[at])
        if kind == "vector":
            words = lanes(path.vectors[at], bits)
        else:
            word = simplified(plain(path.general[at]))
            if known(word) or path.is_length(word):
                return [word]
            words = lanes(as_bytes([word], 64), bits)
        return [word if known(word) else path.named(word) for word in words]

    def _put(self, path: DeltaPath, place: Place, content: list[Any]) -> None:
        kind, at = place
        if kind == "mask":
            path.masks[at] = [fresh_mask()[0] if bit is None else bit for bit in content]
            return
        width = 64 if len(content) == 1 else self.job.integer.bits
        source = as_bytes([fresh("forgotten", width) if word is None else word for word in content], width)
        if kind == "vector":
            path.vectors[at] = source
        else:
            path.general[at] = simplified(lanes(source, 64)[0])

    def _at(self, content: Any, turns: z3.BitVecRef) -> Any:
        """Returns a content of the general state after another number of turns."""
        if not z3.is_expr(content):
            return content
        memory, pairs = self.first.memory, [(self.turns, turns)]
        for name in names(content) & set(memory.offsets):
            offset = memory.offsets[name]
            pairs.append((memory.value(offset), memory.value(z3.substitute(offset, pairs[0]))))
        return z3.simplify(z3.substitute(content, *pairs))

    # What holds after any number of turns.

    def _candidates(self, path: DeltaPath) -> Iterator[z3.BoolRef]:
        """Yields formulas that may be invariants: what the turn before had to meet, that nothing exceeds
        what it began with, and a limit of the number of turns."""
        zero, before = z3.BitVecVal(0, 64), self.turns - 1
        yield z3.ULE(self.turns, LONGEST // max(self.step.as_long(), 1))
        words = [word for place, lanes_ in self.contents.items() if place[0] == "general" for word in lanes_]
        for one in path.length_conditions()[len(self.first.length_conditions()) :]:
            yield self._at(one, before)
            atom = one.arg(0) if z3.is_not(one) else one
            if atom.num_args() == 2 and z3.is_bv(atom.arg(0)):
                words.append(self._at(atom.arg(0) - atom.arg(1), before))
        for word in words:
            if z3.is_bv(word) and self.turns.decl().name() in names(word):
                first = self._at(word, zero)
                yield from (z3.ULE(word, first), z3.ULE(first, word))

    def _weaken(self, path: DeltaPath) -> bool:
        """Removes what a turn contradicts. Returns whether there was something."""
        changed = False
        for place, content in self.contents.items():
            kept = self._kept(path, place)
            changed |= sum(one is None for one in kept) > sum(one is None for one in content)
            self.contents[place] = kept
        invariants = [one for one in self.invariants if path.follows(self._at(one, self.turns + 1))]
        changed |= len(invariants) < len(self.invariants)
        self.invariants = invariants
        return changed

    def _kept(self, path: DeltaPath, place: Place) -> list[Any]:
        content, now = self.contents[place], self._lanes(path, place)
        if len(content) != len(now):
            return [None] * len(content)
        pairs = zip(content, now, strict=True)
        return [one if self._is_met(path, self._at(one, self.turns + 1), new) else None for one, new in pairs]

    def _is_met(self, path: DeltaPath, expected: Any, now: Any) -> bool:
        return _same(expected, now) or (_are_lengths(path, expected, now) and path.distance(expected, now) == 0)

    def _prove_arrival(self, path: DeltaPath) -> None:
        """Proves that the general state includes a state after one more turn."""
        for one in self.invariants:
            prove_lengths(path.length_conditions(), self._at(one, self.turns + 1), f"an invariant is lost: {one}")
        for place, content in self.contents.items():
            if sum(one is None for one in self._kept(path, place)) > sum(one is None for one in content):
                raise Refuted(f"{place} changes otherwise than in the first turn")
        if path.distance(path.done, self.first.done + self.step * (self.turns + 1)) != 0:
            raise Refuted("a turn stores another number of results than the first")
        first, now = self.first.memory.kept, path.memory.kept
        if first.keys() != now.keys() or not same_bytes(list(first.values()), list(now.values())):
            raise Inconclusive("a turn changes the stack")


def _are_lengths(path: DeltaPath, *words: Any) -> bool:
    return all(known(one) or (z3.is_bv(one) and one.size() == 64 and path.is_length(one)) for one in words)


def _same(one: Any, other: Any) -> bool:
    if z3.is_expr(one) and z3.is_expr(other):
        return one.eq(other)
    if z3.is_expr(one) or z3.is_expr(other):
        number, word = (one, other) if known(one) else (other, one)
        return known(number) and z3.is_bv_value(word) and word.as_long() == number
    return one is not None and one == other
