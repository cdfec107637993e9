"""Checks of memory accesses, and symbolic addresses with all their solutions."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import claripy
from angr.concretization_strategies import SimConcretizationStrategy

from .failures import Inconclusive, Refuted


@dataclass(frozen=True)
class Region:
    """Memory that may be read, and written if `writable` is set."""

    name: str
    start: int
    size: int
    writable: bool = False

    def contains(self, address: claripy.ast.BV, size: int) -> claripy.ast.Bool:
        """Whether the region contains an access. No region is near an end of the address space."""
        if size > self.size:
            return claripy.false()
        return claripy.And(claripy.UGE(address, self.start), claripy.ULE(address, self.start + self.size - size))


class EveryAddress(SimConcretizationStrategy):
    """Takes all solutions of a symbolic address, or raises Inconclusive. angr's own strategies may
    take only some of them."""

    LIMIT = 512  # the greatest table has 256 rows

    def _concretize(self, memory: Any, addr: Any, **kwargs: Any) -> list[int]:
        addresses = self._eval(memory, addr, self.LIMIT + 1, **kwargs)
        if len(addresses) > self.LIMIT:
            raise Inconclusive(f"an address has more than {self.LIMIT} solutions")
        return list(addresses)


def watch(state: Any) -> None:
    """Makes a state raise Refuted when it may access memory outside the regions set by `allow`."""
    state.memory.read_strategies = [EveryAddress()]
    state.memory.write_strategies = [EveryAddress()]
    state.inspect.b("mem_read", action=_on_read)
    state.inspect.b("mem_write", action=_on_write)


def allow(state: Any, regions: Sequence[Region]) -> None:
    """Sets the regions that the state may access from now on."""
    state.globals["regions"] = tuple(regions)


def _on_read(state: Any) -> None:
    _check(state, "reads", state.inspect.mem_read_address, state.inspect.mem_read_length, state.globals["regions"])


def _on_write(state: Any) -> None:
    writable = [region for region in state.globals["regions"] if region.writable]
    _check(state, "writes", state.inspect.mem_write_address, state.inspect.mem_write_length, writable)


def _check(state: Any, verb: str, address: Any, length: Any, regions: Sequence[Region]) -> None:
    size = length if isinstance(length, int) else state.solver.eval_one(length)
    if not isinstance(address, int) and address.symbolic:
        outside = claripy.Not(claripy.Or(*(region.contains(address, size) for region in regions)))
        if not state.solver.satisfiable(extra_constraints=[outside]):
            return
        address = state.solver.eval(address, extra_constraints=[outside])
    start = address if isinstance(address, int) else state.solver.eval(address)
    if any(region.start <= start and start + size <= region.start + region.size for region in regions):
        return
    nearest = min(regions, key=lambda region: abs(start - region.start))
    raise Refuted(f"{verb} {size} bytes at offset {start - nearest.start} of {nearest.name} ({nearest.size} bytes)")
