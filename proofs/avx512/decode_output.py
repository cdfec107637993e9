"""Shows that the stores of a path are the next values of the source."""

from typing import Any

import z3

from model.failures import Inconclusive, Refuted

from .decode_format import decodes_to
from .decode_job import Job
from .decode_path import DecoderPath, Progress
from .decode_window import check_window
from .solver import names, prove, prove_lengths
from model.terms import lanes, term


def advance(path: DecoderPath, job: Job, then: Progress) -> None:
    """Proves that a path has decoded the values from its progress to a later one, and records it."""
    before = path.progress
    lengths, path.taken = path.taken, []
    if not path.memory.checked:
        path.progress, path.log = then, []
        return
    values, length = (_by(path, a, b) for a, b in ((before.values, then.values), (before.bytes, then.bytes)))
    _check_offsets(path, job, before)
    if before.pending and not then.pending:
        raise Refuted("a value is pending")
    if lengths:
        _check_lengths(path, job, then, lengths)
    elif _is_zero(values) and _is_zero(length):
        pass
    elif z3.is_bv_value(values) and z3.is_bv_value(length) and not before.pending:
        _check_fixed(path, job, before, values.as_long(), length.as_long())
    elif z3.is_bv_value(values) and values.as_long() == 1 and not before.pending:
        _check_each_length(path, job, before, length)
    else:
        check_window(path, job, before, then)
    within = z3.And(z3.ULE(then.values, job.room), z3.ULE(then.bytes, job.length))
    prove_lengths(path.length_conditions(), within, "more values than there is space for, or more bytes than there are")
    path.progress, path.log = then, []


def _by(path: DecoderPath, before: z3.BitVecRef, then: z3.BitVecRef) -> z3.BitVecRef:
    """Returns a difference, as a number if the conditions allow only one."""
    difference = z3.simplify(then - before)
    if z3.is_bv_value(difference) or not path.is_length(difference):
        return difference
    if path.follows(difference == 0):
        return z3.BitVecVal(0, 64)
    if (found := path.example()) is None:
        return difference
    number = found.eval(difference, model_completion=True)
    return number if path.follows(difference == number) else difference


def _is_zero(difference: z3.BitVecRef) -> bool:
    return z3.is_bv_value(difference) and difference.as_long() == 0


def _check_offsets(path: DecoderPath, job: Job, before: Progress) -> None:
    """Proves that no store is before the end of the decoded values."""
    for store in path.log:
        relative = z3.simplify(store.offset - job.size * before.values)
        if not (z3.is_bv_value(relative) and relative.as_signed_long() >= 0):
            claim = z3.UGE(store.offset, job.size * before.values)
            prove_lengths(path.length_conditions(), claim, "a store overwrites earlier values")


def _check_lengths(path: DecoderPath, job: Job, then: Progress, lengths: list[int]) -> None:
    """Proves values of known lengths, which differ."""
    now = path.progress
    for length in lengths:
        _check_fixed(path, job, now, 1, length)
        now = Progress(z3.simplify(now.values + 1), z3.simplify(now.bytes + length))
    same = z3.And(now.values == then.values, now.bytes == then.bytes)
    prove_lengths(path.length_conditions(), same, "another progress than that of the values that were found")


def _check_each_length(path: DecoderPath, job: Job, before: Progress, length: z3.BitVecRef) -> None:
    """Proves one value, of which the length depends on its bytes."""
    lengths = range(1, job.integer.longest + 1)
    prove(path.conditions, z3.Or(*[length == each for each in lengths]), "no length of a value")
    for each in lengths:
        one = path.copy()
        one.assume(length == each)
        if not z3.is_false(z3.simplify(length == each)):
            _check_fixed(one, job, before, 1, each)


def _check_fixed(path: DecoderPath, job: Job, before: Progress, values: int, length: int) -> None:
    """Proves values of one known length each."""
    if not values or length % values:
        raise Inconclusive(f"{values} values in {length} bytes")
    each, layout = length // values, stored(path, job, before)
    for index in range(values):
        at = range(job.size * index, job.size * (index + 1))
        if any(one not in layout for one in at):
            raise Refuted(f"value {index} of {values} is not stored")
        value = term(lanes([layout[one] for one in at], 8 * job.size)[0], 8 * job.size)
        source = [path.byte(job.source, before.bytes + (each * index + k)) for k in range(each)]
        claim = decodes_to(source, job.integer, job.canonical, value)
        prove_value(path, source, claim, f"value {index} of {values} is decoded wrongly")


def stored(path: DecoderPath, job: Job, before: Progress) -> dict[int, Any]:
    """Returns the bytes that were stored, by their distance from the next value."""
    layout: dict[int, Any] = {}
    for store in path.log:
        offset = z3.simplify(store.offset - job.size * before.values)
        if not z3.is_bv_value(offset) or store.bits is not None:
            raise Inconclusive("a store at an unknown offset")
        layout |= {offset.as_signed_long() + index: byte for index, byte in enumerate(store.bytes)}
    return layout


def prove_value(path: DecoderPath, source: list[z3.BitVecRef], claim: z3.BoolRef, what: str) -> None:
    """Proves a claim about bytes by the conditions that mention any of them."""
    mentioned = frozenset().union(*map(names, source))
    prove([one for one in path.conditions if names(one) & mentioned], claim, what)
