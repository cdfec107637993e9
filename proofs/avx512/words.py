"""The encoders of the kernels that work on words, and of the scalar kernel. What is proved of each
function, and what its callers may rely on."""

from dataclasses import dataclass
from functools import partial
from typing import Any

import z3

from steps.wire import Integer

from . import output
from .calls import ARGUMENTS, RESULTS, begin, check_end, forget_after_call, method, prove_equal
from .counters import CountingInduction
from .encode import after, called, finish_slice, rest_contract, scalar_loop, slice_encoder
from .explore import Contract
from model.image import Function, Image
from .job import LONGEST, Job
from .path import Encoded, Path
from .tables import TablePath
from model.terms import term


@dataclass(frozen=True)
class Bmi2:
    """The functions of the BMI2 encoder of one type. The method of the kernel calls a scalar loop for
    little space, or has one."""

    entry: Function
    loop: Function
    mixed: Function
    scalar: Function
    small: Function | None


def bmi2(image: Image, integer: Integer) -> Bmi2:
    """Finds the functions by their names and calls."""
    entry = method(image, f"Slices<{integer.name}>>::encode", "bmi2::Bmi2")
    loop = called(image, entry, "bmi2::encode::encode")
    scalar = called(image, loop, "simd::scalar::encode")
    return Bmi2(entry, loop, called(image, loop, "bmi2::encode::mixed"), scalar, scalar_loop(image, entry))


def scalar(image: Image, integer: Integer) -> None:
    """Proves the scalar loop that all kernels call. It continues from a progress, and counts the bytes
    before it too: the job is what is left of both slices."""
    entry = bmi2(image, integer).scalar
    job, (values, bytes_) = Job(integer), z3.BitVecs("values_before bytes_before", 64)
    back = (-job.size * values, values, -bytes_, bytes_)
    arguments = [z3.simplify(one + by) for one, by in zip(job.slices(), back, strict=True)]
    for longest, before, left in ((LONGEST // job.size, values, job.values), (LONGEST, bytes_, job.capacity)):
        job.given += [z3.ULE(before, longest), z3.ULE(before + left, longest)]
    start = begin(image, job, entry.address, [*arguments, values, bytes_], [])
    finish = partial(finish_slice, job, start, before=bytes_)
    CountingInduction(image, scalar_loop(image, entry) or entry, job, {}, finish).prove(start)


def bmi2_mixed(image: Image, integer: Integer) -> None:
    """Proves the loop over values of any length, which returns its progress."""
    job, function = Job(integer), bmi2(image, integer).mixed
    start = begin(image, job, function.address, job.slices(), [], TablePath)

    def finish(path: Path, done: Any, written: Any) -> None:
        check_end(path, start)
        values, bytes_ = (term(path.general[register], 64) for register in RESULTS)
        output.check(path, job, done, written, after(path, job, done, values), z3.simplify(bytes_))

    CountingInduction(image, function, job, {}, finish).prove(start)


def _mixed_contract(job: Job) -> Contract:
    """Returns what a caller may rely on of that loop."""

    def call(path: Path) -> list[Path]:
        passed = [term(path.general[register], 64) for register in ARGUMENTS[:4]]
        done, written = z3.simplify(job.values - passed[1]), z3.simplify(job.capacity - passed[3])
        prove_equal(path, passed, [job.at(word, done, written) for word in job.rest()], "not a rest of the job")
        forget_after_call(path)
        more, length = path.new_length("values"), path.new_length("length")
        for condition in (z3.ULE(more, passed[1]), z3.ULE(length, passed[3]), z3.ULE(more, length)):
            path.assume(condition)
        path.log.append(Encoded(written, more, length))
        path.general[RESULTS[0]], path.general[RESULTS[1]] = more, length
        path.phase = (0,)  # The loop turns.
        return [path]

    return call


def bmi2_encode(image: Image, integer: Integer) -> None:
    """Proves the loop that calls the one above, and leaves the rest to the scalar loop."""
    functions = bmi2(image, integer)

    def calls(job: Job) -> dict[int, Contract]:
        return {functions.mixed.address: _mixed_contract(job), functions.scalar.address: rest_contract(job)}

    slice_encoder(image, integer, functions.loop, calls, CountingInduction)


def bmi2_entry(image: Image, integer: Integer) -> None:
    """Proves the method of the kernel, which calls the function above or a scalar loop, or has one."""
    functions = bmi2(image, integer)

    def calls(job: Job) -> dict[int, Contract]:
        return {functions.loop.address: rest_contract(job, from_start=True), **_scalar_contract(functions.small, job)}

    slice_encoder(image, integer, functions.entry, calls, CountingInduction)


def scalar_entry(image: Image, integer: Integer) -> None:
    """Proves the method of the scalar kernel, which calls the scalar loop or has one."""
    function = scalar_kernel(image, integer)
    calls = partial(_scalar_contract, scalar_loop(image, function))
    slice_encoder(image, integer, function, calls, CountingInduction)


def swar_encode(image: Image, integer: Integer) -> None:
    """Proves the method of the SWAR kernel, which leaves the rest to the scalar loop."""
    function = swar(image, integer)
    calls = partial(_scalar_contract, called(image, function, "simd::scalar::encode"))
    slice_encoder(image, integer, function, calls, CountingInduction, TablePath)


def _scalar_contract(loop: Function | None, job: Job) -> dict[int, Contract]:
    return {} if loop is None else {loop.address: rest_contract(job)}


def swar(image: Image, integer: Integer) -> Function:
    return method(image, f"Slices<{integer.name}>>::encode", "swar::Swar")


def scalar_kernel(image: Image, integer: Integer) -> Function:
    return method(image, f"Slices<{integer.name}>>::encode", "scalar::ScalarKernel")
