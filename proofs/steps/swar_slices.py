"""The loops of the SWAR kernel, `swar::decode::<T>` and `swar::encode::<T>`: each calls its step until it does nothing,
and the scalar loop for the rest."""

from typing import Any

import z3

from model.image import Image, Refuted
from model.terms import as_bytes

from .contract import CANONICAL, WINDOW, NotedPath, Slices, content_at
from .executor import LENT, LONGEST, Contract, Path, Region, fresh
from .loops import Loop, progress_of
from .swar import MODULE, MOST, READ
from .wire import Integer, raw


def decode(image: Image, integer: Integer) -> None:
    """Each window begins where the values before it end, and is decoded to the next slots."""
    slices, size = Slices(integer), integer.size

    def words(values: Any, bytes_: Any) -> list[Any]:
        return [values, bytes_, slices.src.start + bytes_, slices.dst.start + size * values, slices.window(bytes_).ends]

    def has_space(values: Any, bytes_: Any) -> z3.BoolRef:
        space = z3.And(z3.ULE(READ, slices.len - bytes_), z3.ULE(WINDOW, slices.space - values))
        return z3.And(slices.within(values, bytes_), space)

    loop = Loop(words, has_space)

    def window(path: NotedPath, values: Any, bytes_: Any) -> list[Path]:
        """The contract of `decode_window`."""
        path.check_arguments(None, *[words(values, bytes_)[at] for at in (2, 4, 3)], CANONICAL)
        done, result = (fresh("values"), fresh("bytes")), path.number(path.get("RDI"))
        none, some = path.copy(), path.copy()
        none.put(result, 0)
        some.put(result, 1, *done)
        some.conditions += [z3.ULE(1, done[0]), z3.ULE(done[0], done[1]), z3.ULE(done[1], WINDOW)]
        some.calls = [(values + done[0], bytes_ + done[1])]
        return [none, some]

    path = slices.path(image, [LENT, *slices.arguments, CANONICAL])
    path.lend(LENT, 32)
    path.calls = [(0, 0)]
    calls = {image.function(f"{MODULE}decode_window::<{integer.name}>"): loop.turn(progress_of, window)}
    _check_ends(loop, path, integer, "decode", calls, [LENT, *slices.arguments], CANONICAL)


def _check_ends(
    loop: Loop, start: NotedPath, integer: Integer, name: str, calls: dict[int, Contract], arguments: list[Any], *more: Any
) -> None:
    """Proves that the scalar loop is called with these arguments and the progress, and that the result is its result."""

    def rest(path: NotedPath) -> list[Path]:
        path.check_arguments(*arguments, *path.calls[-1], *more)
        path.calls = [fresh("result"), fresh("result")]
        path.set("RAX", path.calls[0])
        path.second = path.calls[1]
        return [path]

    calls[start.image.function(f"zigzag_varint::simd::scalar::{name}::<{integer.name}>")] = rest
    for after in loop.ends(start, start.image.function(f"{MODULE}{name}::<{integer.name}>"), calls):
        if after.stores or len(after.calls) != 2:
            raise Refuted("ends without the scalar loop")
        if name == "encode":
            after.prove(z3.And(after.get("RAX") == after.calls[0], after.get("RDX") == after.calls[1]), "another result")


def encode(image: Image, integer: Integer) -> None:
    """The next eight values are encoded where those before them end."""
    size, count, room = integer.size, *z3.BitVecs("count room", 64)
    value = z3.Function("value", z3.BitVecSort(64), z3.BitVecSort(integer.bits))

    def block(values: Any) -> list[z3.BitVecRef]:
        return [value(z3.simplify(values + at)) for at in range(8)]

    def wire(values: Any) -> list[z3.BitVecRef]:
        return [z3.Extract(63, 0, z3.ZeroExt(64, raw(one, integer))) for one in block(values)]

    content = content_at(lambda path: [(size * path.calls[-1][0], as_bytes(block(path.calls[-1][0]), integer.bits))])
    src, dst = Region("src", size * count, content), Region("dst", room)
    arguments = [src.start, count, dst.start, room]

    def words(values: Any, bytes_: Any) -> list[Any]:
        places = [values, bytes_, dst.start + bytes_, src.start + size * values, size * values]
        return [*places, size * (count - values), *wire(values)]

    def has_space(values: Any, bytes_: Any) -> z3.BoolRef:
        left = z3.And(z3.ULE(values, count), z3.ULE(8, count - values), values & 7 == 0)
        return z3.And(left, z3.ULE(bytes_, room), z3.ULE(MOST, room - bytes_))

    loop = Loop(words, has_space)

    def eight(path: NotedPath, values: Any, bytes_: Any) -> list[Path]:
        """The contract of `encode_eight`."""
        path.check_arguments(None, dst.start + bytes_)
        path.expect(path.number(path.get("RDI")), *wire(values), what="other values")
        used = fresh("used")
        path.set("RAX", used)
        path.conditions += [z3.ULE(8, used), z3.ULE(used, MOST)]
        path.calls = [(values + 8, bytes_ + used)]
        return [path]

    path = NotedPath(image, [src, dst], [z3.ULE(room, LONGEST), z3.ULE(count, LONGEST // size)], arguments)
    path.calls = [(z3.BitVecVal(0, 64), z3.BitVecVal(0, 64))]
    calls = {image.function(f"{MODULE}encode_eight"): loop.turn(progress_of, eight)}
    _check_ends(loop, path, integer, "encode", calls, arguments)
