"""The kernel's method."""

import z3

from model.failures import Refuted
from steps.wire import Integer

from .calls import ARGUMENTS, RESULTS, check_end, forget_after_call, offset_in, prove_equal, words
from .decode import FRAME, IN_REGISTER, RESULT, Functions, begin, flag
from .decode_job import Job
from .explore import run
from model.image import Image
from model.machine import STACK_POINTER
from model.terms import term


def entry(image: Image, integer: Integer, functions: Functions, canonical: bool) -> None:
    """Proves that the kernel's method calls one of the two decoders with its own arguments, and returns."""
    job = Job(integer, canonical)
    arguments = [RESULT.at(0), *job.slices(), flag(canonical, IN_REGISTER)]
    start = begin(image, job, functions.entry.address, arguments, [])
    callees = (functions.loop.address, functions.whole_scalar.address)
    called = 0
    for path in run(image, start, lambda path: path.address in callees, {}):
        if path.address not in callees:
            raise Refuted("returns without a call")
        passed = [path.general[register] for register in ARGUMENTS]
        prove_equal(path, passed[:5], arguments[:5], "passes other arguments")
        low = z3.simplify(z3.Extract(IN_REGISTER - 1, 0, term(passed[5], 64)))
        if not low.eq(z3.BitVecVal(int(canonical), IN_REGISTER)):
            raise Refuted("passes another flag")
        if path.log or any(region == RESULT.name for region, _ in path.memory.kept):
            raise Refuted("writes before the call")
        [back] = words(path, FRAME, offset_in(path, FRAME, path.general[STACK_POINTER]), 1)
        path.general[STACK_POINTER] = z3.simplify(path.general[STACK_POINTER] + 8)
        path.address = back
        forget_after_call(path)
        for end in run(image, path, lambda path: False, {}):
            check_end(end, start)
            prove_equal(end, [end.general[RESULTS[0]]], [RESULT.at(0)], "returns another address")
            if end.log or any(region == RESULT.name for region, _ in end.memory.kept):
                raise Refuted("writes after the call")
        called += 1
    if called < len(callees):
        raise Refuted("does not call both decoders")
