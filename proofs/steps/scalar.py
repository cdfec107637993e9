"""The scalar loops, `scalar::decode::<T>` and `scalar::encode::<T>`, and their steps for one value."""

from typing import Any

import z3

from model.failures import Refuted
from model.image import Image
from model.terms import Byte, as_bytes, lanes, simplified, term

from .executor import LENT, LONGEST, STACK, Path, Region, fresh, run
from .loops import again, put
from .notes import NotedPath
from .singles import BYTES, written
from .window import Slices, flag, returning, unused
from .wire import OK, Integer, decoded, encoding, same, takes

STEP = "<zigzag_varint::scalar::slice::{}<{}>>::step"
LOOP = "zigzag_varint::simd::scalar::{}::<{}>"
DONE = 3  # the kind in the result of a decoder if there is no error; the errors are numbered from 0
RESULT = LENT + 64


def _address(image: Image, name: str, *names: str) -> int:
    return image.function(name.format(*names)).address


def decode_step(image: Image, integer: Integer, canonical: bool) -> None:
    """If a byte and a slot are left, the outcome is that of the format for the bytes that are left: the value is
    written to the slot and the state advances by it, or the state is unchanged and the result is the error."""
    slices = Slices(integer)
    values, bytes_, left = slices.values, slices.bytes, slices.len - slices.bytes
    for more in range(integer.longest + 1):
        tops = [1] * more + [0] * (more < integer.longest)
        data = [z3.Concat(z3.BitVecVal(top, 1), z3.BitVec(f"group{at}", 7)) for at, top in enumerate(tops)]
        data += [z3.BitVec(f"byte{at}", 8) for at in range(len(data), BYTES)]

        def content(path: Path, offset: Any, index: int, data: list[z3.BitVecRef] = data) -> Byte:
            return Byte(z3.simplify(data[simplified(term(offset, 64) - bytes_) + index]))

        src = Region("src", slices.len, content)
        facts = [*slices.facts, slices.within(values, bytes_)]
        path = Path(image, [src, slices.dst], facts, [RESULT, LENT, int(canonical)])
        path.memory.lent = [range(LENT, LENT + 48), range(RESULT, RESULT + 16)]
        put(path, LENT, *_decoding(slices, values, bytes_))
        expected = decoded(data[: integer.longest], left, integer, canonical)
        nothing = z3.Or(values == slices.space, left == 0)
        for after in run(path, _address(image, STEP, "Decoding", integer.name)):
            kind, now = after.word(RESULT + 8, 8), [term(after.word(LENT + at), 64) for at in (16, 24, 32)]
            if not after.stores:
                if kind == DONE:
                    right = z3.And(nothing, term(after.word(RESULT, 8), 8) == 0)
                else:
                    same_kind = expected.kind == z3.ZeroExt(56, term(kind, 8)) + 1
                    same_place = after.word(RESULT) == expected.at + bytes_
                    right = z3.And(z3.Not(nothing), expected.kind != OK, same_kind, same_place)
                after.prove(z3.And(right, now[0] == values, now[1] == bytes_), "another outcome")
                continue
            [(_, offset, new)] = after.stores
            right = z3.And(z3.Not(nothing), expected.kind == OK, kind == DONE, term(after.word(RESULT, 8), 8) == 1)
            moved = [values + 1, bytes_ + expected.at, slices.dst.start + integer.size * (values + 1)]
            value = term(lanes(new, integer.bits)[0], integer.bits)
            after.prove(z3.And(right, offset == integer.size * values, value == expected.value), "another value")
            after.prove(z3.And(*[one == other for one, other in zip(now, moved, strict=True)]), "another progress")


def _decoding(slices: Slices, values: Any, bytes_: Any) -> list[Any]:
    """Returns the words of a `Decoding` at this progress."""
    size, dst = slices.integer.size, slices.dst.start
    return [slices.src.start, slices.len, values, bytes_, dst + size * values, dst + size * slices.space]


def decode(image: Image, integer: Integer, canonical: bool) -> None:
    """Calls the step until it decodes nothing or there is an error, and returns the progress and the error."""
    slices, turns = Slices(integer), 0
    facts = [*slices.facts, slices.within(slices.values, slices.bytes)]
    path = NotedPath(image, [slices.src, slices.dst], facts, [RESULT, *slices.arguments(), slices.values])
    put(path, STACK, slices.bytes)
    path.memory.stack |= flag(STACK + 8, canonical)
    path.memory.lent = [range(RESULT, RESULT + 32)]

    def step(path: NotedPath) -> list[NotedPath]:
        result, state = path.get("RDI"), path.get("RSI")
        at = path.calls[-1][:2] if path.calls else (slices.values, slices.bytes)
        second = again(path, {*range(state, state + 48), *range(result, result + 16)})
        for index, word in enumerate(_decoding(slices, *at)):
            path.prove(path.word(state + 8 * index) == word, f"word {index} of another state")
        path.prove(z3.Extract(7, 0, term(path.get("RDX"), 64)) == int(canonical), "another choice of canonical")
        path.set("RAX", result)
        path.memory.stack |= unused(result, range(16)) | unused(state, range(32, 40))
        ways = []
        for kind in (DONE, fresh("kind", 8)):
            one = path.copy()
            offset = fresh("offset") if kind is not DONE else None
            one.calls.append((*at, kind, offset))
            one.memory.stack |= {result: 0, result + 8: kind if kind is DONE else Byte(kind)}
            if offset is not None:
                one.conditions.append(z3.ULT(kind, DONE))
                put(one, result, offset)
            ways.append(one)
        if not second:
            at = fresh("values"), fresh("bytes")
            path.calls.append((*at, DONE, None))
            path.conditions.append(slices.within(*at))
            put(path, state, *_decoding(slices, *at))
            path.memory.stack |= {result: 1, result + 8: DONE}
            ways.append(path)
        return ways

    calls = {_address(image, STEP, "Decoding", integer.name): step}
    for after in run(path, _address(image, LOOP, "decode", integer.name), calls):
        values, bytes_, kind, offset = after.calls[-1]
        turns = max(turns, len(after.calls))
        right = z3.And(after.word(RESULT) == values, after.word(RESULT + 8) == bytes_)
        after.prove(z3.And(right, term(after.word(RESULT + 24, 8), 8) == term(kind, 8)), "another result")
        if offset is not None:
            after.prove(after.word(RESULT + 16) == offset, "another offset")
        if after.stores:
            raise Refuted("stores of its own")
    if turns < 2:
        raise Refuted("no loop")


def encode_step(image: Image, integer: Integer) -> None:
    """Writes the encoding of the next value and nothing else, and advances by it. If there is no value, or no
    space for it, it writes nothing and says so. Each length is a run of its own."""
    value, index, count, room = z3.BitVec("value", integer.bits), *z3.BitVecs("index count room", 64)
    for length in range(1, integer.longest + 1):
        def content(path: Path, offset: Any, at: int) -> Byte:
            path.prove(offset == integer.size * index, "reads another value")
            return as_bytes([value], integer.bits)[at]

        src, dst = Region("src", integer.size * count, content), Region("dst", room)
        facts = [z3.ULE(room, LONGEST), z3.ULE(count, LONGEST // integer.size), z3.ULE(index, count)]
        facts.append(takes(value, integer, length))
        path = Path(image, [src, dst], facts, [LENT])
        path.memory.lent = [range(LENT, LENT + 32)]
        put(path, LENT, dst.start, room, src.start + integer.size * index, src.start + integer.size * count)
        for after in run(path, _address(image, STEP, "Encoding", integer.name)):
            result = simplified(z3.Extract(7, 0, term(after.get("RAX"), 64)), 8)
            if result != 1:
                full = z3.And(index != count, z3.ULT(room, length))
                after.prove(index == count if result == 0 else full, "stops too early")
                if after.stores or result not in (0, 2):
                    raise Refuted("writes a value that it does not report")
                continue
            found = written(after, length)
            after.prove(z3.And(index != count, same(found, encoding(value, integer, length))), "other bytes")
            moved = [dst.start + length, room - length, src.start + integer.size * (index + 1)]
            now = [after.word(LENT + at) for at in (0, 8, 16)]
            after.prove(z3.And(*[one == other for one, other in zip(now, moved, strict=True)]), "another progress")


def encode(image: Image, integer: Integer) -> None:
    """Calls the step until no value is left or there is no space, and returns the length that is used."""
    slices, turns = Slices(integer), 0  # `src` is the bytes here, and `dst` the values
    facts = [*slices.facts, slices.within(slices.values, slices.bytes)]
    values, bytes_ = slices.arguments()[2:], slices.arguments()[:2]
    path = NotedPath(image, [slices.src, slices.dst], facts, [*values, *bytes_, slices.values, slices.bytes])

    def words(at: tuple[Any, Any]) -> list[Any]:
        size, first = integer.size, slices.dst.start
        return [slices.src.start + at[1], slices.len - at[1], first + size * at[0], first + size * slices.space]

    def step(path: NotedPath) -> list[NotedPath]:
        state, at = path.get("RDI"), path.calls[-1][0] if path.calls else (slices.values, slices.bytes)
        second = again(path, range(state, state + 32))
        for index, word in enumerate(words(at)):
            path.prove(path.word(state + 8 * index) == word, f"word {index} of another state")
        ways = []
        for result in (0, 2) if second else (0, 2, 1):
            one = path.copy()
            if result == 1:
                at = fresh("values"), fresh("bytes")
                one.conditions.append(slices.within(*at))
                put(one, state, *words(at))
            elif result == 2:
                one.memory.stack |= unused(state, range(32))
            one.calls.append((at, result))
            ways.append(returning(one, result))
        return ways

    calls = {_address(image, STEP, "Encoding", integer.name): step}
    for after in run(path, _address(image, LOOP, "encode", integer.name), calls):
        (_, used), result = after.calls[-1]
        turns = max(turns, len(after.calls))
        after.prove(term(after.get("RAX"), 64) == int(result == 0), "another result")
        if result == 0:
            after.prove(after.get("RDX") == used, "another length")
        if after.stores or result == 1:
            raise Refuted("ends before the last value")
    if turns < 2:
        raise Refuted("no loop")
