"""The decoders of the kernels that work on words: what is proved of each function."""

from functools import partial

import z3

from steps.wire import Integer

from .calls import method
from .decode import IN_REGISTER, RESULT, begin, finish_result, flag
from .decode_bits import MaskPath
from .decode_job import Job
from .decode_loop import call_scalar
from .decode_path import Progress
from .decode_turns import MaskInduction
from .encode import called
from model.image import Function, Image


def bmi2(image: Image, integer: Integer, canonical: bool) -> None:
    """Proves the method of the BMI2 kernel: it decodes until the source is exhausted or the destination is
    full, or reports the error of the next value."""
    entry, loop = bmi2_functions(image, integer)
    job = Job(integer, canonical)
    arguments = [RESULT.at(0), *job.slices(), flag(canonical, IN_REGISTER)]
    start = begin(image, job, entry.address, arguments, [], MaskPath)
    start.progress = Progress(z3.BitVecVal(0, 64), z3.BitVecVal(0, 64))
    calls = {called(image, loop, "scalar::decode").address: partial(call_scalar, job)}
    MaskInduction(image, loop, job, calls, partial(finish_result, job, start)).prove(start)


def bmi2_functions(image: Image, integer: Integer) -> tuple[Function, Function]:
    """Returns the method, and the loop to which it jumps."""
    entry = method(image, f"Slices<{integer.name}>>::decode", "bmi2::Bmi2")
    return entry, called(image, entry, "bmi2::decode::decode")
