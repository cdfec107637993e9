"""The AVX2 decoder's loop for long values, `sparse::<T>`, in three steps:

    Marked::step   marks the ends of the next window of a span, and counts them
    Chains::step   a turn of each chain, from any positions in the span on
    turn           four values, or eight of 32 bits, from as many places

That no value is decoded from another place, and none left out, follows from these by induction over the turns
(simd/avx2/mod.rs). The function `sparse` around the two loops is tested and not proved."""

from typing import Any

import z3

from model.image import Image, Refuted
from model.terms import as_bytes, lanes, term

from .contract import (
    BYTES, CANONICAL, WINDOW, Elements, NotedPath, Window, content_at, content_of, decodable, kinds, length_is, overlong,
    stored, unknown_bytes,
)
from .executor import LENT, LONGEST, Path, Region, check, fresh, prove, run
from .wire import Integer

MODULE = "zigzag_varint::simd::avx2::decode::steps::sparse::"
MOST, OVERHANG = 128, 24  # windows in a span, and bytes after it that can be read
CHAINS, BAD = 96, 64  # the size of `Chains`, and the offset of its `bad`
MARKED, ENDS = 16, LENT + 64  # the size of `Marked`, and where `Ends` is in its proof


def _turn(image: Image, integer: Integer) -> int:
    return image.function(f"{MODULE}turn::<{integer.name}>")


def _count(integer: Integer) -> int:
    """Returns the number of values in a turn."""
    return 4 if integer.longest > 5 else 8


def _is_bad(vector: list[Any], integer: Integer) -> z3.BoolRef:
    """Whether `Chains::is_bad` is true of this vector."""
    flags = 0xFF00 if integer.longest > 5 else 0xF0 << 32
    return z3.Or(*[term(lane, 64) & flags != 0 for lane in lanes(vector, 64)])


class _Places(NotedPath):
    """Knows the places of values as the code finds them. Place 0 is the first, and place k + 1 is after end number
    k of those that are given; after the last end it is 65 bytes after the first place."""

    def __init__(self, image: Image, integer: Integer) -> None:
        self.first, self.ends, self.size = z3.BitVecs("first ends size", 64)  # in the source
        # The bytes from each place on have names, `PLACE.NUMBER`.
        content = content_at(lambda path: [(place, unknown_bytes(f"{at}.", 16)) for at, place in path.places.items()])
        self.src, self.out = Region("src", self.size, content), Region("out", _count(integer) * integer.size)
        self.places, self.left = {0: self.first}, [self.ends]  # the code may find them in any order
        for _ in range(_count(integer) - 1):
            self.left.append(self.left[-1] & (self.left[-1] - 1))
        # What the caller ensures: 16 bytes can be read from each place on.
        facts = [z3.ULE(self.size, LONGEST), z3.UGE(self.size, 16), z3.ULE(self.first, self.size - 16)]
        start = self.src.start + self.first
        super().__init__(image, [self.src, self.out], facts, [start, self.ends, self.out.start, LENT])
        self.forget(self.lend(LENT, 32))
        self.bad, self.names_zeros = [self.fixed(LENT + at) for at in range(32)], True

    def number_of_zeros(self, value: Any, width: int, leading: bool) -> Any:
        zeros = super().number_of_zeros(value, width, leading)
        for place in sorted(set(range(1, len(self.left) + 1)) - set(self.places)):
            if not leading and check(self.zeros[-1][1] != self.left[place - 1]) is None:
                self.places[place] = z3.simplify(self.first + zeros + 1)
                if place < len(self.left):
                    self.conditions.append(z3.ULE(self.places[place], self.size - 16))
                return zeros
        raise Refuted("another end")


def turn(image: Image, integer: Integer) -> None:
    """Element k is the value that starts at place k, of any length, and the result leads to the next place. If a
    value is not valid, or not one that the kernel decodes, `bad` says so. What it said before remains."""
    path = _Places(image, integer)
    [after] = run(path, _turn(image, integer))
    if len(after.places) != _count(integer) + 1:
        raise Refuted("another number of ends")
    after.prove(after.first + after.get("RAX") == after.places[_count(integer)], "another next place")
    good = z3.Not(_is_bad([after.fixed(LENT + at) for at in range(32)], integer))
    after.prove(z3.Implies(_is_bad(after.bad, integer), z3.Not(good)), "forgets what was bad")
    values, lengths = Elements(integer), range(1, integer.longest + 1)
    for place, element in enumerate(lanes(stored(after, _count(integer) * integer.size), integer.bits)):
        own = unknown_bytes(f"{place}.", 16)
        valid = [z3.And(length_is(own, length), decodable(own[:length], integer)) for length in lengths]
        after.prove(z3.Implies(good, z3.Or(*valid)), f"value {place} is not valid")
        values.check(element, zip(own, BYTES, strict=True), lengths)


def step(image: Image, integer: Integer) -> None:
    """Makes a turn from each position, with the ends after it, and moves on. If all bytes after a span end values,
    16 bytes can be read from each place of a turn."""
    _check_places(_count(integer))
    for windows in (1 << power for power in range(MOST.bit_length())):
        _step_in(image, integer, windows * WINDOW - 1)


def _step_in(image: Image, integer: Integer, last: int) -> None:
    at, words = z3.BitVecs("at0 at1", 64), z3.BitVecs("word0 word1", 64)
    to, middle, turns = z3.BitVecs("to middle turns", 64)
    # The bits from the byte of the bitmap on in which a chain's position is, after the first word.
    bits = [(8 + z3.LShR(one, 3), as_bytes([word], 64)) for one, word in zip(at, words, strict=True)]
    content = content_at(lambda path: [bits[len(path.calls)]])
    src, ends = Region("src", last + 1 + OVERHANG), Region("ends", 8 * ((last + 1) // WINDOW + 2), content)
    facts = [z3.ULE(one, last) for one in at] + [turns != 0]
    path = NotedPath(image, [src, ends], facts, [LENT, ends.start, last, src.start])
    path.forget(path.lend(LENT, CHAINS))
    path.put(LENT, *at, to, middle, turns)

    def check_bad(path: NotedPath, before: NotedPath) -> None:
        if any(path.fixed(place) is not before.fixed(place) for place in range(LENT + BAD, LENT + CHAINS)):
            raise Refuted("changes what is bad")

    def decode(path: NotedPath) -> list[Path]:
        """The contract of `turn`."""
        chain = len(path.calls)
        ends = z3.LShR(words[chain], at[chain] & 7)
        path.check_arguments(src.start + at[chain], ends, to + chain * integer.size * middle, LENT + BAD)
        check_bad(path, path.calls[-1][1] if chain else path)
        path.forget(range(LENT + BAD, LENT + CHAINS))
        path.calls.append((fresh("length"), path.copy()))
        path.set("RAX", path.calls[-1][0])
        return [path]

    caller = image.function(f"<{MODULE}Chains<{integer.name}>>::step")
    for after in run(path, caller, {_turn(image, integer): decode}):
        if after.stores or len(after.calls) != 2:
            raise Refuted("not a turn of each chain")
        moved = [(one + length) & last for one, (length, _) in zip(at, after.calls, strict=True)]
        after.expect(LENT, *moved, to + _count(integer) * integer.size, middle, turns - 1, what="another state")
        after.prove((turns != 1) == (after.result() == 1), "another result")
        check_bad(after, after.calls[1][1])


def _check_places(count: int) -> None:
    """If the word at a position has a bit set for each byte after the span, the places of a turn are at most 8
    bytes after the span. `left` bytes of the span are in the word, or more than 64 are left."""
    word = z3.BitVec("word", 64)
    for left, position in ((left, position) for left in range(8, 73, 8) for position in range(8)):
        after = z3.BitVecVal((1 << 64) - (1 << left) if left < 64 else 0, 64)
        ends, limit = z3.LShR(word, position), left - position + OVERHANG - 16  # of a place, from the position on
        for _ in range(count - 1):
            near = ends & z3.BitVecVal((1 << min(limit, 64)) - 1, 64) != 0
            if limit < 65:
                prove(near, "a place too far after the span", word & after == after)
            ends &= ends - 1


def mark(image: Image) -> None:
    """Marks the next window and counts its ends, if it is before the given one. In canonical decoding, no value
    in it is overlong."""
    for windows in range(MOST + 1):
        _mark_window(image, windows)


def _mark_window(image: Image, windows: int) -> None:
    until, values = z3.BitVecs("until values", 64)
    window, marked = Window.unknown(reach=WINDOW), set[bool]()
    src = Region("src", WINDOW * until, content_of(window.bytes, WINDOW * windows))
    path = NotedPath(image, [src], [z3.ULE(until, MOST)], [LENT, ENDS, until, src.start, CANONICAL])
    path.lend(LENT, MARKED, windows, values)
    path.forget(path.lend(ENDS, 8 * (MOST + 2)))
    words = {at: byte for at, byte in path.stack.items() if at >= ENDS}
    carried = z3.Extract(7, 7, words[ENDS + 8 * windows + 7].term) == 0
    for after in run(path, image.function(f"<{MODULE}Marked>::step")):
        new = range(0)
        if not after.is_true():
            after.expect(LENT, windows, values, what="progress without a window")
        else:
            marked, new = marked | kinds(after, marked), range(ENDS + 8 * windows + 8, ENDS + 8 * windows + 16)
            after.prove(z3.UGT(until, windows), "a window too many")
            after.expect(LENT, windows + 1, values + after.count_of(window.ends), what="another count")
            after.expect(new.start, window.ends, what="other ends")
            after.prove(z3.Not(z3.Or(*overlong(window, carried))), "an overlong value is accepted")
        if after.stores or any(after.stack[at] is not byte for at, byte in words.items() if at not in new):
            raise Refuted("changes other words")
    if len(marked) != 2 * (windows < MOST):
        raise Refuted("marks too little or too much")
