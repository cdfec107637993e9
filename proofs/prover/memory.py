"""Which memory the code may touch, and symbolic addresses without a loss of solutions."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import claripy
from angr.concretization_strategies import SimConcretizationStrategy

from .outcome import Inconclusive, Refuted


@dataclass(frozen=True)
class Region:
    """Bytes that may be read, and if so said, written."""

    name: str
    start: int
    size: int
    writable: bool = False

    def holds(self, address: claripy.ast.BV, size: int) -> claripy.ast.Bool:
        """Whether an access lies within. No region is near the ends of the address space."""
        if size > self.size:
            return claripy.false()
        return claripy.And(claripy.UGE(address, self.start), claripy.ULE(address, self.start + self.size - size))


class EveryAddress(SimConcretizationStrategy):
    """Takes every solution of a symbolic address, or gives up. angr's own strategies may take some of them only."""

    LIMIT = 512  # the greatest table has 256 rows

    def _concretize(self, memory: Any, addr: Any, **kwargs: Any) -> list[int]:
        addresses = self._eval(memory, addr, self.LIMIT + 1, **kwargs)
        if len(addresses) > self.LIMIT:
            raise Inconclusive(f"an address has more than {self.LIMIT} solutions")
        return list(addresses)


def watch(state: Any) -> None:
    """Refutes a run as soon as it may read or write outside the regions that `allow` has set."""
    state.memory.read_strategies = [EveryAddress()]
    state.memory.write_strategies = [EveryAddress()]
    state.inspect.b("mem_read", action=_on_read)
    state.inspect.b("mem_write", action=_on_write)


def allow(state: Any, regions: Sequence[Region]) -> None:
    """Sets the regions for what the state runs from now on."""
    state.globals["regions"] = tuple(regions)


def _on_read(state: Any) -> None:
    _check(state, "reads", state.inspect.mem_read_address, state.inspect.mem_read_length, state.globals["regions"])


def _on_write(state: Any) -> None:
    writable = [region for region in state.globals["regions"] if region.writable]
    _check(state, "writes", state.inspect.mem_write_address, state.inspect.mem_write_length, writable)


def _check(state: Any, verb: str, address: Any, length: Any, regions: Sequence[Region]) -> None:
    size = length if isinstance(length, int) else state.solver.eval_one(length)
    if not isinstance(address, int) and address.symbolic:
        outside = claripy.Not(claripy.Or(*(region.holds(address, size) for region in regions)))
        if not state.solver.satisfiable(extra_constraints=[outside]):
            return
        address = state.solver.eval(address, extra_constraints=[outside])
    where = address if isinstance(address, int) else state.solver.eval(address)
    if any(region.start <= where and where + size <= region.start + region.size for region in regions):
        return
    nearest = min(regions, key=lambda region: abs(where - region.start))
    raise Refuted(f"{verb} {size} bytes at byte {where - nearest.start} of the {nearest.size} of {nearest.name}")
