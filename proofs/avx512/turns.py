"""Loops of functions that add up numbers, by induction on the number of turns.

A path that comes to a loop is replaced by one for any number of turns: what changes is a function of
that number, or forgotten. The conditions of the path stay true, because nothing that they mention
changes. The functions are found by the first turn, and are proved by a turn from the general state.

A loop that ends when two words are equal would miss an end that it steps over. An invariant is
therefore that the end is still ahead. It can be proved only if the distance is a multiple of the step.
"""

from collections.abc import Callable, Iterable
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

import z3

from steps.failures import Inconclusive, Refuted

from .decode_contents import REGISTERS
from .explore import RETURN, run
from .flow import all_loops, live_registers
from .image import Function, Image
from .induction import Place, contents_of, difference, forget, put, same
from .job import LONGEST
from .path import fresh
from .solver import names
from .sum_path import Read, SumPath
from .terms import as_bytes, lanes, term

Invariant = Callable[[SumPath, Any], z3.BoolRef]  # of a state after some turns


@dataclass(frozen=True)
class Range:
    """What the turns of a loop read: each `size` bytes, from `start` on."""

    start: z3.BitVecRef
    size: int

    def end(self, turns: Any) -> z3.BitVecRef:
        return z3.simplify(self.start + self.size * term(turns, 64))


@dataclass(frozen=True)
class Moving:
    """A number that each turn changes by a constant, and by `sign` times the sum of what it reads. If the
    number is the sum of the lanes of a vector, it has their width."""

    first: z3.BitVecRef
    step: int
    sign: int
    range: Range | None

    def at(self, path: SumPath, turns: Any) -> z3.BitVecRef:
        """Returns the number after some turns."""
        change = self.step * term(turns, 64)
        if self.sign and self.range is not None:
            change += self.sign * path.between(self.range.start, self.range.end(turns))
        return z3.simplify(self.first + _low(change, self.first.size()))


class Loop:
    """What is known of a loop that a path has come to."""

    def __init__(self, entry: SumPath, dead: Iterable[Place]) -> None:
        self.entry, self._before = entry, contents_of(entry)
        self.turns = fresh("turns")
        self.range: Range | None = None
        self.moving: dict[Place, Moving] = {}
        self.forgotten = set(dead)
        self.invariants: list[Invariant] = []
        self._first: dict[Place, z3.BitVecRef] = {}
        for place in set(self._before) - self.forgotten:
            with suppress(Refuted):  # It is not a number that is added up.
                self._first[place] = _number(entry, place)

    def state(self) -> SumPath:
        """Returns the state after any number of turns."""
        path = self.entry.copy()
        path.lengths.add(self.turns.decl().name())
        for invariant in self.invariants:
            path.assume(invariant(path, self.turns))
        for place, moving in self.moving.items():
            self._put(path, place, moving.at(path, self.turns))
        for place in self.forgotten:
            forget(path, place)
        if self.range is not None:
            path.read(Read(self.range.start, self.range.end(self.turns)))
        path.flags = dict.fromkeys(path.flags)
        return path

    def _put(self, path: SumPath, place: Place, number: z3.BitVecRef) -> None:
        if place[0] != "vector":
            put(path, place, number)
            return
        # The lanes are forgotten, except for their sum.
        unknown = [fresh("lane") for _ in range(7)]
        path.lengths |= {lane.decl().name() for lane in unknown}
        put(path, place, as_bytes([number - z3.Sum(unknown), *unknown], 64))

    # What a turn changes.

    def find(self, first: SumPath, reads_before: int) -> None:
        """Finds what changes, and how, by a state after the first turn."""
        self.range = _range(first, first.reads[reads_before:])
        self._settle(first, 1)
        now = contents_of(first)
        for place, before in self._before.items():
            if place not in self.forgotten and not _is_unchanged(before, now.get(place)):
                self._change(first, place)

    def _settle(self, path: SumPath, turns: Any) -> None:
        if self.range is not None:
            path.between(self.range.start, self.range.end(turns))
        path.settle()

    def _change(self, first: SumPath, place: Place) -> None:
        self.forgotten.add(place)
        if place not in self._first:
            return
        try:
            before, now = self._first[place], _number(first, place)
        except Refuted:
            return
        signs = (-1, 1) if place[0] == "vector" else (0, 1, -1)  # What is probable comes first.
        for sign in signs if self.range is not None else (0,):
            rest = now - before
            if sign:
                read = first.between(self.range.start, self.range.end(1))
                rest -= _low(sign * read, before.size())
            step = first.constant(rest)
            if step is not None:
                self.moving[place] = Moving(before, step, sign, self.range)
                self.forgotten.remove(place)
                return

    def find_invariants(self, arrivals: Iterable[SumPath]) -> None:
        """Finds invariants that may hold: the end is still ahead, and no sum is subtracted that is greater
        than the number."""
        known_before = len(self.entry.conditions)
        for arrival in arrivals:
            for condition in arrival.conditions[known_before:]:
                if (ahead := self._end_ahead(condition)) is not None:
                    self.invariants.append(ahead)
        for place, moving in self.moving.items():
            if moving.sign < 0 and place[0] != "vector":
                self.invariants.append(_no_borrow(moving))
        self.invariants = [one for one in self.invariants if self.entry.follows(one(self.entry, 0))]

    def _end_ahead(self, condition: z3.BoolRef) -> Invariant | None:
        """Returns the invariant for a condition that two words differ, one of which moves towards the
        other."""
        equal = condition.arg(0) if z3.is_not(condition) else None
        if equal is None or not z3.is_eq(equal) or not z3.is_bv(equal.arg(0)):
            return None
        if self.turns.decl().name() not in names(equal):
            return None
        distance = equal.arg(0) - equal.arg(1)
        first, second = (z3.simplify(z3.substitute(distance, (self.turns, z3.BitVecVal(n, 64)))) for n in (0, 1))
        step = z3.simplify(second - first)
        if not z3.is_bv_value(step) or step.as_long() == 0:
            return None
        by = step.as_signed_long()
        # The condition is that of a turn's end. This is the distance before the first turn.
        ahead = z3.simplify(by - first if by > 0 else first - by)
        ahead = z3.ZeroExt(64 - ahead.size(), ahead) if ahead.size() < 64 else ahead

        def invariant(path: SumPath, turns: Any) -> z3.BoolRef:
            turns = term(turns, 64)
            return z3.And(z3.ULE(turns, LONGEST // abs(by)), z3.ULT(abs(by) * turns, ahead))

        return invariant

    # The induction.

    def weaken(self, arrivals: Iterable[SumPath]) -> bool:
        """Forgets what a state after one more turn contradicts. Returns whether there is anything."""
        after = z3.simplify(self.turns + 1)
        forgotten, lost = set(), []
        for arrival in arrivals:
            self._settle(arrival, after)
            now = contents_of(arrival)
            for place in self._before:
                if place not in self.forgotten and not self._is_expected(arrival, place, now.get(place), after):
                    forgotten.add(place)
            lost += [one for one in self.invariants if not arrival.follows(one(arrival, after))]
        for place in forgotten:
            self.moving.pop(place, None)
        self.forgotten |= forgotten
        self.invariants = [one for one in self.invariants if one not in lost]
        return bool(forgotten or lost)

    def _is_expected(self, arrival: SumPath, place: Place, now: Any, turns: z3.BitVecRef) -> bool:
        if place not in self.moving:
            return _is_unchanged(self._before[place], now)
        try:
            number = _number(arrival, place)
        except Refuted:
            return False
        return arrival.follows(number == self.moving[place].at(arrival, turns))


def _no_borrow(moving: Moving) -> Invariant:
    def invariant(path: SumPath, turns: Any) -> z3.BoolRef:
        return z3.ULE(path.between(moving.range.start, moving.range.end(turns)), moving.first)

    return invariant


def _low(word: z3.BitVecRef, width: int) -> z3.BitVecRef:
    return z3.Extract(width - 1, 0, word) if width < word.size() else word


def _range(path: SumPath, reads: list[Read]) -> Range | None:
    """Returns what a turn reads, as far as it is one range of a constant size."""
    found = path.example()
    if found is None or not reads:
        return None

    def at(offset: z3.BitVecRef) -> int:
        return found.eval(offset, model_completion=True).as_long()

    start = min((one.start for one in reads), key=at)
    size = path.constant(max((one.end for one in reads), key=at) - start)
    return Range(start, size) if size is not None and size > 0 and size % path.job.size == 0 else None


def _number(path: SumPath, place: Place) -> z3.BitVecRef:
    """Returns the number in a place: a word, or the sum of the lanes of a vector."""
    kind, at = place
    if kind == "vector":
        number = z3.simplify(z3.Sum([path.in_numbers(lane) for lane in lanes(path.vectors[at], 64)]))
    elif kind == "general":
        number = path.in_numbers(path.general[at])
    else:
        raise Refuted(f"{place} is no number")
    if not path.is_length(number):
        raise Refuted(f"{place} is no number")
    return number


def _is_unchanged(before: Any, now: Any) -> bool:
    if isinstance(before, list):
        return isinstance(now, list) and same(before, now)
    if now is None or isinstance(now, list):
        return False
    return difference(term(now, 64), term(before, 64)) == 0


class Turns:
    """Runs a function with its loops, or one that jumps to it."""

    def __init__(self, image: Image, function: Function) -> None:
        self.image, self.loops = image, all_loops(image, function)
        self._live = live_registers(image, function)

    def run(self, start: SumPath) -> list[SumPath]:
        """Returns the states that return."""
        return self._run(start, lambda path: path.address == RETURN)

    def _run(self, start: SumPath, ends: Callable[[SumPath], bool]) -> list[SumPath]:
        def stops(path: SumPath) -> bool:
            return path.address in self.loops or ends(path)

        ended, pending = [], run(self.image, start, stops, {})
        while pending:
            path = pending.pop()
            if ends(path):
                ended.append(path)
            elif path.address in self.loops:
                pending += self._loop(path)
            else:
                pending += run(self.image, path, stops, {})
        return ended

    def _loop(self, entry: SumPath) -> list[SumPath]:
        """Returns the states after a loop."""
        head, body = entry.address, self.loops[entry.address]

        def turn(start: SumPath) -> tuple[list[SumPath], list[SumPath]]:
            """Returns the states that are at the head again, and those that have left the loop."""
            paths = self._run(start, lambda path: path.address == head or path.address not in body)
            return [one for one in paths if one.address == head], [one for one in paths if one.address != head]

        dead = [place for place, number in REGISTERS.items() if number not in self._live[head]]
        loop, checked = Loop(entry, dead), entry.memory.checked
        entry.memory.checked = False
        back, left = turn(entry)
        returns = again = bool(back)
        if returns:
            loop.find(back[0], len(entry.reads))
            loop.find_invariants(turn(loop.state())[0])
        while again:
            back, left = turn(loop.state())
            again = loop.weaken(back)
        if checked:  # Now with all proofs.
            entry.memory.checked = True
            back, left = turn(loop.state() if returns else entry)
            if (back and not returns) or loop.weaken(back):
                raise Inconclusive(f"a turn of the loop at {head:#x} changes what is known")
        return left
