"""The contents of registers and of the stack in states of the decoder: where they are, and whether two
are equal."""

from collections.abc import Callable
from typing import Any

import z3
from iced_x86 import Register

from .decode_path import DecoderPath, simple
from model.machine import GENERAL
from .solver import is_certain, names
from model.terms import Bits, Byte, as_bytes, known, lanes, plain, simplified

# ("general", 3), ("vector", 3), ("mask", 3), ("kept", (region, offset)), or a "part" of 4 bytes of the latter
Place = tuple[str, Any]
REGISTERS: dict[Place, int] = {
    **{("general", index): getattr(Register, name) for index, name in enumerate(GENERAL)},
    **{("vector", index): getattr(Register, f"ZMM{index}") for index in range(32)},
    **{("mask", index): getattr(Register, f"K{index}") for index in range(8)},
}


def together(terms: list[z3.ExprRef], change: Callable[[z3.ExprRef], z3.ExprRef]) -> list[z3.ExprRef]:
    """Changes terms at once, because they have parts in common."""
    all_ = z3.Function("together", *[one.sort() for one in terms], z3.BoolSort())(*terms)
    return change(all_).children()


def as_terms(source: list[Any]) -> list[z3.ExprRef]:
    """Returns bits or bytes as terms."""
    result = []
    for one in source:
        if isinstance(one, bool):
            result.append(z3.BoolVal(one))
        elif known(one):
            result.append(z3.BitVecVal(one, 8))
        else:
            result.append(one.word() if isinstance(one, Byte) else one)
    return together(result, z3.simplify) if result else []


def are_equal(some: list[Any], others: list[Any]) -> bool:
    """Whether two masks, or two vectors, are equal for all inputs."""
    if len(some) != len(others):
        return False
    different = [(a, b) for a, b in zip(some, others, strict=True) if not _is_same(a, b)]
    if any(known(a) and known(b) for a, b in different):
        return False
    return all(_is_equal(a, b) for a, b in zip(*(as_terms(list(one)) for one in zip(*different)), strict=True))


def _is_same(a: Any, b: Any) -> bool:
    if known(a) and known(b):
        return a == b
    return isinstance(a, Byte) and isinstance(b, Byte) and a.same(b)


def _is_equal(a: z3.ExprRef, b: z3.ExprRef) -> bool:
    return a.sort() == b.sort() and (a.eq(b) or is_certain([], a == b, 10_000))


def key_of(content: Any) -> Any:
    """Returns what tells a content apart from others."""
    if isinstance(content, Bits):
        return tuple(map(key_of, content.bits))
    if isinstance(content, list):
        return tuple(map(key_of, content))
    if isinstance(content, Byte):
        return content.term.get_id(), content.index
    return content if known(content) or content is None else content.get_id()


def names_in(content: Any) -> frozenset[str]:
    if isinstance(content, Bits):
        content = content.bits
    if isinstance(content, list):
        return frozenset().union(*map(names_in, content))
    return frozenset() if known(content) else names(content.term if isinstance(content, Byte) else content)


def places(path: DecoderPath) -> list[Place]:
    """Returns the places in an order in which a part of a word comes after the word."""
    kept = path.memory.kept
    words = {("kept", (region, offset - offset % 8)) for region, offset in kept}
    halves = {("part", (region, at + half)) for _, (region, at) in words for half in (0, 4)}
    whole = {place for place in halves if all((place[1][0], place[1][1] + index) in kept for index in range(4))}
    counts = {"general": 16, "vector": 32, "mask": 8}
    registers = {(kind, index) for kind, count in counts.items() for index in range(count)}
    # Only words of which one half is known have parts.
    parts = {(kind, (region, at)) for kind, (region, at) in whole if (kind, (region, at ^ 4)) not in whole}
    return sorted(words | parts | registers, key=str)


def contents_of(path: DecoderPath) -> dict[Place, Any]:
    """Returns the content of every place that has one."""
    contents: dict[Place, Any] = {}
    for kind, at in places(path):
        if kind in ("kept", "part"):
            source = [path.memory.kept.get((at[0], at[1] + index)) for index in range(8 if kind == "kept" else 4)]
            if not any(byte is None for byte in source):
                contents[kind, at] = simplified(lanes([*source, 0, 0, 0, 0][:8], 64)[0])
        elif kind == "general":
            word = path.general[at]
            separate = isinstance(word, Bits)
            contents[kind, at] = Bits([simple(bit) for bit in word.bits]) if separate else simplified(word)
        else:
            contents[kind, at] = list((path.vectors if kind == "vector" else path.masks)[at])
    return contents


def put(path: DecoderPath, place: Place, content: Any) -> None:
    kind, at = place
    if kind in ("kept", "part"):
        for index, byte in enumerate(as_bytes([plain(content)], 64)[: 8 if kind == "kept" else 4]):
            path.memory.kept[at[0], at[1] + index] = byte
    elif kind == "vector":  # Of a short one, the rest stays as it is.
        path.vectors[at] = content + path.vectors[at][len(content) :]
    else:
        {"general": path.general, "mask": path.masks}[kind][at] = content
