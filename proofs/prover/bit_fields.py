"""`pdep` and `pext`, which angr leaves out (Intel SDM, volume 2B, PDEP and PEXT)."""

from typing import Any

import claripy
from angr.engines.vex.claripy import ccall


def _places(state: Any, mask: claripy.ast.BV) -> list[int]:
    """The bits of the mask. A symbolic one must have one solution, or the run ends in an error."""
    bits = state.solver.eval_one(mask)
    return [place for place in range(64) if bits >> place & 1]


def pdep(state: Any, source: claripy.ast.BV, mask: claripy.ast.BV) -> claripy.ast.BV:
    """Low bits of the source to the places of the mask."""
    places = _places(state, mask)
    bits = [claripy.BVV(0, 1)] * 64
    for rank, place in enumerate(places):
        bits[place] = source[rank]
    return claripy.Concat(*reversed(bits))


def pext(state: Any, source: claripy.ast.BV, mask: claripy.ast.BV) -> claripy.ast.BV:
    """Bits at the places of the mask to the low end."""
    bits = [source[place] for place in _places(state, mask)]
    return claripy.Concat(claripy.BVV(0, 64 - len(bits)), *reversed(bits)) if len(bits) < 64 else source


def install() -> None:
    """Gives both to angr, under the names that its lifter calls them by."""
    ccall.amd64g_calculate_pdep = pdep
    ccall.amd64g_calculate_pext = pext
