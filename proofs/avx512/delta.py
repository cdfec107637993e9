"""`deltas` and `add_up`: what is proved of each function.

The number of components is the length of `previous`.
"""

from typing import Any

import z3

from steps.failures import Inconclusive
from steps.wire import Integer

from .calls import STACK, check_end, enter, method
from .delta_job import DeltaPath, Job, Sequences
from .delta_loops import prove
from .image import Function, Image
from .solver import prove_lengths
from .terms import Bit

DELTAS, ADD_UP = "deltas", "add_up"
CONSTANT = 4  # `add_up` has loops of its own for up to so many components


def entry_of(image: Image, integer: Integer, name: str) -> Function:
    """Returns the kernel's method."""
    return method(image, f"Slices<{integer.name}>>::{name}")


def function(image: Image, integer: Integer, name: str) -> Function:
    """Returns the function to which the method passes its arguments."""
    found = [one for one in image.callees(entry_of(image, integer, name)) if one.name.endswith(f"delta::{name}")]
    if len(found) != 1:
        raise Inconclusive(f"the method {name} calls {len(found)} functions {name}")
    return found[0]


def deltas(image: Image, integer: Integer) -> None:
    """Proves `deltas` for sequences of any number of components. Either all values are compared with
    `previous`, or there are more of them."""
    count, components, more = z3.BitVecs("count components more", 64)
    _prove(image, Job(integer, count, components, in_place=False), DELTAS, z3.ULE(count, components))
    job = Job(integer, components + more, components, in_place=False)
    _prove(image, job, DELTAS, z3.And(components != 0, more != 0))


def add_up(image: Image, integer: Integer) -> None:
    """Proves `add_up` for sequences of one component."""
    _add_up(image, integer, 1)


def add_up_several(image: Image, integer: Integer) -> None:
    """Proves `add_up` for all other numbers of components."""
    for number in range(2, CONSTANT + 1):
        _add_up(image, integer, number)
    components = z3.BitVec("components", 64)
    _add_up(image, integer, components, z3.UGT(components, CONSTANT))


def _add_up(image: Image, integer: Integer, components: Any, condition: Bit = True) -> None:
    _prove(image, Job(integer, z3.BitVec("count", 64), components, in_place=True), ADD_UP, condition)


def _prove(image: Image, job: Job, name: str, condition: Bit) -> None:
    """Proves that the kernel's method writes all results if a condition about the lengths is met."""
    start, entry = DeltaPath(Sequences(image, job, [STACK])), entry_of(image, job.integer, name)
    enter(start, job, entry.address, [one for region in job.slices() for one in (region.start, job.length(region))])
    start.assume(condition)

    def finish(path: DeltaPath) -> None:
        check_end(path, start)
        claim = path.done == job.size * job.count
        prove_lengths(path.length_conditions(), claim, "returns before all results are stored")

    prove(image, function(image, job.integer, name), job, start, finish)
