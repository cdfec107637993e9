"""`deltas` and `add_up`: what is proved of each function.

The number of components is the length of `previous`.
"""

from typing import Any

import z3

from prover.failures import Inconclusive
from prover.wire import Integer

from .calls import STACK, check_end, enter, method
from .delta_job import DeltaPath, Job, Sequences
from .delta_loops import prove
from .image import Function, Image
from .solver import prove_lengths

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
    """Proves `deltas` for sequences of any number of components."""
    _prove(image, integer, DELTAS, z3.BitVec("components", 64))


def add_up(image: Image, integer: Integer) -> None:
    """Proves `add_up` for sequences of one component."""
    _prove(image, integer, ADD_UP, 1)


def add_up_several(image: Image, integer: Integer) -> None:
    """Proves `add_up` for all other numbers of components."""
    for components in range(2, CONSTANT + 1):
        _prove(image, integer, ADD_UP, components)
    _prove(image, integer, ADD_UP, z3.BitVec("components", 64), more_than=CONSTANT)


def _prove(image: Image, integer: Integer, name: str, components: Any, more_than: int = 0) -> None:
    """Proves that the kernel's method writes all results."""
    job = Job(integer, components, in_place=name == ADD_UP)
    start = DeltaPath(Sequences(image, job, [STACK]))
    arguments = [one for region in job.slices() for one in (region.start, job.length(region))]
    enter(start, job, entry_of(image, integer, name).address, arguments)
    start.assume(z3.UGT(job.components, more_than))

    def finish(path: DeltaPath) -> None:
        check_end(path, start)
        claim = path.done == job.size * job.count
        prove_lengths(path.length_conditions(), claim, "returns before all results are stored")

    prove(image, function(image, integer, name), job, start, finish)
