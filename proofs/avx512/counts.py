"""What is proved of `encoded_len`, `count` and `skip`, which add up a number of each element of a slice."""

from collections.abc import Callable
from typing import Any

import z3

from steps.failures import Inconclusive, Refuted
from steps.wire import TRUNCATED, Integer

from .calls import RESULTS, STACK, check_end, enter, method, prove_equal, words
from .decode import KINDS, SUCCESS, byte_of
from .explore import RETURN
from .image import Function, Image
from .memory import Region
from .path import fresh
from .solver import example, names, prove_lengths
from .sum_job import Job, last_bytes, lengths_of
from .sum_path import Elements, SumPath
from .terms import known, term
from .turns import Turns

RESULT = Region("result", 16, writable=True, kept=True)


def encoded_len(image: Image, integer: Integer) -> None:
    """Proves that the result is the sum of the lengths of the encodings."""
    job = lengths_of(integer)
    arguments = [job.source.start, job.count]
    _prove(image, job, method(image, f"Slices<{integer.name}>>::encoded_len"), arguments, _finish_sum)


def count(image: Image) -> None:
    """Proves that the result is the number of last bytes of values."""
    job = last_bytes()
    arguments = [fresh("kernel"), job.source.start, job.count]
    _prove(image, job, method(image, "Untyped>::count"), arguments, _finish_sum)


def skip(image: Image) -> None:
    """Proves that the result is the offset after that many last bytes, or that there are fewer."""
    job, values = last_bytes(), z3.BitVec("values", 64)

    def finish(path: SumPath) -> None:
        _finish_skip(path, values)

    arguments = [RESULT.at(0), fresh("kernel"), job.source.start, job.count, values]
    _prove(image, job, method(image, "Untyped>::skip"), arguments, finish, RESULT)


def loops_of(image: Image, entry: Function) -> Function:
    """Returns the function with the loops, to which the method passes its arguments."""
    callees = image.callees(entry)
    if len(callees) != 1:
        raise Inconclusive(f"{entry.name} calls {len(callees)} functions")
    return callees[0]


def _prove(
    image: Image, job: Job, entry: Function, arguments: list[Any], finish: Callable[[SumPath], None], *more: Region
) -> None:
    start = SumPath(Elements(image, [job.source, STACK, *more]))
    start.job = job
    enter(start, job, entry.address, arguments)
    start.lengths |= frozenset().union(*map(names, arguments))
    ends = Turns(image, loops_of(image, entry)).run(start)
    if not any(example(path.conditions) is not None for path in ends):
        raise Inconclusive("no input takes any of the paths")
    for path in ends:
        if path.address != RETURN:
            raise Refuted("does not return")
        check_end(path, start)
        finish(path)


def _finish_sum(path: SumPath) -> None:
    expected, result = path.total(path.job.end()), path.in_numbers(path.general[RESULTS[0]])
    path.settle()
    if not path.is_length(result):
        raise Refuted("the result is no sum of what was read")
    prove_lengths(path.length_conditions(), result == expected, "the result is another number")


def _finish_skip(path: SumPath, values: z3.BitVecRef) -> None:
    end = path.job.end()
    prove_equal(path, [path.general[RESULTS[0]]], [RESULT.at(0)], "returns another address")
    [offset], kind = words(path, RESULT, 0, 1), byte_of(path, RESULT, 8)
    if kind == SUCCESS and known(offset):
        claim = z3.And(offset == 0, values == 0)
    elif kind == SUCCESS:
        before = path.total(offset - 1) == values - 1  # The byte before is a last one.
        claim = z3.And(z3.ULE(offset, end), z3.UGE(values, 1), path.total(offset) == values, before)
    elif KINDS.get(kind) == TRUNCATED:
        claim = z3.And(term(offset, 64) == end, z3.ULT(path.total(end), values))
    else:
        raise Refuted(f"there is no kind of error {kind}")
    path.settle()
    prove_lengths(path.length_conditions(), claim, "the result is another offset, or another error")
