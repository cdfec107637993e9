"""The AVX-512 decoder's loop for long values, and its two steps:

    Listing::step   lists where the values after those that end in the next window of a span start, and counts them
    Listed::step    one or two vectors of values whose starts are listed
    listed          calls the first step until it lists nothing, and then the other one until that decodes nothing

The starts are listed by their low bytes. In each half of a vector, all values before the first one that is not valid
have at most 10 bytes, so that the bytes of that one are within the 64 bytes that are loaded for the half."""

from typing import Any

import z3

from model.image import Image, Refuted
from model.terms import joined, known, lanes, simplified, term

from .avx512_decode import lanes_of
from .contract import (
    BYTES, CANONICAL, WINDOW, Elements, NotedPath, Slices, Window, content_at, content_of, decodable, decoding_ends,
    length_is, overlong, stored, unknown_bytes,
)
from .executor import LENT, Path, Region, run
from .loops import Loop, progress_of
from .questions import fresh
from .wire import Integer

MODULE = "zigzag_varint::simd::avx512::decode::listed::"
MOST_WINDOWS, MOST_VALUES = 128, 24
STARTS = MOST_WINDOWS * MOST_VALUES + 9  # entries in the list


def listing(image: Image) -> None:
    """The entries after those that are listed are the positions after the ends in the next window, and the number
    of these is counted. Or nothing is changed. In canonical decoding, no value of the window is overlong."""
    for rest in range(4):  # of the number of windows before: the table of positions has four rows
        windows = z3.Concat(z3.BitVec("windows", 62), z3.BitVecVal(rest, 2))
        until, values, more = z3.BitVecs("until values more", 64)
        window = Window(lambda at: z3.BitVec(f"byte{at}", 8), WINDOW)
        src = Region("src", WINDOW * until, content_of(window.bytes, WINDOW * windows), is_part=True)
        starts = Region("starts", z3.BitVecVal(STARTS, 64))
        facts = [z3.ULE(until, MOST_WINDOWS), z3.ULE(windows, until), z3.ULE(values, MOST_VALUES * windows)]
        path = NotedPath(image, [src, starts], facts, [LENT, starts.start, until, src.start, src.size, CANONICAL])
        path.lend(LENT, 24, windows, values, more)
        function = image.function(f"<{MODULE}Listing>::step")
        for after in decoding_ends(path, function, [windows, values, more]):
            count = after.count_of(window.ends)
            after.prove(z3.And(z3.ULT(windows, until), z3.ULE(count, MOST_VALUES)), "another window, or too many values")
            after.expect(LENT, windows + 1, values + count, z3.If(CANONICAL, window.continues, more))
            [(names, mask, source)], [(_, offset, new)] = after.packs, after.stores
            after.prove(z3.And(offset == values + 1, joined(mask) == window.ends), "other ends")
            if source != [(WINDOW * rest + at + 1) % 256 for at in range(WINDOW)]:
                raise Refuted("other positions")
            if len(new) < MOST_VALUES or not all(one.same(two) for one, two in zip(new, names, strict=False)):
                raise Refuted("other entries")
            wrong = overlong(window, carried=z3.Extract(63, 63, more) == 1)
            after.prove(z3.Not(z3.Or(*wrong)), "an overlong value is accepted")


def vectors(image: Image, integer: Integer, count: int) -> None:
    """Element k is the value that starts at the listed position k, and all are valid, and the progress is after
    them. Or the progress is unchanged, as it must be if one is not valid, or not one that the kernel decodes."""
    slices, size, lane_count = Slices(integer), integer.size, WINDOW // integer.size
    values, end, half = slices.values, z3.BitVec("end", 64), lane_count // 2
    entries = unknown_bytes("start", count * lane_count + 16)

    def distance(to: int, start: int, bits: int) -> z3.BitVecRef:
        return z3.ZeroExt(56, entries[to] - entries[start]) & (1 << bits) - 1

    places, at = list[Any](), slices.bytes  # of the bytes that are loaded for each half
    for first in range(0, count * lane_count, lane_count):
        places += [at, at + distance(first + half, first, 6)]
        at += distance(first + lane_count, first, 7)
    # The bytes that are loaded for each half have names, `HALF.NUMBER`.
    loaded = [(place, unknown_bytes(f"{half}.", WINDOW)) for half, place in enumerate(places)]
    slices.src.content = content_at(lambda _: loaded)
    starts = Region("starts", z3.BitVecVal(STARTS, 64), content_of(entries, values))
    facts = [*slices.facts, z3.ULE(end, MOST_WINDOWS * MOST_VALUES), z3.ULE(end, slices.space), z3.ULE(values, end)]
    arguments = [LENT, starts.start, end, *lanes_of(integer, long=False), *slices.arguments[:3]]
    path = NotedPath(image, [slices.src, slices.dst, starts], facts, arguments)
    path.lend(LENT, 24, slices.bytes, values)
    decoded = False
    for after in run(path, image.function(f"<{MODULE}Listed>::step::<{integer.name}, {count}>")):
        good, elements = after.result() == 1, Elements(integer)
        after.expect(LENT, z3.If(good, at, slices.bytes), z3.If(good, values + count * lane_count, values))
        if not after.stores:
            after.prove(z3.Not(good), "progress without values")
            continue
        decoded = True
        new = lanes(stored(after, count * WINDOW, size * values), integer.bits)
        for number, element in enumerate(new):
            own = _check_names(after, entries, number, half)
            encoding = unknown_bytes(f"value{number}.", integer.longest)
            after.conditions += [name == encoding[index] for name, index in own if index < integer.longest]
            lengths = range(1, integer.longest + 1)
            valid = [z3.And(length_is(encoding, one), decodable(encoding[:one], integer)) for one in lengths]
            after.prove(z3.Implies(good, z3.Or(*valid)), f"value {number} is not valid")
            elements.check(element, [(name, BYTES[index]) for name, index in own], lengths)
    if not decoded:
        raise Refuted("decodes nothing")


def listed(image: Image, integer: Integer) -> None:
    """Lists the values of some windows, decodes listed values where they start, and advances by them."""
    slices = Slices(integer)
    src, left, slots, space = slices.rest(*slices.at)
    listing: int | None = None  # where the state of the first step is, which does not change after it

    def is_listing(path: NotedPath, windows: Any, values: Any, _more: Any) -> z3.BoolRef:
        """Whether a call of the first step can have this state."""
        until = term(path.get("RDX"), 64)
        inside = z3.And(z3.ULE(until, MOST_WINDOWS), z3.ULE(until, z3.LShR(left, 6)), z3.ULE(windows, until))
        return z3.And(inside, z3.ULE(values, MOST_VALUES * windows))

    def is_listed(path: NotedPath, at: Any, values: Any) -> z3.BoolRef:
        """Whether a call of the second step can have this state."""
        end, listed = term(path.get("RDX"), 64), path.words(listing + 8, 1)[0]
        inside = z3.And(z3.ULE(end, listed), z3.ULE(end, space), z3.ULE(end, MOST_WINDOWS * MOST_VALUES))
        return z3.And(inside, z3.ULE(values, end), z3.ULE(at, left))

    def end_of(count: int, is_allowed: Any) -> Any:
        """Returns what ends a turn with a step whose state is this number of words, which are 0 in the first turn."""

        def end(path: NotedPath) -> Any:
            now, starts = progress_of(path), path.number(path.get("RSI"))
            now = now if len(now) == count else [z3.BitVecVal(0, 64)] * count
            path.expect(path.number(path.get("RDI")), *now, what="another state")
            path.prove(z3.And(is_allowed(path, *now), path.word(starts, 8) == z3.BitVecVal(0, 8)), "a state that is not allowed")
            if path.loop:
                path.check_kept(range(starts + 1, starts + STARTS))
            return now

        return end

    def goes_on(path: NotedPath, now: Any, new: Any) -> list[Path]:
        """Returns the paths after a step that has changed nothing, and after one that has."""
        starts = path.number(path.get("RSI"))
        path.keep(range(starts + 1, starts + STARTS))
        none = path.copy().returning(0)
        none.calls, path.calls = [now], [new]
        path.put(path.number(path.get("RDI")), *new)
        return [none, path.returning(1)]

    def list_next(path: NotedPath, *now: Any) -> list[Path]:
        """The contract of the first step, which writes entries after the first one."""
        nonlocal listing
        listing, starts, new = path.number(path.get("RDI")), path.number(path.get("RSI")), [fresh("listing") for _ in now]
        path.check_arguments(None, None, None, src, None, CANONICAL)
        path.conditions += [is_listing(path, *now), is_listing(path, *new)]
        path.forget(range(starts + 1, starts + STARTS))
        return goes_on(path, now, new)

    def decode_next(path: NotedPath, *now: Any) -> list[Path]:
        """The contract of the second step."""
        state, new = path.number(path.get("RDI")), [fresh("listed") for _ in now]
        path.check_arguments(None, None, None, *lanes_of(integer, long=False), src, left, slots)
        path.conditions += [is_listed(path, *now), is_listed(path, *new)]
        path.forget(range(state + 16, state + 24))
        return goes_on(path, now, new)

    path = slices.path(image, [*slices.arguments, LENT, CANONICAL])
    path.lend(LENT, 16, *slices.at)
    path.calls = [()]
    loop = Loop(lambda *words: words, lambda *_: z3.BoolVal(True))
    calls = {image.function(f"<{MODULE}Listing>::step"): loop.turn(end_of(3, is_listing), list_next)}
    for count in (1, 2):
        function = image.function(f"<{MODULE}Listed>::step::<{integer.name}, {count}>")
        calls[function] = loop.turn(end_of(2, is_listed), decode_next)
    for after in loop.ends(path, image.function(f"{MODULE}listed::<{integer.name}>"), calls):
        at, values = progress_of(after)
        after.expect(LENT, slices.values + values, slices.bytes + at)


def _check_names(path: NotedPath, entries: list[z3.BitVecRef], number: int, half: int) -> list[tuple[Any, int]]:
    """Returns the names of the bytes of a value, with the index of each, which are from the bytes of its half."""
    own, place, start = list[tuple[Any, int]](), number // half, number // half * half
    loaded = [f"{place // 2 * 2 + at // WINDOW}.{at % WINDOW}" for at in range(2 * WINDOW)]
    sources = {id(source): source for source, _ in path.shuffles.values()}
    right = {key for key, source in sources.items() if [str(term(byte, 8)) for byte in source] == loaded}
    for name, (source, control) in path.shuffles.items():
        index = simplified(term(control, 8) - (entries[number] - entries[start]) - WINDOW * (place % 2), 8)
        if known(index) and index < len(BYTES) and id(source) in right:
            own.append((z3.BitVec(name, 8), index))
    return own
