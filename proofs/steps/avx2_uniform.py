"""The AVX2 decoder's loops for runs of values of one length, `uniform::<T>` and its steps `turn::<T, LENGTH>`."""

from typing import Any

import z3

from model.image import Image
from model.terms import Byte, lanes, simplified, term

from .executor import LENT, LONGEST, STACK, Region, check, fresh, run
from model.failures import Refuted
from .loops import again, put
from .notes import NotedPath
from .window import Slices, decodable, flag, length_is, returned, returning
from .wire import Integer, value_of

MODULE = "zigzag_varint::simd::avx2::decode::steps::uniform::"
REACH = 96  # of uniform.rs


def _turn(image: Image, integer: Integer, length: int, canonical: bool) -> int:
    strict = "true" if canonical and length > 1 else "false"
    return image.function(f"{MODULE}turn::<{integer.name}, {length}, {strict}>").address


def turn(image: Image, integer: Integer, canonical: bool) -> None:
    """Decodes some values that each have this length, for all of which it writes the value, and advances by
    them. Or it changes nothing."""
    for length in range(1, integer.longest + 1):
        _turn_of(image, integer, length, canonical)


def _turn_of(image: Image, integer: Integer, length: int, canonical: bool) -> None:
    values, bytes_, size, space = z3.BitVecs("values bytes size space", 64)
    data = [z3.BitVec(f"byte{at}", 8) for at in range(REACH)]

    def content(path: NotedPath, offset: Any, index: int) -> Byte:
        return Byte(data[simplified(term(offset, 64) + index - bytes_)])

    src, dst = Region("src", size, content), Region("dst", space * integer.size)
    facts = [z3.ULE(size, LONGEST), z3.ULE(space, LONGEST // integer.size), z3.ULE(bytes_, size), z3.ULE(values, space)]
    path = NotedPath(image, [src, dst], facts, [LENT, src.start, size, dst.start, space])
    put(path, LENT, values, bytes_)
    path.memory.lent = [range(LENT, LENT + 16)]
    decoded = False
    for after in run(path, _turn(image, integer, length, canonical)):
        now = [term(after.word(LENT + at), 64) for at in (0, 8)]
        count = simplified(now[0] - values)
        if not returned(after):
            after.prove(z3.And(now[0] == values, now[1] == bytes_), "progress without values")
            if after.stores:
                raise Refuted("stores without progress")
            continue
        decoded = True
        after.prove(now[1] == bytes_ + count * length, "another end")
        new: list[Any] = [None] * (integer.size * count)
        for _, offset, part in after.stores:
            at = simplified(offset - integer.size * values)
            new[at : at + len(part)] = part
        if len(new) != integer.size * count:
            raise Refuted("other stores")
        for index, element in enumerate(lanes(new, integer.bits)):
            encoding = data[length * index : length * (index + 1)]
            valid = [length_is(encoding, length), decodable(encoding, integer)]
            if canonical and length > 1:
                valid.append(encoding[-1] != 0)
            after.prove(z3.And(*valid), f"a value of {length} bytes that is not valid")
            if check(*valid, term(element, integer.bits) != value_of(encoding, integer)) is not None:
                raise Refuted(f"a value of {length} bytes")
    if not decoded:
        raise Refuted("decodes nothing")


def uniform(image: Image, integer: Integer, canonical: bool) -> None:
    """Calls `turn` of the length that it is given until that decodes nothing, and returns the progress. Of any
    other length it decodes nothing."""
    slices, turns = Slices(integer), 0
    for length in range(integer.longest + 2):
        right = _turn(image, integer, length, canonical) if 1 <= length <= integer.longest else 0

        def step(path: NotedPath) -> list[NotedPath]:
            """The contract of a turn of this length."""
            state, at = path.get("RDI"), path.calls[-1] if path.calls else (slices.values, slices.bytes)
            second = again(path, range(state, state + 16))
            path.prove(z3.And(path.word(state) == at[0], path.word(state + 8) == at[1]), "another progress")
            for name, value in zip("RSI RDX RCX R8".split(), slices.arguments(), strict=True):
                path.prove(path.get(name) == value, f"another argument {name}")
            ways = [returning(path.copy(), 0)]
            if not second:
                path.calls.append((fresh("values"), fresh("bytes")))
                path.conditions.append(slices.within(*path.calls[-1]))
                put(path, state, *path.calls[-1])
                ways.append(returning(path, 1))
            return ways

        facts = [*slices.facts, slices.within(slices.values, slices.bytes)]
        given = z3.BitVec("length", 64) if length > integer.longest else length
        if given is not length:
            facts.append(z3.UGT(given, integer.longest))
        path = NotedPath(image, [slices.src, slices.dst], facts, [given, *slices.arguments(), slices.values])
        put(path, STACK, slices.bytes)
        path.memory.stack |= flag(STACK + 8, canonical)
        for after in run(path, image.function(f"{MODULE}uniform::<{integer.name}>").address, {right: step}):
            turns += bool(after.calls)
            values, bytes_ = after.calls[-1] if after.calls else (slices.values, slices.bytes)
            after.prove(z3.And(after.get("RAX") == values, after.get("RDX") == bytes_), "another progress")
            if after.stores:
                raise Refuted("stores of its own")
    if turns < integer.longest:
        raise Refuted("a length without a turn")
