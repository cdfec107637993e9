"""The AVX2 decoder's loop for long values, `sparse::<T>`, in four steps:

    sparse         up to 16 turns of `step`, with any source, any destination, from any progress on
    step           one window at any place of the slices, whose first value may start before it
    decode_window  the values that end in a window, by calls of `turn`
    turn           eight values from eight places
"""

import operator
from typing import Any

import z3

from model.image import Image
from model.terms import Byte, as_bytes, lanes, leading_zeros, simplified, term

from .avx2_dense import check_values
from .executor import LENT, LONGEST, STACK, Region, check, fresh, run
from model.failures import Refuted
from .loops import put
from .notes import NotedPath
from .window import REACH, SLACK, WINDOW, Slices, Window, check_validity, returned, returning, unused
from .wire import Integer

MODULE = "zigzag_varint::simd::avx2::decode::steps::sparse::"
SPARSE = 128  # the size of `Sparse`
HIGHEST = 1 << 62  # the highest address at which a slice may start


def _function(image: Image, name: str, integer: Integer) -> int:
    if name == "step":
        return image.function(f"<{MODULE}Sparse<{integer.name}>>::step").address
    return image.function(f"{MODULE}{name}::<{integer.name}>").address


class _Places(NotedPath):
    """Knows the places of values as the code finds them. Place 0 is the state's, and place k + 1 is after end
    number k of the window; after the last end it is the window's byte 65."""

    def __init__(self, image: Image, integer: Integer) -> None:
        self.first, self.window, self.ends, self.size = z3.BitVecs("first window ends size", 64)  # in the source
        self.src, self.out = Region("src", self.size, _content), Region("out", 8 * integer.size)
        self.places, self.left = {0: self.first}, [self.ends]  # the code may find them in any order
        for _ in range(8):
            self.left.append(self.left[-1] & (self.left[-1] - 1))
        # What the caller ensures: 16 bytes can be read from the first place on, and REACH from the window on.
        facts = [
            z3.ULE(self.size, LONGEST), z3.UGE(self.size, REACH),
            z3.ULE(self.first, self.size - 16), z3.ULE(self.window, self.size - REACH),
        ]
        window = self.src.start + self.window
        super().__init__(image, [self.src, self.out], facts, [LENT, window, self.out.start])
        state = as_bytes([z3.simplify(self.src.start + self.first), self.ends], 64)
        self.memory.stack |= {LENT + at: byte for at, byte in enumerate(state)}
        self.memory.lent, self.names_zeros = [range(LENT, LENT + 16)], True

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
    after.prove(after.word(LENT) == after.src.start + after.places[8], "another next place")
    after.prove(after.word(LENT + 8) == after.left[8], "other ends are left")
    new: list[Any] = [None] * (8 * integer.size)
    for _, offset, part in after.stores:
        at = simplified(offset)
        new[at : at + len(part)] = part
    encoding, proved = [z3.BitVec(f"byte{at}", 8) for at in range(16)], list[z3.BitVecRef]()
    for place, element in enumerate(lanes(new, integer.bits)):
        names = [(z3.BitVec(f"{place}.{at}", 8), encoding[at]) for at in range(16)]
        element = z3.substitute(z3.simplify(term(element, integer.bits)), *names)
        if not any(element.eq(one) for one in proved):
            check_values(element, encoding, integer, integer.longest)
            proved.append(element)


def decode_window(image: Image, integer: Integer) -> None:
    """Calls `turn` for every eight values that end in the window, each time for the next slots."""
    start, window, ends, size, count = z3.BitVecs("start window ends size count", 64)
    src, out = Region("src", size), Region("out", (count + SLACK) * integer.size)
    facts = [
        z3.ULE(size, LONGEST), z3.UGE(size, REACH), z3.ULE(start, size - 16), z3.ULE(window, size - REACH),
        z3.ULE(count, WINDOW),
    ]

    def meaning(path: NotedPath, found: z3.BitVecRef, whole: z3.BitVecRef) -> list[z3.BoolRef]:
        path.prove(whole == ends, "counts something else")
        return [found == count]

    def turn(path: NotedPath) -> list[NotedPath]:
        state, (place, left) = path.get("RDI"), path.calls[-1] if path.calls else (start, ends)
        path.prove(z3.And(path.word(state) == src.start + place, path.word(state + 8) == left), "another state")
        slot = 8 * len(path.calls)
        arguments = z3.And(path.get("RSI") == src.start + window, path.get("RDX") == out.start + integer.size * slot)
        path.prove(arguments, "other arguments of turn")
        path.prove(z3.ULE(slot + 8, count + SLACK), "too few slots")
        path.calls.append((fresh("place"), fresh("left")))
        path.conditions.append(z3.ULE(path.calls[-1][0], size - 16))
        put(path, state, src.start + path.calls[-1][0], path.calls[-1][1])
        return [path]

    arguments = [src.start + window, src.start + start, ends, out.start]
    path = NotedPath(image, [src, out], facts, arguments)
    path.meaning = meaning
    for after in run(path, _function(image, "decode_window", integer), {_function(image, "turn", integer): turn}):
        done = 8 * len(after.calls)
        after.prove(z3.And(z3.ULE(count, done), z3.Or(done == 8, z3.UGT(count, done - 8))), "another number of turns")
        if after.stores or not done:
            raise Refuted("stores of its own")


def step(image: Image, integer: Integer, canonical: bool) -> None:
    """Decodes a window if there is space for its values and all are valid. Then it moves on to the next window,
    and to the start of the first value that ends there. The bytes from the start on to the window continue its
    first value. Each number of them is a run of its own, and all that are too many are one."""
    decoded, (room, slots) = 0, z3.BitVecs("room slots", 64)  # from the window on to the last one
    window, following = (
        Window(lambda at, name=name: z3.Concat(z3.BitVec(f"{name}c{at}", 1), z3.BitVec(f"{name}p{at}", 7)))
        for name in ("", "next ")
    )
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
        ]
        last = [src.start + before + room, dst.start + integer.size * slots]
        path = NotedPath(image, [src, dst], facts, [LENT, *last, int(canonical)])
        path.memory.lent = [range(LENT, LENT + SPARSE)]
        path.memory.stack |= unused(LENT, range(SPARSE)) | window.memory(LENT + 32)
        put(path, LENT, src.start + before, src.start, dst.start)

        given = (src.start + before, src.start, window.ends, dst.start)

        def decode(path: NotedPath, arguments: Any = given) -> list[NotedPath]:
            """The contract of `decode_window`, as `step` calls it."""
            (count, ends) = path.ones[0]
            path.prove(ends == window.ends, "counts something else")
            path.prove(z3.ULE(count, slots), "too few slots")
            for name, value in zip("RDI RSI RDX RCX".split(), arguments, strict=True):
                path.prove(path.get(name) == value, f"another argument {name}")
            path.calls.append(count)
            return [path]

        calls = {_function(image, "decode_window", integer): decode}
        for after in run(path, _function(image, "step", integer), calls):
            at, start, slot = (after.word(LENT + index) for index in (0, 8, 16))
            if after.stores or returned(after) != len(after.calls) - 1:
                raise Refuted("another result")
            if len(after.calls) == 1:
                after.prove(z3.And(start == src.start, slot == dst.start), "progress without values")
                continue
            decoded += 1
            if carried == integer.longest:
                raise Refuted("a value that is too long")
            check_validity(after, integer, window, canonical, carried)
            moved = z3.And(at == src.start + before + WINDOW, start == at - leading_zeros(64, window.ends))
            after.prove(z3.And(moved, slot == dst.start + integer.size * after.calls[1]), "another progress")
            following.check_at(after, LENT + 32)
    if decoded < integer.longest:
        raise Refuted("decodes too little")


def sparse(image: Image, integer: Integer) -> None:
    """Calls `step` until it decodes nothing or 16 times, and returns its progress."""
    slices, canonical = Slices(integer), z3.BitVec("canonical", 8)
    src, dst, last = slices.src, slices.dst, slices.len - REACH
    facts = [*slices.facts, slices.within(slices.values, slices.bytes), z3.ULE(canonical, 1)]
    path = NotedPath(image, [src, dst], facts, [*slices.arguments(), slices.values, slices.bytes])
    path.memory.stack |= {STACK: Byte(canonical)} | unused(STACK, range(1, 8))

    def turn(path: NotedPath) -> list[NotedPath]:
        """The contract of `step`, as its loop calls it."""
        state, w = path.get("RDI"), slices.bytes + WINDOW * len(path.calls)
        start, to, next_ = path.calls[-1] if path.calls else (slices.bytes, slices.values, None)
        words = (src.start + w, src.start + start, dst.start + integer.size * to)
        for at, word in enumerate(words):
            path.prove(path.word(state + 8 * at) == word, f"word {at} of another state")
        left = slices.len - slices.bytes
        within = z3.And(z3.ULE(REACH, left), z3.ULE(WINDOW * len(path.calls), left - REACH))
        path.prove(within, "a window beyond the source")
        if next_ is None:
            slices.window(w).check_at(path, state + 32)
        elif any(path.memory.stack[at] is not byte for at, byte in next_.items()):
            raise Refuted("changes a window")
        arguments = [src.start + last, dst.start + integer.size * (slices.space - SLACK), canonical]
        given = [path.get("RSI"), path.get("RDX"), z3.Extract(7, 0, term(path.get("RCX"), 64))]
        path.prove(z3.And(*map(operator.eq, given, arguments)), "other arguments of step")
        path.prove(z3.ULE(SLACK, slices.space - to), "too few slots")
        start, to = fresh("start"), fresh("to")
        next_ = unused(state, range(32, SPARSE))
        nothing = path.copy()
        path.conditions += [z3.ULE(slices.bytes, start), z3.ULE(start, w + WINDOW), z3.ULE(to, slices.space - SLACK)]
        path.conditions.append(z3.ULE(slices.values, to))
        put(path, state, src.start + w + WINDOW, src.start + start, dst.start + integer.size * to)
        path.memory.stack |= next_
        path.calls.append((start, to, next_))
        return [returning(nothing, 0), returning(path, 1)]

    turns = 0
    for after in run(path, _function(image, "sparse", integer), {_function(image, "step", integer): turn}):
        bytes_, values, _ = after.calls[-1] if after.calls else (slices.bytes, slices.values, None)
        after.prove(z3.And(after.get("RAX") == values, after.get("RDX") == bytes_), "another progress")
        turns = max(turns, len(after.calls))
        if after.stores:
            raise Refuted("stores of its own")
    if not turns:
        raise Refuted("no turn")
