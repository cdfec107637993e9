"""Few values, which a function encodes one after another without a loop.

The paths through the code for one value are run, and end at the load of the next one. The states
there are joined: what differs is forgotten, unless it follows from the number of bytes that are
written. Otherwise the number of paths would be multiplied by each value.
"""

from collections.abc import Callable
from typing import Any

import z3
from iced_x86 import Register

from model.failures import Inconclusive

from . import output
from .explore import run
from model.image import Function, Image
from .job import Job
from .path import Path, Store, fresh, fresh_mask, fresh_vector
from .solver import example, names
from model.terms import term


def run_few(
    image: Image,
    function: Function,
    job: Job,
    start: Path,
    leaves: Callable[[Path], bool],
    finish: Callable[[Path, Any, Any], None],
) -> None:
    """Proves the encodings of all values but the last, and passes each state that returns, or that
    `leaves`, to `finish`, with how far the job had come before its last value."""
    loads = _loads(image, function, job)
    state: Path | None = start
    done, written = 0, z3.BitVecVal(0, 64)
    while state is not None:
        paths, arrived = run(image, state, lambda path: leaves(path) or path.address in loads, {}), []
        if not any(example(path.conditions) is not None for path in paths):
            raise Inconclusive("no input takes any of the paths")
        for path in paths:
            if path.address in loads:
                then = _end(path, written)
                output.check(path, job, z3.BitVecVal(done, 64), written, done + 1, then)
                arrived.append((path, then))
            else:
                finish(path, z3.BitVecVal(done, 64), written)
        done, written = done + 1, job.written
        state = _joined(arrived, job, done) if arrived else None


def _loads(image: Image, function: Function, job: Job) -> set[int]:
    """Returns the addresses of the loads of the second value and those after it."""
    return {
        one.ip
        for one in image.instructions(function)
        if one.memory_base == Register.RDI and one.memory_displacement in range(job.size, 9 * job.size, job.size)
    }


def _end(path: Path, start: z3.BitVecRef) -> z3.BitVecRef:
    """Returns the offset after the last byte that was stored from `start` on. That it is right is
    proved later."""
    ends = [z3.simplify(one.offset + len(one.bytes) - start) for one in path.log if isinstance(one, Store)]
    if not ends or not all(map(z3.is_bv_value, ends)):
        raise Inconclusive("a store at an unknown offset")
    return z3.simplify(start + max(end.as_long() for end in ends))


def _joined(arrived: list[tuple[Path, z3.BitVecRef]], job: Job, done: int) -> Path:
    """Returns a state that includes all of these, in which `job.written` bytes are written."""
    if len({path.address for path, _ in arrived}) != 1:
        raise Inconclusive("values are loaded at several places")
    (first, _), state = arrived[0], arrived[0][0].copy()
    for register in range(16):
        contents = [(term(path.general[register], 64), written) for path, written in arrived]
        state.general[register] = _common(contents, job)
    state.vectors, state.masks = [fresh_vector() for _ in state.vectors], [fresh_mask() for _ in state.masks]
    state.flags = dict.fromkeys(state.flags)
    # The name of the number of bytes stands for another number from here on.
    name = job.written.decl().name()
    if any(path.memory.kept != first.memory.kept for path, _ in arrived):
        raise Inconclusive("the stack differs")
    if any(name in names(term(byte, 8)) for byte in first.memory.kept.values()):
        raise Inconclusive("the stack depends on the number of bytes")
    lasting = [one for one in state.length_conditions() if name not in names(one)]
    conditions = [one for one in lasting if all(path.follows(one) for path, _ in arrived)]
    # Both were proved of each of the states.
    state.conditions = [*conditions, z3.UGE(job.values, done), z3.ULE(job.written, job.capacity)]
    state.log, state.packs, state.counts = [], [], []
    return state


def _common(contents: list[tuple[z3.BitVecRef, z3.BitVecRef]], job: Job) -> z3.BitVecRef:
    """Returns a content that includes all of these, each of which is given with the number of bytes
    that are written."""
    for factor in (0, 1, -1):
        rests = [z3.simplify(content - factor * written) for content, written in contents]
        if all(rest.eq(rests[0]) for rest in rests) and job.written.decl().name() not in names(rests[0]):
            return z3.simplify(rests[0] + factor * job.written)
    return fresh("joined")
