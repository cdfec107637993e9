"""The AVX2 decoder's loop for long values, `sparse::<T>`, in four steps:

    sparse         up to 16 turns of `step`, with any source, any destination, from any progress on
    step           one window at any place of the slices, whose first value may start before it
    decode_window  the values that end in a window, by calls of `turn`
    turn           eight values from eight places
"""

from typing import Any

import z3

from model.failures import Refuted
from model.image import Image
from model.terms import Byte, lanes, leading_zeros, simplified, term

from .contract import (
    REACH, SLACK, WINDOW, Slices, Window, check_validity, check_value, ends_of_loop, stored, unknown_bytes,
)
from .executor import LENT, LONGEST, Path, Region, check, fresh, run
from .notes import NotedPath
from .wire import Integer

MODULE = "zigzag_varint::simd::avx2::decode::steps::sparse::"
SPARSE = 128  # the size of `Sparse`
HIGHEST = 1 << 62  # the highest address at which a slice may start


def _function(image: Image, name: str, integer: Integer) -> int:
    if name == "step":
        return image.function(f"<{MODULE}Sparse<{integer.name}>>::step")
    return image.function(f"{MODULE}{name}::<{integer.name}>")


class _Places(NotedPath):
    """Knows the places of values as the code finds them. Place 0 is the state's, and place k + 1 is after end
    number k of the window; after the last end it is the window's byte 65."""

    def __init__(self, image: Image, integer: Integer) -> None:
        self.first, self.window, self.ends, size = z3.BitVecs("first window ends size", 64)  # in the source
        self.src, out = Region("src", size, _content), Region("out", 8 * integer.size)
        self.places, self.left = {0: self.first}, [self.ends]  # the code may find them in any order
        for _ in range(8):
            self.left.append(self.left[-1] & (self.left[-1] - 1))
        # What the caller ensures: 16 bytes can be read from the first place on, and REACH from the window on.
        facts = [
            z3.ULE(size, LONGEST), z3.UGE(size, REACH), z3.ULE(self.first, size - 16), z3.ULE(self.window, size - REACH),
        ]  # fmt: skip
        super().__init__(image, [self.src, out], facts, [LENT, self.src.start + self.window, out.start])
        self.lend(LENT, 16, z3.simplify(self.src.start + self.first), self.ends)
        self.names_zeros = True

    def number_of_zeros(self, value: Any, width: int, leading: bool) -> Any:
        zeros = super().number_of_zeros(value, width, leading)
        for place in sorted(set(range(1, 9)) - set(self.places)):
            if not leading and check(self.zeros[-1][1] != self.left[place - 1]) is None:
                self.places[place] = z3.simplify(self.window + zeros + 1)
                return zeros
        raise Refuted("another end")


def _content(path: _Places, offset: Any, index: int) -> Byte:
    """The bytes from each place on have names, `PLACE.NUMBER`."""
    for number, place in path.places.items():
        at = z3.simplify(term(offset, 64) + index - place)
        if z3.is_bv_value(at) and at.as_long() < 16:
            return Byte(z3.BitVec(f"{number}.{at}", 8))
    raise Refuted("reads elsewhere")


def turn(image: Image, integer: Integer) -> None:
    """Element k is the value that starts at place k, of any length. The state advances by eight values."""
    path = _Places(image, integer)
    [after] = run(path, _function(image, "turn", integer))
    if len(after.places) != 9:
        raise Refuted("not eight ends")
    after.expect(LENT, after.src.start + after.places[8], after.left[8])
    encoding, proved = unknown_bytes("byte", 16), list[z3.BitVecRef]()
    for place, element in enumerate(lanes(stored(after, 8 * integer.size), integer.bits)):
        own = unknown_bytes(f"{place}.", 16)
        element = z3.substitute(z3.simplify(term(element, integer.bits)), *zip(own, encoding, strict=True))
        if not any(element.eq(one) for one in proved):
            check_value(element, encoding, integer, range(1, integer.longest + 1))
            proved.append(element)


def decode_window(image: Image, integer: Integer) -> None:
    """Calls `turn` for every eight values that end in the window, each time for the next slots."""
    start, window, ends, size, count = z3.BitVecs("start window ends size count", 64)
    src, out = Region("src", size), Region("out", (count + SLACK) * integer.size)
    facts = [
        z3.ULE(size, LONGEST), z3.UGE(size, REACH), z3.ULE(start, size - 16), z3.ULE(window, size - REACH),
        z3.ULE(count, WINDOW),
    ]  # fmt: skip

    def meaning(path: NotedPath, found: z3.BitVecRef, whole: z3.BitVecRef) -> list[z3.BoolRef]:
        path.prove(whole == ends, "counts something else")
        return [found == count]

    def turn(path: NotedPath) -> list[Path]:
        state, (place, left), slot = path.get("RDI"), path.calls[-1], 8 * (len(path.calls) - 1)
        path.expect(state, src.start + place, left, what="another state")
        path.check_arguments(None, src.start + window, out.start + integer.size * slot)
        path.prove(z3.ULE(slot + 8, count + SLACK), "too few slots")
        place, left = fresh("place"), fresh("left")
        path.calls.append((place, left))
        path.conditions.append(z3.ULE(place, size - 16))
        path.put(state, src.start + place, left)
        return [path]

    path = NotedPath(image, [src, out], facts, [src.start + window, src.start + start, ends, out.start])
    path.meaning = meaning
    caller, callee = (_function(image, name, integer) for name in ("decode_window", "turn"))
    for after, _ in ends_of_loop(path, caller, callee, turn, (start, ends)):
        done = 8 * (len(after.calls) - 1)
        after.prove(z3.And(z3.ULE(count, done), z3.Or(done == 8, z3.UGT(count, done - 8))), "another number of turns")


def step(image: Image, integer: Integer, canonical: bool) -> None:
    """Decodes a window if there is space for its values and all are valid. Then it moves on to the next window,
    and to the start of the first value that ends there. The bytes from the start on to the window continue its
    first value. Each number of them is a run of its own, and all that are too many are one."""
    decoded, (room, slots) = 0, z3.BitVecs("room slots", 64)  # from the window on to the last one
    window, following = Window.unknown(), Window.unknown("next ")
    for carried in range(integer.longest + 1):
        before = z3.BitVecVal(carried, 64) if carried < integer.longest else z3.BitVec("carried", 64)

        def content(path: NotedPath, offset: Any, index: int, before: Any = before) -> Byte:
            """The bytes of the next window, or of the last one."""
            if not path.calls:
                there = z3.Implies(z3.UGE(room, WINDOW), offset == before + WINDOW)
                path.prove(there, "loads another window")
                path.calls.append(offset)
            return following.bytes[simplified(offset - path.calls[0]) + index]

        src, dst = Region("src", before + room + REACH, content), Region("dst", (slots + SLACK) * integer.size)
        facts = [
            z3.ULE(room, LONGEST >> 1), z3.ULE(slots, (LONGEST >> 1) // integer.size), z3.UGE(before, carried),
            z3.ULE(before, WINDOW), z3.ULE(src.start, HIGHEST), z3.ULE(dst.start, HIGHEST),
        ]  # fmt: skip
        last = [src.start + before + room, dst.start + integer.size * slots]
        path = NotedPath(image, [src, dst], facts, [LENT, *last, canonical])
        path.forget(range(LENT, LENT + SPARSE))
        path.lend(LENT, SPARSE, src.start + before, src.start, dst.start)
        window.put(path, LENT + 32)
        given = (src.start + before, src.start, window.ends, dst.start)

        def decode(path: NotedPath, arguments: Any = given) -> list[Path]:
            """The contract of `decode_window`, as `step` calls it."""
            count = path.count_of(window.ends)
            path.prove(z3.ULE(count, slots), "too few slots")
            path.check_arguments(*arguments)
            path.calls.append(count)
            return [path]

        for after in run(path, _function(image, "step", integer), {_function(image, "decode_window", integer): decode}):
            if after.stores or after.result() != len(after.calls) - 1:
                raise Refuted("another result")
            if len(after.calls) == 1:
                after.expect(LENT + 8, src.start, dst.start, what="progress without values")
                continue
            decoded += 1
            if carried == integer.longest:
                raise Refuted("a value that is too long")
            check_validity(after, integer, window, canonical, carried)
            at = src.start + before + WINDOW
            after.expect(LENT, at, at - leading_zeros(64, window.ends), dst.start + integer.size * after.calls[1])
            following.check_at(after, LENT + 32)
    if decoded < integer.longest:
        raise Refuted("decodes too little")


def sparse(image: Image, integer: Integer) -> None:
    """Calls `step` until it decodes nothing or 16 times, and returns its progress."""
    slices, canonical, size = Slices(integer), z3.BitVec("canonical", 8), integer.size
    src, dst, last = slices.src, slices.dst, slices.len - REACH
    passed = z3.Concat(fresh("unspecified", 56), canonical)
    facts = [*slices.facts, z3.ULE(canonical, 1)]
    path = NotedPath(image, [src, dst], facts, [*slices.arguments(), *slices.at, passed])

    def turn(path: NotedPath) -> list[Path]:
        """The contract of `step`, as its loop calls it."""
        state, (values, start, window), turns = path.get("RDI"), path.calls[-1], len(path.calls) - 1
        at = slices.bytes + WINDOW * turns
        path.expect(state, src.start + at, src.start + start, dst.start + size * values, what="another state")
        left = slices.len - slices.bytes
        within = z3.And(z3.ULE(REACH, left), z3.ULE(WINDOW * turns, left - REACH))
        path.prove(within, "a window beyond the source")
        if window is None:
            slices.window(at).check_at(path, state + 32)
        elif any(path.memory.stack[place] is not byte for place, byte in window.items()):
            raise Refuted("changes a window")
        path.check_arguments(None, src.start + last, dst.start + size * (slices.space - SLACK), canonical)
        path.prove(z3.ULE(SLACK, slices.space - values), "too few slots")
        nothing = path.copy().returning(0)
        for one in (nothing, path):
            one.forget(range(state + 32, state + SPARSE))
        values, start = fresh("to"), fresh("start")
        path.conditions += [z3.ULE(slices.bytes, start), z3.ULE(start, at + WINDOW)]
        path.conditions += [z3.ULE(values, slices.space - SLACK), z3.ULE(slices.values, values)]
        path.put(state, src.start + at + WINDOW, src.start + start, dst.start + size * values)
        path.calls.append((values, start, {place: path.memory.stack[place] for place in range(state + 32, state + SPARSE)}))
        return [nothing, path.returning(1)]

    caller, callee = (_function(image, name, integer) for name in ("sparse", "step"))
    for after, (values, bytes_, _) in ends_of_loop(path, caller, callee, turn, (*slices.at, None)):
        after.prove(z3.And(after.get("RAX") == values, after.get("RDX") == bytes_), "another progress")
