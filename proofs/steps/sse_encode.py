"""The SSE encoder's loop over blocks of 16 values, `encode::<T>`: `any` is called for each block, then two encoders of
eight values, and at the end the SWAR kernel or the scalar loop for the rest."""

import functools
import operator
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

import z3

from model.image import Image, Refuted
from model.terms import as_bytes, lanes, term

from .contract import NotedPath, TablePath, content_at, stored
from .executor import LONGEST, Contract, Path, Region, fresh, run
from .loops import Loop
from .sse import any_of, function
from .wire import Integer, raw, takes

BLOCK = 16


@dataclass(frozen=True)
class _Turn:
    """A turn: the progress at its start, the length of the longest value, how many values encoders have got, and the
    bytes of those."""

    values: Any
    bytes: Any
    longest: int = 0
    done: int = 0
    used: Any = 0

    def next(self, path: Path) -> Any:
        """Returns the number of values before those that may be read: the block, or the next one after its end."""
        return self.values + BLOCK * (self.done == BLOCK or (self.longest == 1 and bool(path.stores)))

    def end(self, path: Path, wire: Callable[[Any], list[z3.BitVecRef]], is_last: bool = False) -> tuple[Any, Any]:
        """Returns the progress after the turn, which may have done nothing if it is the last one."""
        if not path.stores and (self.longest == 0 or (is_last and self.done == 0)):
            return self.values, self.bytes
        if self.longest != 1:
            if self.done != BLOCK or path.stores:
                raise Refuted("not a block")
            return self.values + BLOCK, self.bytes + self.used
        new = zip(stored(path, BLOCK, self.bytes), wire(self.values), strict=True)
        path.prove(z3.And(*[term(byte, 8) == z3.Extract(7, 0, one) for byte, one in new], self.done == 0), "other bytes")
        return self.values + BLOCK, self.bytes + BLOCK


def encode(image: Image, integer: Integer) -> None:
    """Each block is encoded where the one before it ends, and the rest where the last one ends. A block that needs more
    space than is left belongs to the rest."""
    size, count, room = integer.size, *z3.BitVecs("count room", 64)
    value = z3.Function("value", z3.BitVecSort(64), z3.BitVecSort(integer.bits))

    def block(at: Any) -> list[z3.BitVecRef]:
        return [value(z3.simplify(at + index)) for index in range(BLOCK)]

    def wire(at: Any) -> list[z3.BitVecRef]:
        return [raw(one, integer) for one in block(at)]

    def content_of(path: NotedPath) -> list[Any]:
        at = path.calls[-1].next(path)
        return [(size * at, as_bytes(block(at), integer.bits))]

    content = content_at(content_of)
    src, dst = Region("src", size * count, content), Region("dst", room)
    arguments = [src.start, count, dst.start, room]

    def words(values: Any, bytes_: Any) -> list[Any]:
        eights = [src.start + size * (values + at) for at in (0, 8)]
        left = size * ((count & -BLOCK) - values)
        own = lanes(as_bytes([*block(values), *wire(values)], integer.bits), 64)
        return [values, bytes_, dst.start + bytes_, *eights, left, *own]

    loop = Loop(words, lambda values, bytes_: z3.And(
        z3.ULE(values, count), z3.ULE(BLOCK, count - values), values & BLOCK - 1 == 0, z3.ULE(bytes_, room)
    ))  # fmt: skip

    def turn(path: NotedPath, *progress: Any) -> list[Path]:
        """The contract of `any`, with which each turn begins. Each length of the longest value is a path of its own."""
        values = wire(progress[0])
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
            one.calls = [_Turn(*progress, longest)]
            ways.append(one)
        return ways

    def encoder(lengths: range, is_given: Callable[[NotedPath, int], Any]) -> Contract:
        """Returns the contract of an encoder of eight values, of which the longest has one of these lengths."""

        def contract(path: NotedPath) -> list[Path]:
            now, used = path.calls[-1], fresh("used")
            start, need = now.bytes + now.used, {3: 16, 5: 32}.get(lengths.stop, 7 * now.longest + 16)
            if now.longest not in lengths or now.done == BLOCK:
                raise Refuted("another encoder")
            path.check_arguments(dst.start + start)
            path.prove(z3.And(z3.ULE(start, room), z3.ULE(need, room - start)), "too little space")
            path.prove(is_given(path, now.done), "other values")
            path.conditions += [z3.ULE(8, used), z3.ULE(used, 8 * now.longest)]
            path.calls.append(replace(now, done=now.done + 8, used=now.used + used))
            path.set("RAX", used)
            return [path]

        return contract

    def in_vectors(source: Callable[[Any], list[z3.BitVecRef]], bits: int) -> Callable[[NotedPath, int], Any]:
        """Returns whether the first vectors have the next values of a source."""

        def is_given(path: NotedPath, done: int) -> Any:
            given = lanes([byte for vector in path.vectors[: bits // 16] for byte in vector[:16]], bits)
            own = [z3.Extract(bits - 1, 0, one) for one in source(path.calls[-1].values)[done : done + 8]]
            return z3.And(*[term(a, bits) == b for a, b in zip(given, own, strict=True)])

        return is_given

    def in_memory(path: NotedPath, done: int) -> Any:
        return path.get("RSI") == src.start + size * (path.calls[-1].values + done)

    def rest(scalar: bool) -> Contract:
        """Returns the contract of an encoder of the rest, which is given all and the progress, or what is left."""

        def contract(path: NotedPath) -> list[Path]:
            values, bytes_ = path.calls[-1].end(path, wire, is_last=True)
            left = [src.start + size * values, count - values, dst.start + bytes_, room - bytes_]
            path.check_arguments(*[*arguments, values, bytes_] if scalar else left)
            tag, path.second = fresh("tag"), fresh("length")
            path.calls = [tag, path.second + (0 if scalar else bytes_)]
            path.conditions.append(z3.ULE(tag, 1))
            path.set("RAX", tag)
            return [path]

        return contract

    path = TablePath(image, [src, dst], [z3.ULE(room, LONGEST), z3.ULE(count, LONGEST // size)], arguments)
    path.calls = [_Turn(*[z3.BitVecVal(0, 64)] * 2)]
    address = function(image, "encode::encode", integer.name)
    calls = {
        image.function(f"zigzag_varint::simd::{name}::encode::<{integer.name}>"): rest(scalar=name == "scalar")
        for name in ("swar", "scalar")
    }
    if size > 2:
        calls |= {
            any_of(image, integer): loop.turn(lambda path: path.calls[-1].end(path, wire), turn),
            function(image, "encode::words"): encoder(range(1, 3), in_vectors(wire, 16)),
            function(image, "encode::dwords"): encoder(range(1, 5), in_vectors(wire, 32)),
            function(image, "encode::eight", integer.name): encoder(
                range(5, integer.longest + 1), in_vectors(block, 32) if size == 4 else in_memory
            ),
        }
    for after in loop.ends(path, address, calls) if size > 2 else run(path, address, calls):
        tag, length = after.calls
        after.prove(z3.And(after.get("RAX") == tag, z3.Implies(tag == 1, after.get("RDX") == length)), "another result")
