"""`pdep` and `pext`, which angr does not implement (Intel SDM, volume 2B, PDEP and PEXT)."""

from typing import Any

import claripy
from angr.engines.vex.claripy import ccall


def _positions(state: Any, mask: claripy.ast.BV) -> list[int]:
    """Returns the positions of the set bits. A symbolic mask with several solutions raises an
    error."""
    bits = state.solver.eval_one(mask)
    return [position for position in range(64) if bits >> position & 1]


def pdep(state: Any, source: claripy.ast.BV, mask: claripy.ast.BV) -> claripy.ast.BV:
    """Moves the low bits of the source to the positions of the mask."""
    positions = _positions(state, mask)
    bits = [claripy.BVV(0, 1)] * 64
    for rank, position in enumerate(positions):
        bits[position] = source[rank]
    return claripy.Concat(*reversed(bits))


def pext(state: Any, source: claripy.ast.BV, mask: claripy.ast.BV) -> claripy.ast.BV:
    """Moves the bits at the positions of the mask to the low end."""
    bits = [source[position] for position in _positions(state, mask)]
    return claripy.Concat(claripy.BVV(0, 64 - len(bits)), *reversed(bits)) if len(bits) < 64 else source


def install() -> None:
    """Installs both in angr, under the names that its lifter uses."""
    ccall.amd64g_calculate_pdep = pdep
    ccall.amd64g_calculate_pext = pext
