"""Properties of the format itself. They are properties of the functions too, which match the
format."""

import claripy

from ..machine import Machine
from ..failures import Refuted
from ..wire import NON_CANONICAL, OK, Integer, decoded, encoding, same, takes
from .strings import LONGEST


def decoders_agree(_: Machine, integer: Integer) -> None:
    """For every string, both decoders have the same outcome, or the lenient one accepts an encoding
    that the canonical one rejects as overlong. What the canonical decoder accepts is the encoding
    of its value."""
    for length in range(LONGEST + 1):
        src = [claripy.BVS(f"byte_{index}", 8) for index in range(length)]
        lenient, canonical = (decoded(src, integer, kind) for kind in (False, True))
        overlong = claripy.And(lenient.kind == OK, canonical.kind == NON_CANONICAL, canonical.at == lenient.at - 1)
        _prove(claripy.Or(lenient.equals(canonical), overlong), "the decoders disagree")
        for used in range(1, min(length, integer.longest) + 1):
            again = encoding(canonical.value, integer, used)
            once = claripy.And(takes(canonical.value, integer, used), same(src[:used], again))
            accepted = claripy.And(canonical.kind == OK, canonical.at == used)
            _prove(claripy.Or(claripy.Not(accepted), once), "an accepted string is not the encoding of its value")


def _prove(claim: claripy.ast.Bool, what: str) -> None:
    solver = claripy.Solver()
    if solver.satisfiable(extra_constraints=[claripy.Not(claim)]):
        raise Refuted(what)
