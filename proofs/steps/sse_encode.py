"""The SSE encoder's loop over blocks of 16 values, `encode::<T>`: `any` is called for each block, then two encoders of
eight values, and at the end the SWAR kernel or the scalar loop for the rest."""

import functools
import operator
from collections.abc import Callable
from typing import Any

import z3

from model.image import Image, Refuted
from model.terms import as_bytes, lanes, term

from .contract import NotedPath, stored
from .encoder import NOTHING, Encoder
from .executor import Contract, Path
from .sse import any_of, function
from .wire import Integer, raw, takes

BLOCK = 16


def encode(image: Image, integer: Integer) -> None:
    """Each block is encoded where the one before it ends, and the rest where the last one ends. A block that needs more
    space than is left belongs to the rest. `calls` has the length of the longest value of the block too, and how many of
    its values no encoder has got."""
    encoder, size = Encoder(image, integer, ahead=2 * BLOCK), integer.size

    def wire(values: Any) -> list[z3.BitVecRef]:
        return [raw(one, integer) for one in encoder.next(values)]

    def words(values: Any, _: Any) -> list[Any]:
        own = [*encoder.next(values)[:BLOCK], *wire(values)[:BLOCK]]
        left = size * ((encoder.count & -BLOCK) - values)
        return [encoder.src.start + size * (values + 8), left, *lanes(as_bytes(own, integer.bits), 64)]

    def end(path: NotedPath, is_last: bool = False) -> tuple[Any, Any]:
        """Returns the progress after the turn, which may have done nothing if it is the last one."""
        values, bytes_, longest, left = path.calls[-1]
        if not path.stores:
            if left not in (0, BLOCK * is_last):
                raise Refuted("not a block")
            return values, bytes_
        new = zip(stored(path, BLOCK, bytes_), wire(values)[:BLOCK], strict=True)
        is_block = longest == 1 and left == BLOCK
        path.prove(z3.And(*[term(byte, 8) == z3.Extract(7, 0, one) for byte, one in new], is_block), "other bytes")
        return values + BLOCK, bytes_ + BLOCK

    def turn(path: NotedPath, *progress: Any) -> list[Path]:
        """The contract of `any`, with which each turn begins. Each length of the longest value is a path of its own."""
        values = wire(progress[0])[:BLOCK]
        for at, name in enumerate(("RDI", "RSI")):
            place = path.number(path.get(name))
            given = lanes([path.fixed(place + index) for index in range(64)], integer.bits)
            expected = [*values[8 * at : 8 * at + 8], *[0] * (len(given) - 8)]
            path.prove(z3.And(*[term(a, integer.bits) == b for a, b in zip(given, expected, strict=True)]), "other values")
        ways, any_ = list[Path](), functools.reduce(operator.or_, values)
        path.set("RAX", z3.ZeroExt(64 - integer.bits, any_))
        for longest in range(1, integer.longest + 1):
            one = path.copy()
            one.conditions.append(takes(any_, Integer("", integer.bits, False), longest))
            one.calls = [(*progress, longest, BLOCK)]
            ways.append(one)
        return ways

    def eight(lengths: range, is_given: Callable[[NotedPath, Any], Any]) -> Contract:
        """Returns the contract of an encoder of eight values, of which the longest has one of these lengths."""

        def contract(path: NotedPath) -> list[Path]:
            values, bytes_, longest, left = path.calls[-1]
            if longest not in lengths or left == 0:
                raise Refuted("another encoder")
            path.check_arguments(encoder.dst.start + bytes_)
            path.prove(is_given(path, values), "other values")
            encoder.store(path, 8, 8 * longest, {3: 16, 5: 32}.get(lengths.stop, 7 * longest + 16))
            path.calls = [(*path.calls[-1], longest, left - 8)]
            return [path]

        return contract

    def in_vectors(source: Callable[[Any], list[z3.BitVecRef]], bits: int) -> Callable[[NotedPath, Any], Any]:
        """Returns whether the first vectors have the next values of a source."""

        def is_given(path: NotedPath, values: Any) -> Any:
            given = lanes([byte for vector in path.vectors[: bits // 16] for byte in vector[:16]], bits)
            own = [z3.Extract(bits - 1, 0, one) for one in source(values)[:8]]
            return z3.And(*[term(a, bits) == b for a, b in zip(given, own, strict=True)])

        return is_given

    def in_memory(path: NotedPath, values: Any) -> Any:
        return path.get("RSI") == encoder.src.start + size * values

    def last(path: NotedPath) -> tuple[Any, Any]:
        return end(path, is_last=True)

    loop = encoder.loop(BLOCK, BLOCK, words=words) if size > 2 else None
    calls = {encoder.function(f"{name}::encode"): encoder.last(name == "scalar", last) for name in ("swar", "scalar")}
    if loop:
        calls |= {
            any_of(image, integer): loop.turn(end, turn),
            function(image, "encode::words"): eight(range(1, 3), in_vectors(wire, 16)),
            function(image, "encode::dwords"): eight(range(1, 5), in_vectors(wire, 32)),
            function(image, "encode::eight", integer.name): eight(
                range(5, integer.longest + 1), in_vectors(encoder.next, 32) if size == 4 else in_memory
            ),
        }
    for after in encoder.ends(loop, function(image, "encode::encode", integer.name), calls, (*NOTHING, 0, 0)):
        encoder.check_result(after, *after.calls)
