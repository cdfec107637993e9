"""`deltas` and `add_up`: what is proved of each function.

The number of components is the length of `previous`.
"""

from typing import Any

from prover.failures import Inconclusive
from prover.wire import Integer

from .calls import STACK, check_end, enter
from .decode import CRATE
from .delta_job import DeltaPath, Job, Sequences
from .delta_loops import prove
from .image import Function, Image
from .solver import prove_lengths

DELTAS, ADD_UP = "deltas", "add_up"


def method(image: Image, integer: Integer, name: str) -> Function:
    """Returns the kernel's method."""
    return image.function(f"<{CRATE}::simd::avx512::Avx512 as {CRATE}::backend::Slices<{integer.name}>>::{name}")


def function(image: Image, integer: Integer, name: str) -> Function:
    """Returns the function to which the method passes its arguments."""
    found = [one for one in image.callees(method(image, integer, name)) if one.name.endswith(f"delta::{name}")]
    if len(found) != 1:
        raise Inconclusive(f"the method {name} calls {len(found)} functions {name}")
    return found[0]


def prove_slices(image: Image, integer: Integer, name: str, components: Any = 1) -> None:
    """Proves that the kernel's method writes all results, for that number of components."""
    job = Job(integer, components, in_place=name == ADD_UP)
    start = DeltaPath(Sequences(image, job, [STACK]))
    arguments = [one for region in job.slices() for one in (region.start, job.length(region))]
    enter(start, method(image, integer, name).address, arguments)
    start.lengths = {one.name for one in (STACK, *job.slices())} | {"count", "components"}
    start.conditions = job.facts()

    def finish(path: DeltaPath) -> None:
        check_end(path, start)
        claim = path.done == job.size * job.count
        prove_lengths(path.length_conditions(), claim, "returns before all results are stored")

    prove(image, function(image, integer, name), job, start, finish)
