"""The decoders: what is proved of each function, and what its callers may rely on."""

from dataclasses import dataclass
from functools import partial
from typing import Any

import z3

from model.failures import Refuted
from steps.wire import NON_CANONICAL, OVERFLOW, TRUNCATED, Integer

from . import decode_output as output
from .calls import (
    ARGUMENTS, RESULTS, TOP, check_end, enter, forget_after_call, method, offset_in, prove_equal, put_words, words,
)
from .decode_format import fails
from .decode_induction import Induction
from .decode_job import Job
from .decode_memory import DecoderMemory
from .decode_path import DecoderPath, Progress
from model.image import Function, Image
from model.machine import STACK_POINTER
from .memory import Region
from .path import fresh
from .solver import names, prove_lengths
from model.terms import known, term

RESULT = Region("result", 32, writable=True, kept=True)
ARGUMENT_SPACE = 64  # bytes of the caller's frame for arguments
FRAME = Region("stack", TOP + 8 + ARGUMENT_SPACE, writable=True, kept=True)
# The kinds of errors, by the numbers of `ErrorKind`; and the number of a result without an error.
KINDS, SUCCESS = {0: TRUNCATED, 1: OVERFLOW, 2: NON_CANONICAL}, 3


@dataclass(frozen=True)
class Functions:
    """The functions of the decoder of one type."""

    entry: Function
    loop: Function
    short: Function
    long: Function
    uniform: Function
    bytes: Function
    vectors: Function
    long_vectors: Function
    scalar: Function
    whole_scalar: Function


def functions(image: Image, integer: Integer) -> Functions:
    """Finds the functions by their names and calls."""
    name = f"Slices<{integer.name}>>::decode"
    entry, whole_scalar = method(image, name), method(image, name, "scalar::ScalarKernel")
    [loop] = _called(image, entry, "avx512::decode::decode")
    [scalar], [uniform] = _called(image, loop, "scalar::decode"), _called(image, loop, "uniform::uniform")
    # Only the loop for values that are longer than a lane needs PEXT.
    windows = _called(image, loop, "fixed_stride::windows")
    long = [one for one in windows if any("pext" in str(i) for i in image.instructions(one))]
    short = [one for one in windows if one not in long]
    vectors = _called(image, uniform, "uniform::vectors")
    [bytes_] = _called(image, uniform, "uniform::bytes")
    if len(long) != 1 or len(short) != 1 or len(vectors) != 2:
        raise LookupError(f"{loop.name} calls {len(windows)} loops over windows, {uniform.name} {len(vectors)}")
    return Functions(entry, loop, short[0], long[0], uniform, bytes_, *vectors, scalar, whole_scalar)


def _called(image: Image, caller: Function, name: str) -> list[Function]:
    found = [one for one in image.callees(caller) if one.name.endswith(name)]
    if not found:
        raise LookupError(f"{caller.name} calls no function {name}")
    return found


# Starts and ends of calls.


def begin(
    image: Image,
    job: Job,
    address: int,
    arguments: list[Any],
    more: list[Any],
    kind: type[DecoderPath] = DecoderPath,
) -> DecoderPath:
    """Returns the state at the start of a function. `more` are its arguments on the stack. Everything
    else is unknown."""
    path = kind(DecoderMemory(image, [job.source, job.destination, FRAME, RESULT]))
    enter(path, job, address, arguments)
    put_words(path, FRAME, TOP + 8, more)
    for one in [*arguments, *more]:
        if z3.is_expr(one):
            path.lengths |= names(one)
    path.progress = job.start()
    path.lengths |= {path.progress.values.decl().name(), path.progress.bytes.decl().name()}
    path.conditions += job.within(path.progress)
    return path


def flag(canonical: bool, width: int = 8) -> z3.BitVecRef:
    """Returns an argument of which only the lowest bits count."""
    return z3.Concat(fresh("padding", 64 - width), z3.BitVecVal(int(canonical), width))


IN_REGISTER = 32  # the bits of a `bool` that count in a register, because callers extend it with zeros


# Scalar loops: `fn(out, src, dst, from, canonical)`.


def scalar(image: Image, integer: Integer, function: Function, canonical: bool, whole: bool = False) -> None:
    """Proves the loop over single values: it decodes until the source is exhausted or the destination is
    full, or reports the error of the next value."""
    job = Job(integer, canonical)
    if whole:  # The method of the kernel begins at the start of the slices.
        arguments, more = [RESULT.at(0), *job.slices(), flag(canonical, IN_REGISTER)], []
    else:
        values, bytes_ = job.start().values, job.start().bytes
        arguments, more = [RESULT.at(0), *job.slices(), values], [bytes_, flag(canonical)]
    start = begin(image, job, function.address, arguments, more)
    if whole:
        start.progress = Progress(z3.BitVecVal(0, 64), z3.BitVecVal(0, 64))
    Induction(image, function, job, {}, partial(finish_result, job, start)).prove(start)


def finish_result(job: Job, start: DecoderPath, path: DecoderPath) -> None:
    check_end(path, start)
    values, bytes_ = (term(one, 64) for one in words(path, RESULT, 0, 2))
    kind = byte_of(path, RESULT, 24)
    output.advance(path, job, Progress(values, bytes_))
    if kind == SUCCESS:
        claim = z3.Or(values == job.room, bytes_ == job.length)
        what = "returns before the source is exhausted or the destination full"
        prove_lengths(path.length_conditions(), claim, what)
    elif kind in KINDS and path.failure is not None:
        [offset] = words(path, RESULT, 16, 1)
        if KINDS[kind] != path.failure[1]:
            raise Refuted("returns another kind of error than the scalar loop")
        then = path.failure[0]
        expected = [then.values, then.bytes, path.failure[2]]
        prove_equal(path, [values, bytes_, offset], expected, "returns another error than the scalar loop")
    elif kind in KINDS:
        [offset] = words(path, RESULT, 16, 1)
        _check_error(path, job, bytes_, KINDS[kind], term(offset, 64))
    else:
        raise Refuted(f"there is no kind of error {kind}")


def byte_of(path: DecoderPath, region: Region, offset: int) -> Any:
    """Returns a byte of a kept region."""
    [byte] = path.memory.load(path, region.at(offset), 1)
    simple = byte if known(byte) else z3.simplify(byte.word())
    return simple.as_long() if z3.is_bv_value(simple) else simple


def _check_error(path: DecoderPath, job: Job, bytes_: z3.BitVecRef, kind: int, offset: z3.BitVecRef) -> None:
    space = z3.ULT(path.progress.values, job.room)
    prove_lengths(path.length_conditions(), space, "an error, but the destination is full")
    relative = z3.simplify(offset - bytes_)
    if not z3.is_bv_value(relative):
        raise Refuted(f"the offset of an error is unknown: {offset}")
    at = relative.as_long()
    if kind == TRUNCATED:
        count = at
        prove_lengths(path.length_conditions(), job.length == bytes_ + count, "truncated, but the input goes on")
    else:
        count = at + 1
        prove_lengths(path.length_conditions(), z3.UGE(job.length - bytes_, count), "an error after the input")
    source = [path.byte(job.source, bytes_ + index) for index in range(count)]
    claim = fails(source, job.integer, job.canonical, kind, at)
    output.prove_value(path, source, claim, "the error is another one")


# Values of one length: `fn(src, dst, done, ...) -> Progress`.


@dataclass(frozen=True)
class Layout:
    """The arguments of a call of `vectors`."""

    function: int
    length: int
    address: int


def uniform_bytes(image: Image, integer: Integer, functions: Functions, canonical: bool) -> None:
    """Proves the loop over values of one byte."""
    _continuing(image, Job(integer, canonical), functions.bytes, [])


def uniform_vectors(image: Image, integer: Integer, functions: Functions, canonical: bool) -> None:
    """Proves the loops over values of a longer length, for all layouts with which they are called."""
    for layout in uniform(image, integer, functions, canonical):
        function = next(one for one in (functions.vectors, functions.long_vectors) if one.address == layout.function)
        more = [layout.length, layout.address, flag(canonical)]
        _continuing(image, Job(integer, canonical), function, more)


def _continuing(image: Image, job: Job, function: Function, more: list[Any]) -> None:
    """Proves a function that continues from a progress and returns the new one."""
    begun = job.start()
    start = begin(image, job, function.address, [*job.slices(), begun.values, begun.bytes], more)

    def finish(path: DecoderPath) -> None:
        check_end(path, start)
        values, bytes_ = (term(path.general[register], 64) for register in RESULTS)
        output.advance(path, job, Progress(values, bytes_))

    Induction(image, function, job, {}, finish).prove(start)


def uniform(image: Image, integer: Integer, functions: Functions, canonical: bool) -> list[Layout]:
    """Proves the function that chooses the loop, for all lengths. Returns the layouts that it uses."""
    layouts: list[Layout] = []
    other = z3.BitVec("other_length", 64)
    for length in (*range(1, integer.longest + 1), other):
        job = Job(integer, canonical)
        arguments = [*job.slices(), RESULT.at(0), length]
        start = begin(image, job, functions.uniform.address, arguments, [flag(canonical)])
        put_words(start, RESULT, 0, [job.start().values, job.start().bytes])
        if length is other:
            start.conditions.append(z3.Or(other == 0, z3.UGT(other, integer.longest)))
        calls = {functions.bytes.address: partial(_call_loop, job, None, layouts)}
        for one in (functions.vectors, functions.long_vectors):
            calls[one.address] = partial(_call_loop, job, one.address, layouts)

        def finish(path: DecoderPath) -> None:
            check_end(path, start)
            values, bytes_ = (term(word, 64) for word in words(path, RESULT, 0, 2))
            output.advance(path, job, Progress(values, bytes_))

        Induction(image, functions.uniform, job, calls, finish).prove(start)
    return list(dict.fromkeys(layouts))


def _call_loop(job: Job, vectors: int | None, layouts: list[Layout], path: DecoderPath) -> list[DecoderPath]:
    """What a caller may rely on of `bytes` and `vectors`."""
    passed = [path.general[register] for register in ARGUMENTS]
    pass_equal(path, passed[:4], job.slices(), "passes other slices")
    output.advance(path, job, Progress(term(passed[4], 64), term(passed[5], 64)))
    if vectors is not None:
        length, layout, _ = stack_arguments(path, 3)
        check_flag(path, job, 2)
        if not known(length) or not known(layout):
            raise Refuted(f"values of {length} bytes with the layout at {layout}")
        layouts.append(Layout(vectors, length, layout))
    forget_after(path, 3 if vectors is not None else 0)
    then = later(path, job)
    path.general[RESULTS[0]], path.general[RESULTS[1]] = then.values, then.bytes
    return [path]


# What contracts have in common.


def stack_arguments(path: DecoderPath, count: int) -> list[Any]:
    return words(path, FRAME, offset_in(path, FRAME, path.general[STACK_POINTER]), count)


def require(path: DecoderPath, claim: z3.BoolRef, what: str) -> None:
    """Proves what a function relies on, unless the state at the head of the loop is still searched."""
    if path.memory.checked:
        prove_lengths(path.length_conditions(), claim, f"before {path.address:#x}: {what}")


def pass_equal(path: DecoderPath, passed: list[Any], expected: list[Any], what: str) -> None:
    """Proves that arguments are those."""
    for one, other in zip(passed, expected, strict=True):
        require(path, term(one, 64) == term(other, 64), what)


def check_flag(path: DecoderPath, job: Job, index: int) -> None:
    """Proves that an argument on the stack is the flag `canonical`."""
    if not path.memory.checked:
        return
    byte = byte_of(path, FRAME, offset_in(path, FRAME, path.general[STACK_POINTER]) + 8 * index)
    if byte != int(job.canonical):
        raise Refuted(f"at {path.address:#x}: passes {byte} for canonical = {job.canonical}")


def forget_after(path: DecoderPath, arguments: int) -> None:
    """Makes unknown what a call may change, which includes its arguments on the stack."""
    forget_after_call(path)
    bottom = offset_in(path, FRAME, path.general[STACK_POINTER])
    for at in range(bottom, bottom + 8 * arguments):
        path.memory.kept.pop((FRAME.name, at), None)


def later(path: DecoderPath, job: Job, pending: bool = False) -> Progress:
    """Returns the unknown progress after a call."""
    before = path.progress
    then = Progress(path.new_length("values"), path.new_length("bytes"), pending)
    for one in (*job.within(then), z3.UGE(then.values, before.values)):
        path.assume(one)
    path.progress = then
    return then
