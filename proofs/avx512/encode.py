"""The encoders: what is proved of each function, and what its callers may rely on.

A *block loop* gets what is left of a job and the address of its result. It encodes some values,
and returns what is left then, and the loop that continues (`NextLoop` of `encode/job.rs`).
"""

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Any

import z3

from model.failures import Inconclusive, Refuted
from steps.wire import Integer

from . import output
from .calls import (
    ARGUMENTS, RESULTS, STACK, TOP, begin, check_end, forget_after_call, method, offset_in, prove_equal, put_words,
    words,
)
from .counters import values_in
from .explore import Contract
from .few import run_few
from model.image import Function, Image
from .induction import Induction
from .job import Job
from model.machine import STACK_POINTER, mnemonic
from .memory import Region
from .path import Encoded, Path, Rest
from .solver import prove_lengths
from model.terms import as_bytes, term

MIXED, UNIFORM, TAIL = range(3)  # the variants of NextLoop
JOB, RESULT = Region("job", 32, kept=True), Region("result", 48, writable=True, kept=True)
LONGEST_UNIFORM = 8  # values of one length have at most this many bytes
SOME, NONE = 1, 0  # the variants of Option


@dataclass(frozen=True)
class Functions:
    """The functions of the encoder of one type. The loops for values of one length have lanes of 4 or
    8 bytes: `vectors` has the lengths with which each is called. The scalar loop is a function of its
    own, or a part of the entry."""

    entry: Function
    loop: Function
    mixed: Function
    bytes: Function
    vectors: dict[Function, range]
    scalar: Function | None


def functions(image: Image, integer: Integer) -> Functions:
    """Finds the functions by their names and calls."""
    entry = method(image, f"Slices<{integer.name}>>::encode")
    loop = called(image, entry, "avx512::encode::encode")
    mixed, bytes_ = called(image, loop, "encode::mixed"), called(image, loop, "uniform::bytes")
    of_lengths = [one for one in image.callees(loop) if one.name.endswith("uniform::vectors")]
    vectors = {one: _lengths(image, one, integer) for one in of_lengths}
    return Functions(entry, loop, mixed, bytes_, vectors, scalar_loop(image, entry))


def _lengths(image: Image, vectors: Function, integer: Integer) -> range:
    """Returns the lengths of values for which the encoder of a type calls a loop. That it calls it
    with no others is proved with the encoder."""
    if integer.bits == 64:
        return range(2, LONGEST_UNIFORM + 1)
    has_short_lanes = any(mnemonic(one) == "vpaddd" for one in image.instructions(vectors))
    return range(2, 5) if has_short_lanes else range(5, LONGEST_UNIFORM + 1)


def called(image: Image, caller: Function, name: str) -> Function:
    """Returns the only function of a name that another one calls."""
    found = [one for one in image.callees(caller) if one.name.endswith(name)]
    if len(found) != 1:
        raise Inconclusive(f"{caller.name} calls {len(found)} functions {name}")
    return found[0]


def scalar_loop(image: Image, caller: Function) -> Function | None:
    """Returns the scalar loop that a function calls, unless the loop is a part of it."""
    return next((one for one in image.callees(caller) if one.name.endswith("scalar::slice::encode")), None)


# Block loops.


def block_loop(image: Image, integer: Integer, function: Function, length: int | None = None) -> Induction:
    """Proves a block loop, for values of one length if it has that argument."""
    job = Job(integer)
    arguments = [RESULT.at(0), JOB.at(0)] + ([] if length is None else [length])
    start = begin(image, job, function.address, arguments, [JOB, RESULT])
    whole = (job.source.start, job.values, job.destination.start, job.capacity)
    start.memory.kept |= {(JOB.name, at): byte for at, byte in enumerate(as_bytes(whole, 64))}
    induction = Induction(image, function, job, {}, partial(_finish_block, job, start))
    induction.prove(start)
    return induction


def _finish_block(job: Job, start: Path, path: Path, done: Any, written: Any) -> None:
    check_end(path, start)
    _, values, destination, _ = words(path, RESULT, 0, 4)
    then = z3.simplify(job.values - values), z3.simplify(destination - job.destination.start)
    output.check(path, job, done, written, *then)
    expected = [job.at(word, *then) for word in job.rest()]
    prove_equal(path, words(path, RESULT, 0, 4), expected, "what is left is wrong")
    [next_loop] = words(path, RESULT, 32, 1)
    if next_loop not in (MIXED, UNIFORM, TAIL):
        raise Refuted(f"there is no loop {next_loop}")
    if next_loop == UNIFORM:
        length = term(words(path, RESULT, 40, 1)[0], 64)
        valid = z3.And(z3.UGE(length, 1), z3.ULE(length, LONGEST_UNIFORM))
        prove_lengths(path.length_conditions(), valid, "no length of values")


def block_contract(job: Job, lengths: range | None = None) -> Contract:
    """Returns what a caller may rely on, after proofs of what the block loop relies on. `lengths` are
    the lengths of values with which it may be called."""

    def call(path: Path) -> list[Path]:
        result, source = (offset_in(path, STACK, path.general[register]) for register in ARGUMENTS[:2])
        if not (result + 48 <= source or source + 32 <= result):
            raise Refuted(f"at {path.address:#x}: the job and the result overlap")
        if lengths is not None and path.general[ARGUMENTS[2]] not in lengths:
            raise Refuted(f"at {path.address:#x}: values of {path.general[ARGUMENTS[2]]} bytes")
        rest = words(path, STACK, source, 4)
        done, written = job.values - rest[1], job.capacity - rest[3]
        prove_equal(path, rest, [job.at(word, done, written) for word in job.rest()], "not a rest of the job")
        forget_after_call(path)
        more, length = path.new_length("values"), path.new_length("length")
        for condition in (z3.ULE(more, rest[1]), z3.ULE(length, rest[3]), z3.ULE(more, length)):
            path.assume(condition)
        path.log.append(Encoded(z3.simplify(written), more, length))
        left = [rest[0] + job.size * more, rest[1] - more, rest[2] + length, rest[3] - length]
        put_words(path, STACK, result, [z3.simplify(word) for word in left])
        uniform = [(UNIFORM, one) for one in range(1, LONGEST_UNIFORM + 1)]
        return [_continued(path, result, *phase) for phase in ((MIXED, 0), (TAIL, 0), *uniform)]

    return call


def _continued(path: Path, result: int, next_loop: int, length: int) -> Path:
    one = path.copy()
    one.phase = (next_loop, length)
    put_words(one, STACK, result + 32, [next_loop, length if next_loop == UNIFORM else one.new_length("unused")])
    return one


# Whole slices: `fn(src, dst) -> Option<usize>`.


def slice_encoder(
    image: Image,
    integer: Integer,
    function: Function,
    calls: Callable[[Job], dict[int, Contract]],
    induction: type[Induction] = Induction,
    kind: type[Path] = Path,
) -> None:
    """Proves that a function encodes all values and returns the number of bytes, or returns None
    exactly if they do not fit."""
    job = Job(integer)
    start = begin(image, job, function.address, job.slices(), [], kind)
    induction(image, function, job, calls(job), partial(finish_slice, job, start)).prove(start)


def finish_slice(job: Job, start: Path, path: Path, done: Any, written: Any, before: Any = 0) -> None:
    """`before` is the number of bytes that are counted, but do not belong to the job."""
    check_end(path, start)
    some, length = (path.general[register] for register in RESULTS)
    if path.log and isinstance(path.log[-1], Rest):
        rest = path.log.pop()
        prove_equal(path, [some, length], rest.result, "does not return what the scalar loop returns")
        output.check(path, job, done, written, after(path, job, done, rest.done), rest.written)
        return
    if some == NONE:
        output.check_too_small(path, job, done, written)
    elif some == SOME:
        left = next((count for count in range(9) if path.follows(job.values == done + count)), None)
        if left is None:
            raise Refuted("returns before all values are encoded")
        output.check(path, job, done, written, done + left, z3.simplify(term(length, 64) - before))
    else:
        raise Refuted(f"returns neither Some nor None: {some}")


def after(path: Path, job: Job, done: Any, then: Any) -> Any:
    """Returns the number of values that are done then as a sum with the number in the stores, unless a
    call has encoded them."""
    if any(isinstance(one, Encoded) for one in path.log):
        return then
    expected = z3.simplify(done + values_in(path.log, job.source))
    prove_equal(path, [then], [expected], "other values than the next ones")
    return expected


def rest_contract(job: Job, from_start: bool = False) -> Contract:
    """Returns what a caller may rely on of a function that encodes all values, or all from a progress
    on. What the function relies on is proved at the end of the caller."""

    def call(path: Path) -> list[Path]:
        passed = [term(path.general[register], 64) for register in ARGUMENTS]
        prove_equal(path, passed[:4], job.slices(), f"before {path.address:#x}: passes other slices")
        zero = z3.BitVecVal(0, 64)
        progress = [zero, zero] if from_start else passed[4:6]
        forget_after_call(path)
        result = [path.new_length("some"), path.new_length("length")]
        for register, one in zip(RESULTS, result, strict=True):
            path.general[register] = one
        path.log.append(Rest(*progress, result))
        return [path]

    return call


def loop_contracts(functions: Functions, job: Job) -> dict[int, Contract]:
    """Returns the contracts of the block loops, for the function that calls them."""
    contracts = {functions.mixed.address: block_contract(job)}
    contracts[functions.bytes.address] = block_contract(job, range(1, 2))
    contracts |= {one.address: block_contract(job, lengths) for one, lengths in functions.vectors.items()}
    return contracts


def entry(image: Image, integer: Integer, functions: Functions) -> None:
    """Proves that the kernel's method jumps to a slice encoder with its own arguments, or does its
    work."""
    job = Job(integer)
    arguments = job.slices()
    start = begin(image, job, functions.entry.address, arguments, [])
    callees = {one.address for one in (functions.loop, functions.scalar) if one is not None}

    def finish(path: Path, done: Any, written: Any) -> None:
        if path.address not in callees:
            finish_slice(job, start, path, done, written)
            return
        more = [] if path.address == functions.loop.address else [0, 0]
        passed = [path.general[register] for register in ARGUMENTS]
        prove_equal(path, passed[: 4 + len(more)], [*arguments, *more], "passes other arguments")
        prove_equal(path, [path.general[STACK_POINTER]], [STACK.at(TOP)], "the stack pointer differs")
        if path.log or not path.follows(done == 0):
            raise Refuted("writes before the call")

    run_few(image, functions.entry, job, start, lambda path: path.address in callees, finish)
