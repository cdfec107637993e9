"""Proofs about loops that count what they have done, from zero or from another number, and turn until
a counter arrives at its end."""

from typing import Any

import z3

from .induction import Head, Induction, Key, Progress, contents_of, difference
from .job import LONGEST
from .memory import Region
from .path import Path, Store
from .solver import names
from model.terms import known, term


class CountingInduction(Induction):
    """Words may follow the progress by steps of one, or of the size of a value. The number of values
    that a turn does is that of the values in its stores."""

    def prove(self, start: Path) -> None:
        self._tried: list[z3.BoolRef] = []
        super().prove(start)

    def invariants(self) -> list[z3.BoolRef]:
        """No encoding is longer than the longest."""
        return [z3.ULE(self.job.written, self.job.integer.longest * self.job.done)]

    def _with_advancing(self, content: Any) -> list[Any]:
        if not known(content) and not (z3.is_bv(content) and content.size() == 64):
            return super()._with_advancing(content)
        found, job = [content], self.job
        for so_far in (job.done, job.size * job.done, job.written):
            found += [z3.simplify(content + so_far), z3.simplify(content - so_far)]
        return found

    def _arrived(self, arrival: Path, key: Key | None) -> Progress:
        stores = [one for one in arrival.log if isinstance(one, Store)]
        if key is None or not stores:
            return super()._arrived(arrival, key)
        job, count = self.job, values_in(stores, self.job.source)
        words = {
            place: (contents, now)
            for place, now in contents_of(arrival).items()
            if not isinstance(now, list) and (contents := self.heads[key].contents.get(place))
        }
        # Nothing was done in a state in which nothing follows the progress yet.
        alternatives = [(content, now) for contents, now in words.values() for content in filter(z3.is_expr, contents)]
        began = [
            begin
            for content, now in alternatives
            for begin in (job.done, z3.BitVecVal(0, 64))
            if job.done.decl().name() in names(content)
            and difference(z3.substitute(content, (job.done, begin + count)), now) == 0
        ]
        done = z3.simplify(began[0] + count) if began else z3.simplify(job.done + count)
        # The length of the last value is a name that no store depends on.
        lengths = arrival.lengths - self._lasting - names(stores[-1].offset)
        for content, now in alternatives:
            for rest, sign in ((z3.simplify(content - job.written), 1), (z3.simplify(content + job.written), -1)):
                written = z3.simplify(sign * (now - rest))
                last = names(z3.simplify(written - stores[-1].offset))
                if not names(rest) & _names(job) and len(last) == 1 and last <= lengths:
                    return done, written
        return done, end_of(stores)

    def _weaken(self, head: Head, arrival: Path, progress: Progress) -> bool:
        turn = z3.simplify(progress[0] - self.job.done)
        if not z3.is_bv_value(turn) or not turn.as_long():
            return super()._weaken(head, arrival, progress)
        zero = z3.BitVecVal(0, 64)
        new = [one for one in self._of_counters(arrival, turn.as_long()) if not _is_among(one, self._tried)]
        self._tried += new
        new = [one for one in new if head.first.follows(self.job.at(one, zero, zero))]
        # A turn without an invariant does not tell whether turns keep it.
        untold = [one for one in head.invariants if not _is_among(one, arrival.conditions)]
        head.invariants = [one for one in head.invariants if not _is_among(one, untold)]
        changed = super()._weaken(head, arrival, progress)
        head.invariants += untold + new
        return changed or bool(new)

    def _of_counters(self, arrival: Path, values: int) -> list[z3.BoolRef]:
        """Returns what may be true at the head of a loop that turns while two words differ: the end is
        ahead, by a multiple of what a turn does."""
        found = ends_ahead(arrival.length_conditions(), self.job.done, values)
        return [one for ahead, by in found for one in keeps_ahead(ahead, by)]


def ends_ahead(conditions: list[z3.BoolRef], counter: z3.BitVecRef, by: int) -> list[tuple[z3.BitVecRef, int]]:
    """Returns the distances to words that the conditions after a turn compare with others, as they were
    before the turn changed the counter, and by how much the turn reduces each."""
    found = []
    for condition in conditions:
        if z3.is_not(condition) and z3.is_eq(condition.arg(0)) and z3.is_bv(condition.arg(0).arg(0)):
            one, other = condition.arg(0).children()
            for distance in (one - other, other - one):
                ahead = z3.simplify(z3.substitute(distance, (counter, counter - by)))
                step = z3.simplify(ahead - distance)
                if z3.is_bv_value(step) and 0 < step.as_long() <= LONGEST:
                    found.append((ahead, step.as_long()))
    return found


def keeps_ahead(ahead: z3.BitVecRef, by: int) -> list[z3.BoolRef]:
    """Returns what is true of a distance that turns reduce to zero by equal steps."""
    found = [z3.UGE(ahead, by), z3.ULE(ahead, LONGEST)]
    if by > 1 and by & (by - 1) == 0:
        found.append(z3.Extract(by.bit_length() - 2, 0, ahead) == 0)
    return found


def _names(job: Any) -> set[str]:
    return {job.done.decl().name(), job.written.decl().name()}


def _is_among(condition: z3.BoolRef, others: list[z3.BoolRef]) -> bool:
    return any(condition.eq(other) for other in others)


def values_in(stores: list[Store], source: Region) -> int:
    """Returns the number of values in stores."""
    mentioned = frozenset().union(*[names(term(byte, 8)) for one in stores for byte in one.bytes])
    return sum(name.startswith(f"{source.name}[") for name in mentioned)


def end_of(stores: list[Store]) -> z3.BitVecRef:
    """Returns the offset after the last of the bytes that were stored at known distances."""
    ends = [z3.simplify(one.offset + len(one.bytes) - stores[0].offset) for one in stores]
    return z3.simplify(stores[0].offset + max(end.as_signed_long() for end in ends if z3.is_bv_value(end)))
