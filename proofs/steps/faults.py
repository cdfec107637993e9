"""What must fail. A fault is one bit of an instruction that a proof has executed, or of a constant that it has read. A gap is
in the prover or in a contract, so that a proof says nothing about some inputs."""

import itertools
import random
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any
from unittest.mock import patch

import z3
from iced_x86 import Decoder, Instruction, Mnemonic

from model.image import Image

from .executor import Path
from .tree import Tree, Way

CONSTANTS = 0.2  # the share of faults in constants, if there are any
# Gaps: a side of a fork that is forgotten, a case of a contract or facts at a start that no input has, a length that is bounded
# at a start, and a call after which every path ends because another one is said to go on.
GAPS = SIDE, CASE, FACTS, LENGTH, CALL = (
    "no side", "no input of case", "no input of start", "no long input of start", "no path after",
)  # fmt: skip

# What becomes what, the address of a byte, and its new value.
Fault = tuple[str, int, int]


def draw(image: Image, count: int, source: random.Random) -> Iterator[Fault]:
    """Yields faults in what was executed and read in this image, each place once."""
    code, constants, drawn = image.executed(), sorted(image.read_constants), set[Fault]()
    while len(drawn) < count * bool(code):
        if constants and source.random() < CONSTANTS:
            address = source.choice(constants)
            old = image.read(address, 1)[0]
            new = old ^ 1 << source.randrange(8)
            fault = f"constant at {address:#x}: {old:#04x} becomes {new:#04x}", address, new
        else:
            fault = _of_code(image, source.choice(code), source)
        if fault and fault not in drawn:
            drawn.add(fault)
            yield fault


def _of_code(image: Image, one: Instruction, source: random.Random) -> Fault | None:
    """Returns a fault that makes another instruction of the same length, or None if the bit does not."""
    changed, at = bytearray(image.read(one.ip, one.len)), source.randrange(one.len)
    changed[at] ^= 1 << source.randrange(8)
    other = next(iter(Decoder(64, bytes(changed), ip=one.ip)))
    is_same = str(other) == str(one) or one.mnemonic == other.mnemonic == Mnemonic.NOP
    if is_same or other.mnemonic == Mnemonic.INVALID or other.len != one.len:
        return None
    return f"{one.ip:#x}: {one} becomes {other}", one.ip + at, changed[at]


@contextmanager
def gap(chosen: str = "") -> Iterator[dict[str, None]]:
    """Within this context a proof has the chosen gap. Yields those that it could have."""
    found, start, fork = dict[str, None](), Path.__init__, Tree.fork

    def is_here(kind: str, what: object) -> bool:
        name = f"{kind} {what}"
        found[name] = None
        return name == chosen

    def start_with(path: Path, *arguments: Any) -> None:
        start(path, *arguments)
        number = next(starts)
        if is_here(FACTS, number):
            path.conditions.append(z3.BoolVal(False))
        for one in path.lengths():
            if is_here(LENGTH, f"{number}, {one.name}"):
                path.conditions.append(z3.ULE(one.size, 1000))

    def fork_with(tree: Tree, address: int, ways: Sequence[Way], called: int | None = None) -> None:
        for number, way in enumerate(ways if called else ()):
            if is_here(CASE, f"{number + 1} of {len(ways)} of {called:#x}"):
                way.conditions.append(z3.BoolVal(False))
        for way in ways if called and is_here(CALL, f"{address:#x}") else ():
            way.ended = "another path has gone on"
        fork(tree, address, ways, called)
        for way in ways:
            if not way.ended and is_here(SIDE, next(sides)):
                way.ended = "forgotten"

    starts, sides = itertools.count(1), itertools.count(1)
    with patch.object(Path, "__init__", start_with), patch.object(Tree, "fork", fork_with):
        yield found


def draw_gap(found: Iterable[str], source: random.Random) -> str:
    """Returns one of the gaps that a proof could have, of a kind that is drawn first."""
    kinds = [[one for one in found if one.startswith(kind)] for kind in GAPS]
    return source.choice(source.choice([kind for kind in kinds if kind]))
