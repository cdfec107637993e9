"""Proofs about loops, by induction.

The state at the head of a loop is not given: it is what the first arrival has, less whatever a later
arrival contradicts. A register may keep its first content, or the content that follows from how far
the job has come. Conditions of the first arrival are invariants as long as every arrival meets them.
Once nothing changes any more, one turn from each head is run again, with all proofs.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

import z3
from iced_x86 import FlowControl

from model.failures import Inconclusive, Refuted

from . import output
from .explore import RETURN, Contract, run
from .flow import outermost_loops
from model.image import Function, Image
from .job import Job
from .path import Path, fresh, fresh_mask, fresh_vector
from .solver import example, names, prove_lengths
from model.terms import Byte, as_bytes, known, lanes, same_bits, same_bytes, simplified, term

Place = tuple[str, Any]  # ("general", 3), ("vector", 3), ("mask", 3) or ("kept", (region, offset))
Progress = tuple[Any, Any]  # values done, bytes written
Key = tuple[int, tuple[int, ...]]  # a head: address and phase


@dataclass
class Head:
    """What is known at the head of a loop: for each place, the contents that no arrival contradicts;
    and the invariants. It `turns` if values may be done there: a state arrives from a head, or after a
    call."""

    first: Path
    contents: dict[Place, list[Any]]
    invariants: list[z3.BoolRef]
    forgotten: set[Place] = field(default_factory=set)
    turns: bool = False

    def state(self, job: Job) -> Path:
        """Returns the general state."""
        path = self.first.copy()
        for place, contents in self.contents.items():
            put(path, place, contents[0])
        for place in self.forgotten:
            forget(path, place)
        path.conditions = [*job.facts(), *self.invariants]
        path.log, path.packs, path.counts = [], [], []
        path.flags = dict.fromkeys(path.flags)
        return path


class Induction:
    """Runs a function from its start and from the heads of its loops. `finish` proves what is claimed
    of a state that returns, from how far the job had come at the start or head."""

    def __init__(
        self,
        image: Image,
        function: Function,
        job: Job,
        calls: Mapping[int, Contract],
        finish: Callable[[Path, Any, Any], None],
    ) -> None:
        self.image, self.job, self.calls = image, job, calls
        loops = outermost_loops(image, function)
        self._loops = set(loops)
        self._calling = {head for head, body in loops.items() if any(self._calls(address) for address in body)}
        self.finish = finish
        self.heads: dict[Key, Head] = {}

    def prove(self, start: Path) -> None:
        """Proves the function from a state in which nothing is done yet."""
        self._lasting = frozenset(start.lengths)
        for content in contents_of(start).values():
            self._lasting |= _names_in(content)
        self._find_heads(start)
        zero = z3.BitVecVal(0, 64)
        self._prove_from(start, zero, zero)
        for head in self.heads.values():
            progress = (self.job.done, self.job.written) if head.turns else (zero, zero)
            self._prove_from(head.state(self.job), *progress)

    def _calls(self, address: int) -> bool:
        instruction = self.image.instruction(address)
        return instruction.flow_control == FlowControl.CALL and instruction.near_branch_target in self.calls

    def _stops(self, path: Path) -> bool:
        """Whether a state is at a head. A loop of calls has no general state before the first call."""
        return path.address in self._loops and not (path.address in self._calling and not path.phase)

    def _key(self, path: Path) -> Key:
        """Returns the head at which a state is. The phase matters only for the next call."""
        return path.address, path.phase if path.address in self._calling else ()

    def _find_heads(self, start: Path) -> None:
        pending: list[Key | None] = [None]
        while pending:
            key = pending.pop(0)
            path = start.copy() if key is None else self.heads[key].state(self.job)
            path.memory.checked = False
            for arrival in run(self.image, path, self._stops, self.calls):
                if arrival.address == RETURN:
                    continue
                at = self._key(arrival)
                if at not in self.heads:
                    self.heads[at] = self._first(arrival, key is None)
                    changed = True
                else:
                    changed = self._weaken(self.heads[at], arrival, self._arrived(arrival, key))
                if (key is not None or arrival.log) and not self.heads[at].turns:
                    self.heads[at].turns = changed = True
                if changed and at not in pending:
                    pending.append(at)

    def invariants(self) -> list[z3.BoolRef]:
        """Returns further invariants."""
        return []

    def _first(self, arrival: Path, from_start: bool) -> Head:
        """Returns what the first arrival tells about a head."""
        arrival.memory.checked = True
        conditions = [one for one in arrival.length_conditions() if not _is_fact(one, self.job)]
        contents = contents_of(arrival)
        if arrival.log:
            contents, conditions = self._after_call(arrival, contents, conditions)
        # What a name stands for that was made on the way differs from arrival to arrival.
        lasting = {place: content for place, content in contents.items() if _names_in(content) <= self._lasting}
        conditions = [one for one in conditions if names(one) <= self._lasting]
        alternatives = self._with_advancing if from_start and not arrival.log else lambda content: [content]
        return Head(
            arrival,
            {place: alternatives(content) for place, content in lasting.items()},
            [*[one for condition in conditions for one in alternatives(condition)], *self.invariants()],
            _places(arrival) - set(lasting),
        )

    def _with_advancing(self, content: Any) -> list[Any]:
        advancing = self.job.advancing(content) if z3.is_expr(content) else content
        return [content] if advancing is content or advancing.eq(content) else [content, advancing]

    def _after_call(
        self, arrival: Path, contents: dict[Place, Any], conditions: list[z3.BoolRef]
    ) -> tuple[dict[Place, Any], list[z3.BoolRef]]:
        """Replaces the numbers of a call: they are what the job has done now, less what it had done
        before. Returns the contents and conditions that are about now."""
        if len(arrival.log) != 1 or not isinstance(arrival.log[0], output.Encoded):
            raise Inconclusive("values are encoded before the first arrival at a loop")
        [call], job, now = arrival.log, self.job, z3.BitVecs("done_now written_now", 64)
        pairs = [(call.values, now[0] - job.done), (call.length, now[1] - job.written)]
        if z3.is_bv_value(call.offset):  # from the start
            pairs = [(call.values, now[0]), (call.length, now[1])]

        def about_now(content: Any) -> Any:
            if not z3.is_expr(content):
                return content
            new = z3.simplify(z3.substitute(content, *pairs))
            if names(new) & {job.done.decl().name(), job.written.decl().name()}:
                return None
            return z3.substitute(new, *zip(now, (job.done, job.written), strict=True))

        new_contents = {place: about_now(content) for place, content in contents.items()}
        new_conditions = [about_now(condition) for condition in conditions]
        return (
            {place: content for place, content in new_contents.items() if content is not None},
            [condition for condition in new_conditions if condition is not None],
        )

    def _arrived(self, arrival: Path, key: Key | None) -> Progress:
        """Returns how far the job has come, by the places that hold what is left. All of it is proved
        later."""
        job = self.job
        zero = z3.BitVecVal(0, 64)
        before = (zero, zero) if key is None else (job.done, job.written)
        if not arrival.log:
            return before
        if len(arrival.log) == 1 and isinstance(arrival.log[0], output.Encoded):
            [call] = arrival.log
            return z3.simplify(before[0] + call.values), z3.simplify(before[1] + call.length)
        if key is None:
            raise Inconclusive("values are encoded before the first loop")
        now = contents_of(arrival)
        done, written = [], []
        for place, contents in self.heads[key].contents.items():
            word = now.get(place)
            if z3.is_expr(word) and z3.is_expr(contents[0]) and not word.eq(contents[0]):  # It changed.
                for content in filter(z3.is_expr, contents):
                    done += self._done_by(content, word)
                    written += self._written_by(content, word)
        if not done or not written:
            raise Inconclusive("no register tells how far a turn has come")
        return done[0], written[0]

    def _done_by(self, general: z3.BitVecRef, now: z3.BitVecRef) -> list[z3.BitVecRef]:
        """Returns the number of values that are done, if a place holds the number of those left or
        points to them."""
        job = self.job
        source, left, _, _ = job.rest()
        if difference(general, left) == 0:
            return [z3.simplify(job.values - now)]
        if difference(general, source) != 0:
            return []
        for start, before in ((job.source.start, z3.BitVecVal(0, 64)), (source, job.done)):
            if (size := difference(now, start)) is not None:
                return [z3.simplify(before + size // job.size)]
        return []

    def _written_by(self, general: z3.BitVecRef, now: z3.BitVecRef) -> list[z3.BitVecRef]:
        """Returns the number of bytes that are written, if a place points to the next one."""
        destination = self.job.rest()[2]
        return [z3.simplify(now - self.job.destination.start)] if difference(general, destination) == 0 else []

    def _weaken(self, head: Head, arrival: Path, progress: Progress) -> bool:
        now, changed = contents_of(arrival), False
        for place, contents in list(head.contents.items()):
            matching = [one for one in contents if self._matches(arrival, one, now.get(place), progress)]
            if len(matching) < len(contents):
                changed = True
                head.contents[place] = matching
                if not matching:
                    del head.contents[place]
                    head.forgotten.add(place)
        kept = list(head.invariants)
        if kept and not arrival.follows(z3.And(*[self.job.at(one, *progress) for one in kept])):
            kept = [one for one in kept if arrival.follows(self.job.at(one, *progress))]
        changed |= len(kept) < len(head.invariants)
        head.invariants = kept
        return changed

    def _matches(self, arrival: Path, general: Any, now: Any, progress: Progress) -> bool:
        if isinstance(general, list):
            return isinstance(now, list) and same(general, now)
        if now is None or isinstance(now, list):
            return False
        expected = self.job.at(general, *progress)
        if known(expected) and known(now):
            return expected == now
        expected, now = term(expected, 64), term(now, 64)
        if difference(expected, now) == 0:
            return True
        return arrival.is_length(expected) and arrival.is_length(now) and arrival.follows(expected == now)

    # The proofs.

    def _prove_from(self, start: Path, done: Any, written: Any) -> None:
        key = self._key(start) if self._stops(start) else None
        paths = run(self.image, start, self._stops, self.calls)
        if not any(example(path.conditions) is not None for path in paths):
            raise Inconclusive("no input takes any of the paths")
        for path in paths:
            if path.address == RETURN:
                self.finish(path, done, written)
            else:
                self._prove_arrival(path, key, done, written)

    def _prove_arrival(self, path: Path, key: Key | None, done: Any, written: Any) -> None:
        """Proves that a state at a head is one that the head's general state includes."""
        progress, head, now = self._arrived(path, key), self.heads[self._key(path)], contents_of(path)
        if (key is not None or path.log) and not head.turns:
            raise Inconclusive("a loop turns that did not turn before")
        output.check(path, self.job, done, written, *progress)
        for one in head.invariants:
            prove_lengths(path.length_conditions(), self.job.at(one, *progress), f"an invariant is lost: {one}")
        for place, contents in head.contents.items():
            if not self._matches(path, contents[0], now.get(place), progress):
                raise Refuted(f"{place} at the head of a loop is {now.get(place)}, not {contents[0]}")


def _is_fact(condition: z3.BoolRef, job: Job) -> bool:
    return any(condition.eq(fact) for fact in job.facts())


def _names_in(content: Any) -> frozenset[str]:
    if isinstance(content, list):
        return frozenset().union(*map(_names_in, content))
    return frozenset() if known(content) else names(content.word() if isinstance(content, Byte) else content)


def difference(a: z3.BitVecRef, b: z3.BitVecRef) -> int | None:
    """Returns the difference of two terms, if it is the same for all inputs."""
    simple = z3.simplify(a - b)
    return simple.as_long() if z3.is_bv_value(simple) else None


def same(some: list[Any], others: list[Any]) -> bool:
    if any(z3.is_expr(one) or isinstance(one, bool) for one in (*some, *others)):
        return same_bits(some, others)
    return same_bytes(some, others)


def _places(path: Path) -> set[Place]:
    """Returns all registers and all words of the kept regions, of which some bytes may be unknown."""
    words = {("kept", (region, offset - offset % 8)) for region, offset in path.memory.kept}
    counts = {"general": 16, "vector": 32, "mask": 8}
    return words | {(kind, index) for kind, count in counts.items() for index in range(count)}


def contents_of(path: Path) -> dict[Place, Any]:
    """Returns the content of every place that has one."""
    contents: dict[Place, Any] = {}
    for kind, at in sorted(_places(path), key=str):
        if kind == "kept":
            source = [path.memory.kept.get((at[0], at[1] + index)) for index in range(8)]
            if not any(byte is None for byte in source):
                contents[kind, at] = simplified(lanes(source, 64)[0])
        else:
            registers = {"general": path.general, "vector": path.vectors, "mask": path.masks}[kind]
            contents[kind, at] = simplified(registers[at]) if kind == "general" else registers[at]
    return contents


def put(path: Path, place: Place, content: Any) -> None:
    kind, at = place
    if kind == "kept":
        for index, byte in enumerate(as_bytes([content], 64)):
            path.memory.kept[at[0], at[1] + index] = byte
    else:
        {"general": path.general, "vector": path.vectors, "mask": path.masks}[kind][at] = content


def forget(path: Path, place: Place) -> None:
    """Replaces the content of a place by an unknown one."""
    kind, at = place
    if kind == "general":
        path.general[at] = fresh("forgotten")
    elif kind == "vector":
        path.vectors[at] = fresh_vector()
    elif kind == "mask":
        path.masks[at] = fresh_mask()
    else:
        for index in range(8):
            path.memory.kept.pop((at[0], at[1] + index), None)
