"""The loop over windows of a fixed stride: `fixed_stride::windows`.

Its state at the head is a function of two windows: the current one, which begins where the progress
says, and the next one, of which only the place is known, `next`: that of the window after, or of the
last one that there is.
"""

from typing import Any

import z3

from model.failures import Inconclusive, Refuted
from steps.wire import Integer

from . import decode_output as output
from .calls import check_end, words
from .decode import RESULT, begin, flag
from .decode_contents import Place
from .decode_induction import Head, Induction, Renaming
from .decode_job import Job
from .decode_path import DecoderPath, Progress
from .decode_window import SIZE
from model.image import Function, Image
from .solver import prove_lengths
from model.terms import Byte, term

NEXT = z3.BitVec("next", 64)
END, DOUBT, UNIFORM, OTHER_KIND = range(4)  # the reasons to stop
MOST_WINDOWS = 64  # more than there are in a batch


class Windows(Induction):
    """The induction over windows."""

    def __init__(self, image: Image, function: Function, job: Job, finish: Any) -> None:
        super().__init__(image, function, job, {}, finish, joints=set())
        self._shift: tuple[DecoderPath, z3.BitVecRef | None] | None = None
        self._vectors: tuple[int, int]  # those of the current and of the next window

    def generalised(self, first: DecoderPath, contents: dict[Place, Any]) -> dict[Place, Any]:
        windows = {place[1]: start for place in contents if (start := _start(first, place)) is not None}
        here = z3.simplify(first.progress.bytes - self.job.history)
        current = [vector for vector, start in windows.items() if start.eq(here)]
        following = [vector for vector, start in windows.items() if not start.eq(here)]
        if not current or len({windows[vector].get_id() for vector in following}) != 1:
            raise Inconclusive(f"{len(current)} and {len(following)} vectors hold the current and the next window")
        self._vectors = current[0], following[0]
        place = windows[following[0]]
        renaming: Renaming = {}
        for k in range(SIZE):
            old = first.memory.source_byte(self.job.source, place + k)
            renaming[old.decl().name()] = first.memory.source_byte(self.job.source, NEXT + k)
        first.lengths.add(NEXT.decl().name())
        self._allowed |= {NEXT.decl().name()}
        self._lasting |= {NEXT.decl().name()}
        return {place: self._at(first, content, renaming) for place, content in contents.items()}

    def invariants(self, progress: Progress) -> list[z3.BoolRef]:
        job = self.job
        here, last = job.bytes - job.history, job.length - SIZE
        after = here + (SIZE - job.history)
        return [
            z3.UGE(job.length, SIZE),
            z3.UGE(job.bytes, job.history),
            z3.ULE(here, last),
            z3.Or(z3.And(NEXT == after, z3.ULE(after, last)), z3.And(NEXT == last, z3.UGE(after, last))),
        ]

    def candidates(self, head: Head) -> list[z3.BoolRef]:
        """What may be true of the number of windows that are left in a batch, and of the number of values
        for which vectors are stored."""
        job, found = self.job, []
        numbers = [number for place, number in head.numbers.items() if place in self._lengths(head)]
        counts = [count for _, count in head.first.counts if self._is_live(head, [count])]
        stride, lanes = SIZE - job.history, SIZE // job.size
        for one in numbers:
            few = z3.And(z3.UGE(one, 1), z3.ULE(one, MOST_WINDOWS))
            found += [few, z3.And(few, z3.ULE(job.bytes + stride * one, job.length))]
            found += [z3.ULE(count, one) for count in counts]
            for other in numbers:
                if other is not one:
                    up = lanes * z3.LShR(other + (lanes - 1), lanes.bit_length() - 1)
                    space = z3.Or(
                        z3.ULE(SIZE * one, job.room - job.values), z3.And(one == 1, z3.ULE(up, job.room - job.values))
                    )
                    found.append(z3.And(few, z3.ULE(other, MOST_WINDOWS), space))
        return found

    def _lengths(self, head: Head) -> set[Place]:
        """Returns the places that held lengths at the first arrival."""
        now = head.first.general
        return {
            place
            for place in head.numbers
            if place[0] == "general" and z3.is_expr(now[place[1]]) and head.first.is_length(now[place[1]])
        }

    def further(self, head: Head, arrival: DecoderPath, progress: Progress) -> Renaming:
        start = _start(arrival, ("vector", self._vectors[1]))
        return {} if start is None else {NEXT.decl().name(): start}

    def source_byte(self, arrival: DecoderPath, progress: Progress, offset: z3.BitVecRef) -> z3.BitVecRef:
        """The current window may be one that was the next one before."""
        here = z3.simplify(progress.bytes - self.job.history)
        if self._shift is None or self._shift[0] is not arrival:
            start = _start(arrival, ("vector", self._vectors[0]))
            moved = start is not None and not start.eq(here) and arrival.follows(start == here)
            self._shift = arrival, start if moved else None
        at = z3.simplify(offset - here)
        if self._shift[1] is not None and z3.is_bv_value(at) and at.as_long() < SIZE:
            offset = self._shift[1] + at
        return super().source_byte(arrival, progress, offset)


def _start(path: DecoderPath, place: Place) -> z3.BitVecRef | None:
    """Returns the offset of the window that a vector holds, if it holds one."""
    if place[0] != "vector":
        return None
    found = [
        path.memory.offsets.get(byte.term.decl().name()) if isinstance(byte, Byte) else None
        for byte in path.vectors[place[1]]
    ]
    if any(one is None for one in found):
        return None
    alike = all(one.eq(z3.simplify(found[0] + k)) for k, one in enumerate(found))
    return found[0] if alike else None


def windows(image: Image, integer: Integer, function: Function, canonical: bool) -> None:
    """Proves the loop: it decodes the values that end in the new bytes of each window, and returns how
    far it has come, and why it stops."""
    job = Job(integer, canonical)
    patience = z3.BitVec("patience", 64)
    arguments = [RESULT.at(0), *job.slices(), job.values]
    start = begin(image, job, function.address, arguments, [job.bytes, patience, flag(canonical)])
    start.progress = Progress(job.values, job.bytes, pending=True)
    start.conditions.append(z3.UGE(job.bytes, job.history))
    start.forks = start.asks = False

    def finish(path: DecoderPath) -> None:
        check_end(path, start)
        values, bytes_, reason = (term(word, 64) for word in words(path, RESULT, 0, 3))
        output.advance(path, job, Progress(values, bytes_, pending=True))
        prove_lengths(path.length_conditions(), z3.UGE(bytes_, job.history), "goes back before the history")
        if not (z3.is_bv_value(reason) and reason.as_long() in (END, DOUBT, UNIFORM, OTHER_KIND)):
            raise Refuted(f"there is no reason {reason} to stop")

    Windows(image, function, job, finish).prove(start)
