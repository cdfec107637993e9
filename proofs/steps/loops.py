"""The loop `while step(..) {}`, whose step is a call: it is cut where the step is called again. The first turn
starts from the state that the function has put there, the second from any state that a turn leaves."""

from collections.abc import Container
from typing import Any

from model.terms import as_bytes, known, term

from .executor import KEPT, Path
from model.failures import Inconclusive
from .notes import NotedPath


def again(path: NotedPath, state: Container[int]) -> bool:
    """Whether the step is called for the second time from this place. Nothing but its state may then differ from
    the first time, so that a third turn would be like the second."""
    stack = path.get("RSP")
    kept = [path.get(name) for name in KEPT]
    kept += [byte for at, byte in sorted(path.memory.stack.items()) if at >= stack and at not in state]
    if path.address not in path.loop:
        path.loop = path.loop | {path.address: kept}
        return False
    before = path.loop[path.address]
    if len(before) != len(kept) or not all(map(_same, before, kept)):
        raise Inconclusive("a turn of a loop changes something else than its state")
    return True


def _same(a: Any, b: Any) -> bool:
    return a == b if known(a) or known(b) else term(a, 8).eq(term(b, 8))


def put(path: Path, at: int, *words: Any) -> None:
    """Puts words of 64 bits at a known address."""
    path.memory.stack |= {at + index: byte for index, byte in enumerate(as_bytes(list(words), 64))}
