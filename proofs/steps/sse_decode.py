"""The SSE decoder's loops over the values of a window:

    sparse  two values at a time, at the next two starts
    dense   the values that start in eight bytes at a time, and then those of more than four bytes again"""

from typing import Any

import z3

from model.image import Image
from model.terms import lanes, number_of_zeros

from .avx2_dense import check_short_values
from .contract import WINDOW, NotedPath, Window, check_no_stores, content_of, stored
from .executor import Path, Region
from .loops import Loop
from .questions import fresh
from .sse import READ, SPILL, function, longer, stride
from .wire import Integer, unraw

SRC, DST = z3.BitVecs("src dst", 64)


def _pair(image: Image, integer: Integer, long: bool) -> int:
    # The compiler merges the code of unsigned types with theirs.
    return function(image, "decode::pair", f"i{integer.bits}", str(long).lower())


def _wires(path: NotedPath) -> list[z3.BitVecRef]:
    """Puts two values before the conversion from zigzag form where `pair` returns them."""
    wires = [fresh("wire") for _ in range(2)]
    path.put(path.number(path.get("RDI")), *wires)
    return wires


def _check_values(path: Path, integer: Integer, wires: list[z3.BitVecRef], place: Any) -> None:
    """Proves that these values, as far as they fit the type, are stored from this slot on, and nothing else."""
    new = lanes(stored(path, integer.size * len(wires), integer.size * place), integer.bits)
    for value, wire in zip(new, wires, strict=True):
        low = z3.Extract(integer.bits - 1, 0, wire)
        path.prove(z3.Or(value == unraw(low, integer), wire != z3.ZeroExt(64 - integer.bits, low)), "another value")


def _zeros(word: Any) -> Any:
    return number_of_zeros(64, word, leading=False)


def _rest(word: Any) -> Any:
    return word & (word - 1)


def sparse(image: Image, integer: Integer, long: bool) -> None:
    """Turn k writes the values that `pair` decodes at the lowest two of the starts that are left to the slots 2k and
    2k + 1, until there are `count` of them."""
    starts, count, size = *z3.BitVecs("starts count", 64), integer.size
    pairs = count - z3.LShR(count, 1)

    def words(turn: Any, left: Any) -> list[Any]:
        places = [_zeros(left), _zeros(_rest(left))]
        return [turn, turn - pairs, _rest(_rest(left)), *places, DST + 2 * size * turn]

    loop = Loop(words, lambda turn, left: z3.ULT(turn, pairs))

    def end(path: NotedPath) -> tuple[Any, Any]:
        """Returns the progress after a turn, after the proof that its values are in their slots."""
        if not path.calls:
            check_no_stores(path)
            return z3.BitVecVal(0, 64), starts
        turn, left, wires = path.calls
        _check_values(path, integer, wires, 2 * turn)
        return turn + 1, _rest(_rest(left))

    def pair(path: NotedPath, turn: Any, left: Any) -> list[Path]:
        path.check_arguments(None, SRC, _zeros(left), _zeros(_rest(left)))
        path.calls = [turn, left, _wires(path)]
        return [path]

    path = NotedPath(image, [Region("dst", (count + SPILL) * size)], [z3.ULE(count, WINDOW)], [SRC, DST, starts, count])
    address = function(image, "decode::sparse", integer.name, str(long).lower())
    for after in loop.ends(path, address, {_pair(image, integer, long): loop.turn(end, pair)}):
        after.prove(end(after)[0] == pairs, "another number of turns")


def dense(image: Image, integer: Integer) -> None:
    """Number k of the values that begin at the given starts is in slot k: what eight bytes have of it if it has at most
    four bytes, and otherwise what `pair` decodes there."""
    window, size = Window.unknown(reach=WINDOW), integer.size
    bits = [z3.BitVec(f"start{at}", 1) for at in range(stride(integer))]
    starts = z3.Concat(z3.BitVecVal(0, 64 - len(bits)), *reversed(bits))
    groups = [z3.ZeroExt(56, z3.Extract(8 * at + 7, 8 * at, starts)) for at in range(7)]
    ones = [z3.ZeroExt(60, z3.BitVec(f"N{group}", 4)) for group in range(7)]  # the number of starts in each eight bytes
    count, number = sum(ones[1:], ones[0]), z3.Function("ones", z3.BitVecSort(64), z3.BitVecSort(64))
    long = longer(window, z3.simplify(starts), 4)

    def meaning(path: NotedPath, found: z3.BitVecRef, whole: z3.BitVecRef) -> list[z3.BoolRef]:
        # Of the starts before one of them: there is a slot for it.
        return [found == number(whole), z3.ULT(found, count)]

    def before(left: Any) -> Any:
        return starts & ((z3.BitVecVal(1, 64) << _zeros(left)) - 1)

    loop = Loop(
        lambda left, slot: [left, left - 1, _rest(left), _zeros(left), slot],
        lambda left, slot: z3.And(left != 0, left & ~long == 0, slot == number(before(left)), z3.ULT(slot, count)),
    )

    def end(path: NotedPath) -> Any:
        """Returns the long values that are left, after the proof that all before are in their slots."""
        if not path.calls:
            if loop.is_general:
                check_short_values(path, integer, window, ones, bits, 1)
            return long
        left, slot, wires = path.calls
        _check_values(path, integer, wires[:1], slot)
        return _rest(left)

    def pair(path: NotedPath, left: Any, slot: Any) -> list[Path]:
        path.check_arguments(None, SRC, _zeros(left), _zeros(left))
        path.calls, path.counts = [left, slot, _wires(path)], []
        return [path]

    regions = [Region("src", READ, content_of(window.bytes)), Region("dst", (count + SPILL) * size)]
    path = NotedPath(image, regions, [z3.ULE(one, 8) for one in ones], [SRC, DST, starts, window.continues])
    path.meaning, path.counts = meaning, list(zip(ones, groups, strict=True))
    calls = {_pair(image, integer, False): loop.turn(lambda path: (end(path), path.ones[-1][0]), pair)}
    for after in loop.ends(path, function(image, "decode::dense", integer.name), calls):
        after.prove(end(after) == 0, "a long value is left out")
