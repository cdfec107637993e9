"""The AVX-512 decoder's loops over values of one length:

    turn            four vectors of values
    vectors         calls `turn` until that decodes nothing
    one_byte_each   64 values of one byte
    bytes           calls `one_byte_each` until that decodes nothing, or too little is left
    uniform         calls the one of these loops that is for a length"""

from collections.abc import Iterable
from typing import Any

import z3

from model.image import Image
from model.terms import lanes

from .avx512_decode import MODULE, lanes_of
from .contract import (
    CANONICAL, DOUBLE_PUMPED, WINDOW, NotedPath, Slices, check_advance, check_no_stores, check_uniform, content_of,
    decoding_ends, stored, unknown_bytes,
)
from .executor import LENT, Path, Region, run
from .loops import Loop, progress_of
from .wire import Integer

VECTORS = 4  # UNROLL


def _function(image: Image, name: str, integer: Integer, *more: str) -> int:
    return image.function(f"{MODULE}uniform::{name}::<{', '.join([integer.name, *more])}>")


def _layout(image: Image, integer: Integer, length: Any) -> Any:
    """Returns the address of the `Layout` of values of this length."""
    layouts = image.variable(f"<{MODULE}uniform::Layout>::of::SIZE_{integer.size}")
    return layouts.start + len(layouts) // integer.longest * (length - 1)


def _lanes(integer: Integer) -> list[int]:
    """Returns the argument for `lanes`, if there is one: lanes of 4 or 2 bytes do not use it."""
    return lanes_of(integer, long=False)


def turn(image: Image, integer: Integer, length: int) -> None:
    """Four vectors of values of one length are written, and the progress advances by them, or by some of them if all lanes
    of a vector are values; or it does not."""
    slices, long, data = Slices(integer), length > integer.size, unknown_bytes("data", VECTORS * WINDOW)
    slices.src.content = content_of(data, slices.bytes)
    layout = _layout(image, integer, length)
    path = slices.path(image, [layout, length, *slices.arguments, LENT, *_lanes(integer), CANONICAL])
    path.lend(LENT, 16, *slices.at)
    for after in decoding_ends(path, _function(image, "turn", integer, str(long).lower()), slices.at, stores=True):
        decoded = 0 if long else VECTORS * WINDOW // integer.size
        check_advance(after, slices, data, length, CANONICAL, spill=WINDOW, decoded=decoded)


def vectors(image: Image, integer: Integer, long: bool) -> None:
    """Calls `turn` until that decodes nothing, and returns the progress."""
    slices, length, layout = Slices(integer), *z3.BitVecs("length layout", 64)

    def step(path: NotedPath, *at: Any) -> list[Path]:
        """The contract of `turn`: without progress, or with any."""
        path.check_arguments(layout, length, *slices.arguments, None, *_lanes(integer), CANONICAL)
        return slices.step(path, path.number(path.word(path.get("RSP"))), *at)

    loop, name = Loop(lambda *at: at, slices.within), str(long).lower()
    path = slices.path(image, [*slices.arguments, *slices.at, length, layout, CANONICAL])
    path.calls = [slices.at]
    calls = {_function(image, "turn", integer, name): loop.turn(progress_of, step)}
    for after in loop.ends(path, _function(image, "vectors", integer, name), calls):
        check_no_stores(after)
        at, _ = after.calls
        after.check_returned(*at)


def one_byte_each(image: Image, integer: Integer) -> None:
    """Writes 64 values of one byte. Or the result is false."""
    data = unknown_bytes("data", WINDOW)
    source, output = Region("input", WINDOW, content_of(data)), Region("output", WINDOW * integer.size)
    path = NotedPath(image, [source, output], [], [source.start, output.start])
    for after in decoding_ends(path, _function(image, "one_byte_each", integer), [], stores=True):
        elements = lanes(stored(after, WINDOW * integer.size), integer.bits)
        check_uniform(after, elements, data, integer, 1, canonical=False)


def bytes_(image: Image, integer: Integer) -> None:
    """Calls `one_byte_each` until that decodes nothing, or fewer than 64 bytes or slots are left, and returns the progress."""
    slices, size = Slices(integer), integer.size
    src, dst = slices.src.start, slices.dst.start

    def words(turns: Any) -> list[Any]:
        values, bytes_ = slices.values + WINDOW * turns, slices.bytes + WINDOW * turns
        return [values, bytes_, most - turns, src + bytes_, dst + size * values, dst + size * (values - WINDOW)]

    def step(path: NotedPath, turns: Any) -> list[Path]:
        """The contract of `one_byte_each`: without progress, or with 64 values."""
        _, _, _, source, output, _ = words(turns)
        path.check_arguments(source, output)
        none = path.copy().returning(0)
        path.calls = [(turns + 1,)]
        return [none, path.returning(1)]

    most_bytes, most_values = z3.LShR(slices.len - slices.bytes, 6), z3.LShR(slices.space - slices.values, 6)
    most = z3.If(z3.ULE(most_bytes, most_values), most_bytes, most_values)
    loop = Loop(words, lambda turns: z3.ULT(turns, most))
    path = slices.path(image, [*slices.arguments, *slices.at])
    path.calls = [(z3.BitVecVal(0, 64),)]
    calls = {_function(image, "one_byte_each", integer): loop.turn(progress_of, step)}
    for after in loop.ends(path, _function(image, "bytes", integer), calls):
        values, bytes_, *_ = words(*progress_of(after))
        after.check_returned(values, bytes_)


def uniform(image: Image, integer: Integer) -> None:
    """Calls the loop for values of this length with the progress, and has that after it. Of any length that values cannot
    have, it decodes nothing."""
    slices, length = Slices(integer), z3.BitVec("length", 64)

    def loop(lengths: Iterable[int], *arguments: Any) -> Any:
        """Returns the contract of a loop for these lengths."""

        def contract(path: NotedPath) -> list[Path]:
            path.check_arguments(*arguments)
            path.prove(z3.Or(*[length == one for one in lengths]), "another length")
            path.calls.append(slices.unknown_progress(path))
            path.set("RAX", path.calls[-1][0])
            path.second = path.calls[-1][1]
            return [path]

        return contract

    short = min(integer.size, integer.longest)
    given = *slices.arguments, *slices.at
    more = *given, length, _layout(image, integer, length), CANONICAL
    calls = {
        _function(image, "bytes", integer): loop([1], *given),
        _function(image, "vectors", integer, "false"): loop(range(2, short + 1), *more),
        _function(image, "vectors", integer, "true"): loop(range(short + 1, integer.longest + 1), *more),
        # On a CPU that executes each operation as two.
        image.function(f"zigzag_varint::simd::avx2::decode::steps::uniform::uniform::<{integer.name}>"):
            loop([2, 4], length, *given, CANONICAL),
    }
    path = slices.path(image, [*slices.arguments, LENT, length, CANONICAL, DOUBLE_PUMPED])
    path.lend(LENT, 16, *slices.at)
    path.calls = [slices.at]
    for after in run(path, _function(image, "uniform", integer), calls):
        check_no_stores(after)
        after.expect(LENT, *after.calls[-1])
        is_length = z3.And(z3.ULE(1, length), z3.ULE(length, integer.longest))
        after.prove(is_length == (len(after.calls) == 2), "another loop")
