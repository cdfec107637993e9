"""The loops around the others: `decode::decode`, with the front of a window, and `fixed_stride` with its
step back."""

from functools import partial

import z3
from iced_x86 import Mnemonic, OpKind

from steps.wire import Integer

from . import decode_output as output
from .calls import ARGUMENTS, offset_in, put_words, words
from .decode import (
    FRAME, IN_REGISTER, KINDS, RESULT, SUCCESS, Functions, begin, check_flag, finish_result, flag, forget_after, later,
    pass_equal, require, stack_arguments,
)
from .decode_induction import Induction
from .decode_job import Job
from .decode_path import DecoderPath, Progress
from .decode_windows import DOUBT, END, OTHER_KIND, UNIFORM
from .explore import Contract
from model.image import Image
from .path import fresh
from .solver import names
from model.terms import term

ENOUGH_UNIFORM = 128  # of `decode/mod.rs`


def loop(image: Image, integer: Integer, functions: Functions, canonical: bool) -> None:
    """Proves that the function decodes until the source is exhausted or the destination is full, or
    reports the error of the next value."""
    job = Job(integer, canonical)
    start = begin(image, job, functions.loop.address, [RESULT.at(0), *job.slices(), flag(canonical, IN_REGISTER)], [])
    start.progress = Progress(z3.BitVecVal(0, 64), z3.BitVecVal(0, 64))
    start.forks = False
    calls: dict[int, Contract] = {
        functions.scalar.address: partial(call_scalar, job),
        functions.uniform.address: partial(_call_uniform, job),
        functions.short.address: partial(_call_windows, job),
        functions.long.address: partial(_call_windows, job),
    }
    # After the front, paths are joined where the number of bytes left is compared with ENOUGH_UNIFORM.
    joints = {
        one.ip
        for one in image.instructions(functions.loop)
        if one.mnemonic == Mnemonic.CMP
        and one.op1_kind == OpKind.IMMEDIATE32TO64
        and one.immediate(1) == ENOUGH_UNIFORM
    }
    if len(joints) != 1:
        raise LookupError(f"{functions.loop.name} has {len(joints)} comparisons with {ENOUGH_UNIFORM}")
    Induction(image, functions.loop, job, calls, partial(finish_result, job, start), joints).prove(start)


def call_scalar(job: Job, path: DecoderPath) -> list[DecoderPath]:
    """What a caller may rely on of the scalar loop, for a part of the destination."""
    passed = [path.general[register] for register in ARGUMENTS]
    pass_equal(path, passed[1:4], job.slices()[:3], "passes other slices")
    end = term(passed[4], 64)
    require(path, z3.ULE(end, job.room), "the destination has no such part")
    [bytes_] = stack_arguments(path, 1)
    check_flag(path, job, 1)
    output.advance(path, job, Progress(term(passed[5], 64), term(bytes_, 64)))
    require(path, z3.ULE(path.progress.values, end), "no part of the destination is left")
    region = RESULT if RESULT.name in names(term(passed[0], 64)) else FRAME
    out = offset_in(path, region, passed[0])
    forget_after(path, 2)
    then = later(path, job)
    path.assume(z3.ULE(then.values, end))
    results = []
    for kind in (SUCCESS, *KINDS):
        one = path.copy()
        offset = one.new_length("offset")
        if kind == SUCCESS:
            one.assume(z3.Or(then.values == end, then.bytes == job.length))
        else:
            one.assume(z3.ULT(then.values, end))
            one.failure = then, KINDS[kind], offset
        packed = z3.Concat(fresh("padding", 56), z3.BitVecVal(kind, 8))
        put_words(one, region, out, [then.values, then.bytes, offset, packed])
        results.append(one)
    return results


def _call_uniform(job: Job, path: DecoderPath) -> list[DecoderPath]:
    """What a caller may rely on of `uniform`, for any length."""
    passed = [path.general[register] for register in ARGUMENTS]
    pass_equal(path, passed[:4], job.slices(), "passes other slices")
    check_flag(path, job, 0)
    done = offset_in(path, FRAME, passed[4])
    output.advance(path, job, Progress(*[term(word, 64) for word in words(path, FRAME, done, 2)]))
    forget_after(path, 1)
    then = later(path, job)
    put_words(path, FRAME, done, [then.values, then.bytes])
    return [path]


def _call_windows(job: Job, path: DecoderPath) -> list[DecoderPath]:
    """What a caller may rely on of the loop over windows. A value that is pending began in the last bytes
    before the progress, which are then known to continue: the code steps back over them."""
    passed = [path.general[register] for register in ARGUMENTS]
    pass_equal(path, passed[1:5], job.slices(), "passes other slices")
    bytes_, _ = stack_arguments(path, 2)
    check_flag(path, job, 2)
    output.advance(path, job, Progress(term(passed[5], 64), term(bytes_, 64), pending=True))
    require(path, z3.UGE(path.progress.bytes, job.history), "begins before the history")
    out = offset_in(path, FRAME, passed[0])
    forget_after(path, 3)
    then = later(path, job, pending=True)
    path.assume(z3.UGE(then.bytes, job.history))
    results = []
    for reason in (END, DOUBT, UNIFORM, OTHER_KIND):
        one = path.copy()
        put_words(one, FRAME, out, [then.values, then.bytes, reason, one.new_length("common_length")])
        results += [one] if reason == OTHER_KIND else _stepping_back(one, job, then)
    return results


def _stepping_back(path: DecoderPath, job: Job, then: Progress) -> list[DecoderPath]:
    """Returns a state for each number of bytes of the pending value."""
    results = []
    for seen in range(job.history + 1):
        for at_start in (False, True) if seen == job.history else (False,):
            one = path.copy()
            if seen == job.history:
                one.assume(then.bytes == seen if at_start else z3.UGT(then.bytes, seen))
            for index in range(seen + (not at_start)):
                name = one.memory.source_byte(job.source, then.bytes - (index + 1))
                more = z3.BitVecVal(int(index < seen), 1)
                one.memory.pinned[name.decl().name()] = z3.Concat(more, fresh("group", 7))
            one.progress = Progress(then.values, z3.simplify(then.bytes - seen))
            results.append(one)
    return results
