"""Proofs about the loops of the decoder, by induction.

As in `induction.py`, the state at the head of a loop is what the first arrival has, less whatever a
later arrival contradicts. Contents are terms of the progress, of bytes of the source at places that
depend on it, and of notes about these bytes. What they are at another time follows by substitution.
What is contradicted becomes an unknown number. Invariants about numbers are candidates that every
arrival meets.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

import z3

from model.failures import Inconclusive, Refuted

from . import decode_output as output
from .decode_contents import REGISTERS, Place, are_equal, as_terms, contents_of, key_of, names_in, places, put, together
from .decode_job import Job
from .decode_path import DecoderPath, Progress
from .explore import RETURN, Contract, run
from .flow import cut_points, live_registers
from model.image import Function, Image
from .induction import forget
from .job import LONGEST
from .path import fresh
from .solver import example, names, prove_lengths
from model.terms import Bits, Byte, known, plain, term

ENOUGH_ARRIVALS = 12  # If these change what is known of the head that they come from, it is run again.
Renaming = dict[str, z3.ExprRef]  # what becomes of an unknown


@dataclass
class Head:
    """What is known at the head of a loop: the contents of each place that no arrival contradicts, in
    alternatives; numbers that may be anything; and the invariants."""

    first: DecoderPath
    contents: dict[Place, list[Any]]
    invariants: list[z3.BoolRef]
    pending: bool
    numbers: dict[Place, z3.BitVecRef] = field(default_factory=dict)
    tried: list[z3.BoolRef] = field(default_factory=list)
    steps: dict[Place, int | None] = field(default_factory=dict)  # by how much a turn changes a number, if known
    advances: dict[str, int | None] = field(default_factory=dict)  # by how much it changes the progress
    put: dict[Place, Any] = field(default_factory=dict)  # the contents in the last general state
    put_numbers: set[Place] = field(default_factory=set)
    put_invariants: list[z3.BoolRef] = field(default_factory=list)

    def state(self, job: Job, facts: list[z3.BoolRef]) -> DecoderPath:
        """Returns the general state."""
        path = self.first.copy()
        self.put = {place: contents[0] for place, contents in self.contents.items()}
        self.put_numbers, self.put_invariants = set(self.numbers), list(self.invariants)
        for place in places(path):
            if place in self.contents:
                put(path, place, self.contents[place][0])
            elif place in self.numbers:
                put(path, place, self.numbers[place])
            elif place[0] != "part":  # Its word is forgotten.
                forget(path, place)
        path.lengths |= {number.decl().name() for number in self.numbers.values()} | job.lengths()
        path.conditions = [*facts, *self.invariants]
        path.progress = Progress(job.values, job.bytes, self.pending)
        path.log, path.taken, path.memory.pinned, path.memory.masked = [], [], {}, []
        path.flags = dict.fromkeys(path.flags)
        return path


class Induction:
    """Runs a function from its start and from the heads of its loops. `finish` proves what is claimed
    of a state that returns."""

    def __init__(
        self,
        image: Image,
        function: Function,
        job: Job,
        calls: Mapping[int, Contract],
        finish: Callable[[DecoderPath], None],
        joints: set[int] | None = None,
    ) -> None:
        """With `joints`, paths with the same state are joined at the heads of the loops and there."""
        self.image, self.job, self.calls, self.finish = image, job, calls, finish
        self._joins, self._joints = joints is not None, joints or set()
        self._cuts = cut_points(image, function) | self._joints
        live = live_registers(image, function)
        self._dead = {
            cut: [place for place, number in REGISTERS.items() if number not in live[cut]] for cut in self._cuts
        }
        self.heads: dict[int, Head] = {}

    def prove(self, start: DecoderPath) -> None:
        """Proves the function."""
        self._lasting = frozenset(start.lengths)
        for content in contents_of(start).values():
            self._lasting |= names_in(content)
        self._start = start.progress
        self._progress_names = {self.job.values.decl().name(), self.job.bytes.decl().name()}
        self._facts = start.conditions
        self._find_heads(start)
        self._prove_from(start)
        for head in self.heads.values():
            self._prove_from(head.state(self.job, self._facts))

    def _stops(self, path: DecoderPath) -> bool:
        return path.address in self._cuts

    def _run(self, path: DecoderPath) -> list[DecoderPath]:
        arrived = run(self.image, path, self._stops, self.calls)
        if self._joins:
            arrived = self._merged(arrived)
        return [one for one in arrived if path.asks or one.is_possible()]

    def _merged(self, paths: list[DecoderPath]) -> list[DecoderPath]:
        """Joins paths that differ only in what is forgotten. What is known of all of them is known of the
        joint one."""
        groups: dict[tuple[Any, ...], list[DecoderPath]] = {}
        contents = [self._contents(path) for path in paths]  # They are kept, so that the ids of terms stay theirs.
        for path, now in zip(paths, contents, strict=True):
            head = self.heads.get(path.address)
            key = (id(path),) if head is None else (path.address, *self._signature(head, path, now))
            groups.setdefault(key, []).append(path)
        joint = []
        for alike in groups.values():
            common = set.intersection(*[{one.get_id() for one in path.conditions} for path in alike])
            alike[0].conditions = [one for one in alike[0].conditions if one.get_id() in common]
            joint.append(alike[0])
        return joint

    def _signature(self, head: Head, path: DecoderPath, now: dict[Place, Any]) -> list[Any]:
        """Returns what tells apart the states at a head."""
        used = frozenset().union(*map(names, head.invariants))
        live = [place for place in now if place in head.contents]
        live += [place for place, number in head.numbers.items() if number.decl().name() in used]
        stores = [(one.offset.get_id(), tuple(map(key_of, one.bytes))) for one in path.log]
        progress = path.progress.values.get_id(), path.progress.bytes.get_id(), path.progress.pending
        return [progress, tuple(stores), *[(place, key_of(now.get(place))) for place in live]]

    def _contents(self, path: DecoderPath) -> dict[Place, Any]:
        """Returns the content of every place that is read again."""
        contents = contents_of(path)
        for place in self._dead.get(path.address, []):
            contents.pop(place, None)
        return contents

    # The state at the heads.

    def _find_heads(self, start: DecoderPath) -> None:
        pending: list[int | None] = [None]
        first_arrivals: list[DecoderPath] = []
        while pending:
            key = pending.pop(0)
            path = start.copy() if key is None else self.heads[key].state(self.job, self._facts)
            path.memory.checked = False
            arrivals = [one for one in self._run(path) if one.address != RETURN]
            changed = set()
            if key is None:
                first_arrivals = arrivals
            else:
                here = [one for one in arrivals if one.address == key]
                untold = [one for one in here if self._arrived(one, key) is None]
                if untold and self._follow(self.heads[key], untold, [one for one in here if one not in untold]):
                    pending.append(key)
                    continue
            # Those whose progress is known come first.
            for count, arrival in enumerate([*sorted(arrivals, key=lambda one: bool(one.log)), *first_arrivals]):
                at = arrival.address
                origin = None if arrival in first_arrivals else key
                if origin in changed and count > ENOUGH_ARRIVALS:  # The head is run again anyway.
                    continue
                progress = self._arrived(arrival, origin)
                # Once more is known of the head before, it is found.
                if progress is None or (at in self._joints and not arrival.log):
                    continue
                if at not in self.heads:
                    self.heads[at] = self._first(arrival, progress)
                    changed.add(at)
                elif self._weaken(self.heads[at], arrival, progress, origin == at):
                    changed.add(at)
            pending += [at for at in changed if at not in pending]

    def _follow(self, head: Head, arrivals: list[DecoderPath], told: list[DecoderPath]) -> bool:
        """Lets places follow the progress if no other place tells it and turns have changed their
        constants. Returns whether there are any. The number of values changes by one, and that of bytes
        in several ways, unless an arrival that has `told` its progress shows something else."""
        contents, changed = [self._contents(one) for one in arrivals], False
        for place, (constant, *moving) in head.contents.items():
            after = [one.get(place) for one in contents]
            if moving and known(constant) and not any(one is None for one in after):
                steps = {one - constant if known(one) else None for one in after}
                if steps != {0}:
                    by = {frozenset({self.job.size}): 0, frozenset({1}): 1}.get(frozenset(steps), 2)
                    shown = [one for one in moving if any(self._shows(head, other, place, one) for other in told)]
                    head.contents[place] = shown[:1] or moving[by : by + 1]
                    changed = True
        return changed

    def _shows(self, head: Head, arrival: DecoderPath, place: Place, content: Any) -> bool:
        """Whether a place has a content at an arrival that has told its progress."""
        now = self._contents(arrival)
        renaming = self._renaming(head, arrival, self._arrived(arrival, head.first.address), now)
        return self._matches(arrival, content, now.get(place), renaming)

    def _first(self, arrival: DecoderPath, progress: Progress) -> Head:
        """Returns what the first arrival tells about a head."""
        first = arrival.copy()
        first.memory.checked = True
        self._allowed = self._lasting | self._progress_names | self._notes(first)
        contents: dict[Place, list[Any]] = {}
        for place, content in self.generalised(first, self._contents(first)).items():
            found = [one for one in self._alternatives(content, progress) if self._is_general(first, one)]
            if found:
                contents[place] = found
        conditions = [one for one in arrival.length_conditions() if not any(one.eq(f) for f in self._facts)]
        general = [other for one in conditions for other in self._alternatives(one, progress)]
        invariants = [one for one in general if names(one) <= self._allowed]
        invariants += self.invariants(progress)
        head = Head(first, contents, invariants, progress.pending, tried=list(invariants))
        # The other half of a word of which one half is known stays unknown.
        halved = {("kept", (at[0], at[1] - at[1] % 8)) for kind, at in contents if kind == "part"}
        for place in set(places(first)) - set(contents) - halved - set(self._dead.get(first.address, [])):
            self._contradicted(head, place)
        return head

    def _alternatives(self, content: Any, progress: Progress) -> list[Any]:
        """Returns terms about the progress, of which one may be what the content always is."""
        job, now, start = self.job, z3.BitVecs("values_now bytes_now", 64), self._start
        if known(content) and not isinstance(content, bool):
            values, bytes_ = (a - b for a, b in ((job.values, start.values), (job.bytes, start.bytes)))
            moving = [z3.simplify(content + one) for one in (job.size * values, values, bytes_)]
            return [content, *[one for one in moving if not z3.is_bv_value(one)]]
        if isinstance(content, list | Bits):
            return [content] if progress == start else []
        pairs = [
            pair
            for pair in zip((progress.values, progress.bytes), now, strict=True)
            if not z3.is_bv_value(pair[0])
        ]
        new = z3.simplify(z3.substitute(content, *pairs)) if pairs else content
        if names(new) & self._progress_names and not z3.is_bool(content) and content.size() == 64:
            for unknown, so_far in zip(now, (progress.values, progress.bytes), strict=True):
                for new in (z3.simplify(content - so_far) + unknown, z3.simplify(content + so_far) - unknown):
                    if not names(new) & self._progress_names:
                        return [z3.simplify(z3.substitute(new, *zip(now, (job.values, job.bytes), strict=True)))]
        if names(new) & self._progress_names:
            return []
        advancing = z3.substitute(new, *zip(now, (job.values, job.bytes), strict=True))
        return [advancing, content] if not advancing.eq(content) else [content]

    def generalised(self, first: DecoderPath, contents: dict[Place, Any]) -> dict[Place, Any]:
        """Returns contents in which further unknowns tell where bytes of the source are."""
        return contents

    def invariants(self, progress: Progress) -> list[z3.BoolRef]:
        """Returns invariants about further unknowns."""
        return []

    def candidates(self, head: Head) -> list[z3.BoolRef]:
        """Returns formulas about the numbers, which may be invariants: a counter, and an end that is
        reached when the counter is zero."""
        job = self.job
        found = [z3.ULT(job.values, job.room), z3.ULT(job.bytes, job.length)]
        counters = {head.numbers[place]: step for place, step in head.steps.items() if step and abs(step) == 1}
        ends = [head.numbers[place] for place, step in head.steps.items() if step == 0]
        for counter, step in counters.items():
            found += [z3.UGE(counter, 1), z3.ULE(counter, LONGEST >> 6)]
            for now, limit in ((job.values, job.room), (job.bytes, job.length)):
                if by := head.advances.get(now.decl().name()):
                    for end in ends:
                        found += [now - (by * step) * counter == end, z3.ULE(end, limit)]
        return found

    def _note_steps(self, head: Head, progress: Progress, now: dict[Place, Any]) -> None:
        """Notes by how much a turn changes numbers and the progress."""
        job = self.job
        for unknown, word in ((job.values, progress.values), (job.bytes, progress.bytes)):
            _note_step(head.advances, unknown.decl().name(), word, unknown)
        for place, number in head.numbers.items():
            if place in head.put_numbers and z3.is_expr(now.get(place)):
                _note_step(head.steps, place, now[place], number)

    def further(self, head: Head, arrival: DecoderPath, progress: Progress) -> Renaming:
        """Returns what the further unknowns are at an arrival."""
        return {}

    def source_byte(self, arrival: DecoderPath, progress: Progress, offset: z3.BitVecRef) -> z3.BitVecRef:
        """Returns the name of a byte of the source at an arrival."""
        return arrival.memory.source_byte(self.job.source, offset)

    def _notes(self, path: DecoderPath) -> set[str]:
        """Returns the names that notes explain, of which the masks are of bytes of the source."""
        found: set[str] = set()
        for result, inputs in _notes(path):
            if all(self._is_explained(path, names(one), found) for one in inputs):
                found |= {name for one in result for name in names(one)}
        return found

    def _is_explained(self, path: DecoderPath, mentioned: frozenset[str], notes: set[str]) -> bool:
        offsets = path.memory.offsets
        return all(
            name in self._lasting or name in notes or (name in offsets and names(offsets[name]) <= self._lasting)
            for name in mentioned
        )

    def _is_general(self, path: DecoderPath, content: Any) -> bool:
        return self._is_explained(path, names_in(content), self._allowed)

    def _contradicted(self, head: Head, place: Place) -> None:
        head.contents.pop(place, None)
        if place[0] in ("general", "kept") and place not in head.numbers:
            head.numbers[place] = fresh(f"number_{place[0]}_{place[1]}")

    def _arrived(self, arrival: DecoderPath, key: int | None) -> Progress | None:
        """Returns how far an arrival has come, by the places that hold the progress, if any does. All of it
        is proved later."""
        before = arrival.progress
        if taken := arrival.taken:
            return Progress(before.values + len(taken), before.bytes + sum(taken), before.pending)
        if key is None:
            if arrival.log:
                raise Inconclusive("values are decoded before the first loop")
            return before
        if not arrival.log:
            return before  # Nothing is decoded, or by a call.
        head, now = self.heads[key], self._contents(arrival)
        values = self._found(head, now, self.job.values)
        bytes_ = self._found(head, now, self.job.bytes)
        if values is None or bytes_ is None:
            return None
        return Progress(values, bytes_, before.pending)

    def _found(self, head: Head, now: dict[Place, Any], unknown: z3.BitVecRef) -> z3.BitVecRef | None:
        """Returns what becomes of the progress, by the places that hold it, a sum with it, or the
        address that it leads to; or else by any place that holds a sum with it."""
        name = unknown.decl().name()

        def order(one: tuple[Place, Any]) -> tuple[bool, bool, str]:
            # Places that hold just the progress come first: others may hold a sum with it by chance. Memory
            # comes before registers, which may serve another purpose at another place of the code.
            return not (z3.is_expr(one[1]) and one[1].eq(unknown)), one[0][0] != "kept", str(one[0])

        candidates: list[z3.BitVecRef] = []
        for place, general in sorted(head.put.items(), key=order):
            word = now.get(place)
            if not (z3.is_expr(word) and z3.is_expr(general)) or word.sort() != general.sort() or word.eq(general):
                continue
            if name in names(general):
                for rest in (z3.simplify(general - unknown), z3.simplify(unknown + general)):
                    if name not in names(rest):
                        is_sum = rest.eq(z3.simplify(general - unknown))
                        candidates.append(z3.simplify(word - rest if is_sum else rest - word))
        words = [word for _, word in sorted(now.items(), key=order) if z3.is_bv(word) and word.size() == 64]
        candidates += [word for word in words if name in names(word) and not word.eq(unknown)]
        return next((one for one in candidates if name not in names(z3.simplify(one - unknown))), None)

    def _changes_alike(self, arrival: DecoderPath, general: Any, before: Any, now: Any, renaming: Renaming) -> bool:
        """Whether a turn changes a content as it would change an alternative that the state did not
        have."""
        if any(one is None or isinstance(one, list | Bits) for one in (general, before, now)):
            return False
        expected = term(self._at(arrival, general, renaming), 64) - term(general, 64)
        difference = z3.simplify(expected - (term(now, 64) - term(before, 64)))
        return z3.is_bv_value(difference) and difference.as_long() == 0

    def _counting(self, before: Any, now: Any, progress: Progress) -> list[z3.BitVecRef]:
        """Returns what a number is at any time that changes by a known step with each value."""
        if not (z3.is_bv(before) and z3.is_bv(now) and before.size() == 64) or names(before) & self._progress_names:
            return []
        step, values = z3.simplify(now - before), z3.simplify(progress.values - self.job.values)
        if not z3.is_bv_value(step) or not z3.is_bv_value(values) or values.as_long() != 1:
            return []
        return [z3.simplify(before + step * (self.job.values - self._start.values))]

    def _weaken(self, head: Head, arrival: DecoderPath, progress: Progress, from_itself: bool) -> bool:
        now, changed, counting = self._contents(arrival), False, False
        if progress.pending and not head.pending:
            head.pending = changed = True
        renaming = self._renaming(head, arrival, progress, now)
        for place, contents in list(head.contents.items()):
            matching = [
                one
                for one in contents
                if self._matches(arrival, one, now.get(place), renaming)
                or (from_itself and self._changes_alike(arrival, one, head.put.get(place), now.get(place), renaming))
            ]
            if len(matching) < len(contents):
                changed = True
                if from_itself and not matching:
                    matching = self._counting(contents[0], now.get(place), progress)
                    counting |= bool(matching)
                head.contents[place] = matching
                if not matching:
                    self._contradicted(head, place)
        if from_itself:
            self._note_steps(head, progress, now)
        # A state that was run without an invariant does not tell whether a turn keeps it.
        untold = [one for one in head.invariants if from_itself and not any(one.eq(put) for put in head.put_invariants)]
        told = [one for one in head.invariants if not any(one is other for other in untold)]
        if told and not self._is_met(arrival, z3.And(*told), renaming):
            told = [one for one in told if self._is_met(arrival, one, renaming)]
        kept = told + untold
        changed |= len(kept) < len(head.invariants)
        head.invariants = kept
        new = [one for one in self.candidates(head) if not any(one.eq(other) for other in head.tried)]
        if new or counting:  # With them, others may follow again.
            head.tried += new
            head.invariants, head.put_invariants = list(head.tried), []
        return changed or bool(new)

    def _is_met(self, arrival: DecoderPath, invariant: z3.BoolRef, renaming: Renaming) -> bool:
        return arrival.follows(self._at(arrival, invariant, renaming))

    def _renaming(self, head: Head, arrival: DecoderPath, progress: Progress, now: dict[Place, Any]) -> Renaming:
        """Returns what becomes of the unknowns of a head at an arrival."""
        renaming: Renaming = {
            self.job.values.decl().name(): progress.values,
            self.job.bytes.decl().name(): progress.bytes,
        } | self.further(head, arrival, progress)
        for place, number in head.numbers.items():
            content = now.get(place)
            if content is None or isinstance(content, list):
                continue
            renaming[number.decl().name()] = term(plain(content), 64)
        self._places_of = self._place_of(arrival, progress, renaming)
        for result, inputs in _notes(head.first):
            if self._is_live(head, result):
                expected = [self._at(arrival, one, renaming) for one in inputs]
                other = next((other for other, given in _notes(arrival) if are_equal(expected, given)), None)
                if other is not None:
                    pairs = zip(result, other, strict=True)
                    renaming |= {one.decl().name(): new for one, new in pairs}
        return renaming

    def _place_of(self, arrival: DecoderPath, progress: Progress, renaming: Renaming) -> Callable[[str], Any]:
        pairs = [(z3.BitVec(name, 64), new) for name, new in renaming.items()]

        def place(name: str) -> z3.BitVecRef:
            offset = z3.simplify(z3.substitute(arrival.memory.offsets[name], *pairs))
            return self.source_byte(arrival, progress, offset)

        return place

    def _is_live(self, head: Head, result: list[z3.ExprRef]) -> bool:
        mentioned = {one.decl().name() for one in result}
        return any(names_in(content) & mentioned for contents in head.contents.values() for content in contents[:1])

    def _at(self, arrival: DecoderPath, content: Any, renaming: Renaming) -> Any:
        """Returns what a content of the head is at an arrival."""
        if isinstance(content, list):
            return self._all_at(arrival, content, renaming)
        if isinstance(content, Bits):
            return Bits(self._all_at(arrival, content.bits, renaming))
        return self._all_at(arrival, [content], renaming)[0]

    def _all_at(self, arrival: DecoderPath, contents: list[Any], renaming: Renaming) -> list[Any]:
        """Returns the same for several contents."""
        terms = [one.term if isinstance(one, Byte) else one for one in contents if not known(one)]
        pairs = []
        for name in frozenset().union(*map(names, terms)):
            if name in renaming:
                new = renaming[name]
            elif name in arrival.memory.offsets and names(arrival.memory.offsets[name]) & renaming.keys():
                new = renaming[name] = self._places_of(name)
            else:
                continue
            pairs.append((z3.Bool(name) if z3.is_bool(new) else z3.BitVec(name, new.size()), new))
        if not pairs:
            return contents
        after = iter(together(terms, lambda all_: z3.simplify(z3.substitute(all_, *pairs))))
        return [
            one if known(one) else Byte(next(after), one.index) if isinstance(one, Byte) else next(after)
            for one in contents
        ]

    def _matches(self, arrival: DecoderPath, general: Any, now: Any, renaming: Renaming) -> bool:
        if now is None or isinstance(general, list) != isinstance(now, list):
            return False
        expected = self._at(arrival, general, renaming)
        if isinstance(expected, list):
            return are_equal(expected, now)
        if isinstance(expected, Bits) and isinstance(now, Bits):
            return are_equal(expected.bits, now.bits)
        if isinstance(expected, Bits) or isinstance(now, Bits):
            return False
        if known(expected) and known(now):
            return expected == now
        expected, now = term(expected, 64), term(now, 64)
        if z3.is_bv_value(difference := z3.simplify(expected - now)):
            return difference.as_long() == 0
        return arrival.is_length(expected) and arrival.is_length(now) and arrival.follows(expected == now)

    # The proofs.

    def _prove_from(self, start: DecoderPath) -> None:
        key = start.address if self._stops(start) else None
        paths = self._run(start)
        if not any(example(path.conditions) is not None for path in paths):
            raise Inconclusive("no input takes any of the paths")
        for path in paths:
            if path.address == RETURN:
                self.finish(path)
            else:
                self._prove_arrival(path, key)

    def _prove_arrival(self, path: DecoderPath, key: int | None) -> None:
        """Proves that a state at a head is one that the head's general state includes."""
        progress, head, now = self._arrived(path, key), self.heads[path.address], self._contents(path)
        if progress is None:
            raise Inconclusive("no place tells how far a turn has come")
        output.advance(path, self.job, progress)
        if progress.pending and not head.pending:
            raise Refuted("a value is pending at the head of a loop")
        renaming = self._renaming(head, path, progress, now)
        for one in head.invariants:
            claim = self._at(path, one, renaming)
            prove_lengths(path.length_conditions(), claim, f"an invariant is lost: {one}")
        for place, contents in head.contents.items():
            if not self._matches(path, contents[0], now.get(place), renaming):
                raise Refuted(f"{place} at the head of a loop is {now.get(place)}, not {contents[0]}")


def _note_step(steps: dict[Any, int | None], key: Any, now: z3.BitVecRef, before: z3.BitVecRef) -> None:
    difference = z3.simplify(now - before) if now.sort() == before.sort() else now
    step = difference.as_signed_long() if z3.is_bv_value(difference) else None
    steps[key] = step if steps.get(key, step) == step else None


def _notes(path: DecoderPath) -> list[tuple[list[z3.ExprRef], list[Any]]]:
    """Returns the unknowns that each note explains, and what they are made of."""
    notes: list[tuple[list[z3.ExprRef], list[Any]]] = []
    for pack in path.packs:
        notes.append(([byte.term for byte in pack.result], [*as_terms(pack.bits), *as_terms(pack.source)]))
    for one in path.fields:
        notes.append((one.result, [*as_terms(one.source), *as_terms(one.mask)]))
    for bits, count in path.counts:
        notes.append(([count], as_terms(bits)))
    return notes
