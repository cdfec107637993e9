"""The AVX2 decoder's loop for long values, and its three steps:

    Marked::step   marks the ends of the next window of a span, and counts them
    Chains::step   a turn of each chain, from any positions in the span on
    turn           four values, or eight of 32 bits, from as many places
    sparse         calls the first step for each half of a span, and then the second one

That no value is decoded from another place, and none left out, follows from these by induction over the turns
(simd/avx2/mod.rs)."""

from typing import Any

import z3

from model.image import Image, Refuted
from model.terms import as_bytes, known, lanes, number_of_zeros, simplified, term

from .contract import (
    BYTES, CANONICAL, WINDOW, Elements, NotedPath, Slices, Window, check_no_stores, content_at, content_of, decodable,
    kinds, length_is, overlong, stored, unknown_bytes,
)
from .executor import LENT, LONGEST, Path, Region, run
from .loops import Loop, progress_of
from .questions import check, fresh, prove
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
    src = Region("src", WINDOW * until, content_of(window.bytes, WINDOW * windows), is_part=True)
    path = NotedPath(image, [src], [z3.ULE(until, MOST)], [LENT, ENDS, until, src.start, CANONICAL])
    path.lend(LENT, MARKED, windows, values)
    path.forget(path.lend(ENDS, 8 * (MOST + 2)))
    path.keep(path.lent[-1])
    carried = z3.Extract(7, 7, term(path.kept[ENDS + 8 * windows + 7], 8)) == 0
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
        check_no_stores(after)
        after.check_kept(at for at in after.kept if at not in new)
    if len(marked) != 2 * (windows < MOST):
        raise Refuted("marks too little or too much")


class _Span(NotedPath):
    """A path with marks on the stack, of which the code finds some at places that depend on the number of windows."""

    slots: list[tuple[Any, Any]]  # addresses that depend on the number of windows, and the words there
    after: tuple[Any, list[Any]] | None = None  # what the code has stored at such an address
    middle: Any = None  # the number of values in the first half
    marked: Any = None  # the windows that are marked, and the number of their values
    turns: Any = None

    def _is_here(self, address: Any) -> bool:
        return not known(address) and not self.regions_of(address)

    def load(self, address: Any, size: int) -> list[Any]:
        address = simplified(address)
        if self._is_here(address):
            for at, word in self.slots:
                if size == 8 and check(*self.conditions, address != at) is None:
                    return as_bytes([word], 64)
        return super().load(address, size)

    def store_masked(self, address: Any, new: list[Any], bits: list[Any]) -> None:
        address = simplified(address)
        if not self._is_here(address):
            super().store_masked(address, new, bits)
        elif self.after is None and all(bit is True for bit in bits):
            self.after = address, new
        else:
            raise Refuted("changes a mark")


def sparse(image: Image, integer: Integer) -> None:
    """Decodes a span, of which all windows are marked and all values are valid, and advances by it. The first chain begins
    with the span, the second one in its middle, and each makes as many turns as the values of a half need. Or the progress
    is unchanged."""
    slices, size, each, windows = Slices(integer), integer.size, _count(integer), z3.BitVec("windows", 64)
    src, left, slots, space = slices.rest(*slices.at)
    half, last = z3.LShR(windows, 1), WINDOW * windows - 1

    def next_of(path: _Span, slot: int) -> Any:
        """Returns where the first value that ends after the marks in this slot starts in the span."""
        return WINDOW * (windows, half)[slot] - number_of_zeros(64, path.slots[slot][1], leading=True)

    def check_marks(path: _Span) -> None:
        """Proves that a step is given the marks of the first step, with a word on either side."""
        marks = path.number(path.get("RSI"))
        path.expect(marks, -1, what="other marks")
        address, new = path.after
        path.prove(z3.And(address == marks + 8 * (windows + 1), lanes(new, 64)[0] == z3.BitVecVal(-1, 64)), "other marks")
        if path.loop:
            path.check_kept(range(marks + 8, marks + 8 * (MOST + 2)))
        elif any(at in path.stack for at in range(marks + 8, marks + 8 * (MOST + 2))):
            raise Refuted("other marks")

    def is_marking(path: _Span, marked: Any, values: Any) -> z3.BoolRef:
        """Whether a call of the first step can have this state."""
        middle, until = (0 * half, half) if path.middle is None else (path.middle, windows)
        inside = z3.And(z3.ULE(marked, until), z3.ULE(values, WINDOW * marked), z3.ULE(middle, WINDOW * half))
        return z3.And(inside, z3.ULE(middle, values))

    def mark_end(path: _Span) -> Any:
        now = progress_of(path)
        if path.loop and path.address not in path.loop:
            path.middle = now[1]
        path.expect(path.number(path.get("RDI")), *now, what="another state")
        path.check_arguments(None, None, half if path.middle is None else windows, src, CANONICAL)
        check_marks(path)
        path.prove(is_marking(path, *now), "a state that is not allowed")
        return now

    def mark_next(path: _Span, *now: Any) -> list[Path]:
        """The contract of the first step."""
        first, new = path.number(path.get("RSI")) + 8, (now[0] + 1, fresh("values"))
        path.forget(range(first, first + 8 * (MOST + 1)))
        path.keep(range(first, first + 8 * (MOST + 1)))
        middle = z3.If(half == 0, z3.BitVecVal(-1, 64), fresh("marks"))
        path.slots = [(first + 8 * (windows - 1), fresh("marks")), (first + 8 * (half - 1), middle)]
        path.conditions.append(is_marking(path, *now))
        none = path.copy().returning(0)
        path.conditions += [is_marking(path, *new), z3.ULE(now[1], new[1])]
        path.put(path.number(path.get("RDI")), *new)
        path.calls, none.calls = [new], [now]
        return [none, path.returning(1)]

    def is_chaining(path: _Span, a: Any, b: Any, done: Any) -> z3.BoolRef:
        """Whether a call of the second step can have this state."""
        most, end = path.middle + each * path.turns, next_of(path, 0)
        enough = z3.And(z3.ULE(path.turns, WINDOW * windows), z3.ULE(most, space), z3.ULT(done, path.turns))
        inside = z3.And(z3.ULE(a, last), z3.ULE(b, last), z3.ULE(path.middle, WINDOW * windows))
        return z3.And(enough, inside, z3.ULT(WINDOW * (windows - 1), end), z3.ULE(end, WINDOW * windows))

    def chain_end(path: _Span) -> Any:
        now, state = progress_of(path), path.number(path.get("RDI"))
        if path.turns is None:
            path.marked, path.turns = now, path.words(state + 32, 1)[0]
            now = z3.BitVecVal(0, 64), next_of(path, 1), z3.BitVecVal(0, 64)
            values = each * path.turns
            right = z3.And(z3.ULE(path.middle, values), z3.ULE(path.marked[1] - path.middle, values))
            path.prove(z3.And(right, path.marked[0] == windows), "other values")
            path.expect(state + BAD, 0, 0, 0, 0, what="bad values")
        a, b, done = now
        path.expect(state, a, b, slots + size * each * done, path.middle, path.turns - done, what="another state")
        path.check_arguments(None, None, last, src)
        check_marks(path)
        path.prove(is_chaining(path, *now), "a state that is not allowed")
        return now

    def chain_next(path: _Span, *now: Any) -> list[Path]:
        """The contract of the second step."""
        state, new = path.number(path.get("RDI")), (fresh("at"), fresh("at"), now[2] + 1)
        path.conditions += [is_chaining(path, *now), *[z3.ULE(one, last) for one in new[:2]]]
        path.put(state, *new[:2], slots + size * each * new[2], path.middle, path.turns - new[2])
        path.forget(range(state + BAD, state + CHAINS))
        path.calls, none = [new], path.copy().returning(0)
        none.calls = [[path.fixed(state + place) for place in range(BAD, CHAINS)]]
        none.conditions.append(new[2] == path.turns)
        path.conditions.append(new[2] != path.turns)
        return [none, path.returning(1)]

    def start(*facts: z3.BoolRef) -> _Span:
        path = _Span(image, [slices.src, slices.dst], [*slices.facts, *facts], [*slices.arguments, *slices.at, CANONICAL])
        path.slots, path.calls = [], [(z3.BitVecVal(0, 64), z3.BitVecVal(0, 64))]
        return path

    count, function = z3.LShR(left - OVERHANG, 6), image.function(f"{MODULE}sparse::<{integer.name}>")
    few = z3.Or(z3.ULT(left, OVERHANG), count == 0)
    most = z3.And(windows & windows - 1 == 0, windows != 0, z3.Or(windows == MOST, z3.ULT(count, 2 * windows)))
    span = z3.Not(few), z3.ULE(windows, count), z3.ULE(windows, MOST), most
    loop = Loop(lambda *words: words, lambda *_: z3.BoolVal(True))
    calls = {
        image.function(f"<{MODULE}Marked>::step"): loop.turn(mark_end, mark_next),
        image.function(f"<{MODULE}Chains<{integer.name}>>::step"): loop.turn(chain_end, chain_next),
    }
    for after in [*run(start(few), function), *loop.ends(start(*span), function, calls)]:
        given = z3.And(after.get("RAX") == slices.values, after.get("RDX") == slices.bytes)
        if after.turns is not None:
            [bad] = after.calls
            values, bytes_ = slices.values + after.marked[1], slices.bytes + next_of(after, 0)
            is_end = z3.And(after.get("RAX") == values, after.get("RDX") == bytes_, z3.Not(_is_bad(bad, integer)))
            given = z3.Or(given, is_end)
        after.prove(given, "another progress")
