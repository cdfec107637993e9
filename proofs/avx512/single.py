"""`encode_to_slice` for one value, on a CPU with AVX-512: the whole exported function."""

from typing import Any

import z3

from prover.failures import Refuted
from prover.wire import Integer

from . import output
from .calls import RESULTS, begin, check_end
from .explore import RETURN, run
from .image import Image
from .job import Job
from .path import Path, Store
from .solver import prove
from .terms import known

AVX512_LEVEL = 3  # `Level::Avx512` in simd/single/level.rs
TOO_SMALL = (1 << 64) - 1  # the export returns this if there is no space


def encode_to_slice(image: Image, integer: Integer) -> None:
    """Proves that the function writes the encoding of its argument and returns its length, or reports
    no space exactly if it does not fit."""
    job, value = Job(integer), z3.BitVec("value", integer.bits)
    argument = value if integer.bits == 64 else z3.Concat(z3.BitVec("upper", 64 - integer.bits), value)
    start = begin(
        image, job, image.function(f"encode_to_slice_{integer.name}").address,
        [argument, job.destination.start, job.capacity], [],
    )
    # The CPU was queried, and has AVX-512.
    start.memory.cells[image.variable("zigzag_varint::simd::single::level::KNOWN")] = AVX512_LEVEL
    paths = run(image, start, lambda path: False, {})
    for path in paths:
        if path.address != RETURN:
            raise Refuted("does not return")
        check_end(path, start)
        _check_result(path, job, value)
    taken = [z3.And(*[one for one in path.conditions if not path.is_length(one)]) for path in paths]
    prove([], z3.Or(*taken), "a value that takes none of the paths")


def _check_result(path: Path, job: Job, value: z3.BitVecRef) -> None:
    length: Any = path.general[RESULTS[0]]
    if not known(length):
        raise Refuted("returns an unknown length")
    if length == TOO_SMALL:
        output.check_value_too_small(path, job, value, job.capacity)
        if path.log:
            raise Refuted("writes, and reports no space")
    else:
        stores = [one for one in path.log if isinstance(one, Store)]
        output.check_fixed(path, job, stores, [value], z3.BitVecVal(0, 64), length)
