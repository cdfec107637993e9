"""The AVX-512 decoder, in these steps:

    Stride::step, batch   the values that end in the new bytes of a window; up to 16 windows
    windows               calls `batch` until that stops, or another loop may be faster
    unfinished            the length of the value that begins before the next window
    common_len            the length of all values of a window, by which a loop is chosen
    front                 the values that end in up to 64 bytes"""

from typing import Any

import z3

from model.image import Image, Refuted
from model.terms import joined, term

from .avx512_window import INDEX, Numbered
from .contract import (
    CANONICAL, DOUBLE_PUMPED, WINDOW, NotedPath, Slices, Window, check_validity, content_at, content_of, decoding_ends,
    unknown_bytes,
)
from .executor import LENT, LONGEST, Contract, Path, Region, run
from .loops import Loop, progress_of
from .questions import check, fresh
from .wire import Integer

MODULE = "zigzag_varint::simd::avx512::decode::"
COMMON_LEN = f"{MODULE}window::common_len"
# The offsets of what `Stride` holds: a window with its places and masks, the bytes of the next one, and progress.
DATA, STARTS, TOPS, ENDS, VALUES, NEXT, AT, BUSY, ANY_LONG = 0, 64, 128, 192, 200, 256, 384, 400, 408
STATE, RESULT = 416, LENT + 512
NONE = 4  # of `Option<Stop>`: no stop
BATCH = 16


def _stride(image: Image, name: str, integer: Integer, long: bool) -> int:
    prefix = f"{MODULE}fixed_stride::windows" if name == "windows" else f"<{MODULE}fixed_stride::Stride>::{name}"
    return image.function(f"{prefix}::<{integer.name}, {str(long).lower()}>")


def _top_bytes(integer: Integer) -> int:
    """Returns the mask of the top byte of every lane."""
    return sum(1 << at for at in range(integer.size - 1, WINDOW, integer.size))


def lanes_of(integer: Integer, long: bool) -> list[int]:
    """Returns the argument for `lanes`, if there is one: short values in lanes of 4 or 2 bytes do not use it."""
    return [_top_bytes(integer)] if long or integer.size == 8 else []


def _numbered(name: str, integer: Integer) -> Numbered:
    """Returns a window of unknown bytes, of which the first are shared with the window before it."""
    return Numbered(Window(lambda at: z3.BitVec(f"{name}.{at}", 8), WINDOW), integer, integer.longest - 1)


def common_len(image: Image) -> None:
    """There is a length or none. Nothing depends on which, since it only chooses a loop."""
    for after in run(Path(image, [], [], [z3.BitVec("ends", 64)]), image.function(COMMON_LEN)):
        after.prove(z3.ULE(term(after.get("RAX"), 64), 1), "an unknown result")


def with_common_len(image: Image) -> dict[int, Contract]:
    """Returns the contract of `common_len`, which has any result."""

    def choose(path: Path) -> list[Path]:
        none, path.second = path.copy(), fresh("result")
        for one, is_some in ((none, 0), (path, 1)):
            one.set("RAX", is_some)
        return [path, none]

    return {image.function(COMMON_LEN): choose}


# Windows at a fixed stride.


def _earlier(slices: Slices, place: Any) -> Any:
    """Returns this place, or that of the last window of the source if that is before it."""
    last = slices.len - WINDOW
    return z3.If(z3.ULT(last, place), last, place)


def step(image: Image, integer: Integer, long: bool) -> None:
    """Writes the values that end in the new bytes of the window, and advances by them. Or it writes nothing, as
    it must if one of these values is invalid."""
    slices, history, size = Slices(integer), integer.longest - 1, integer.size
    stride, count = WINDOW - history, WINDOW // size
    busy, number, at = z3.BitVec("busy", 64), z3.BitVec("N", 64), slices.bytes
    this, following, third = (_numbered(name, integer) for name in ("this", "next", "third"))
    # The only window that is loaded is the third one, or the last one of the source if that is before it.
    slices.src.content = content_of(third.window.bytes, _earlier(slices, at + 2 * stride))
    arguments = [LENT, *lanes_of(integer, long), *slices.arguments[:3], CANONICAL]
    path = slices.path(
        image, arguments, z3.ULE(WINDOW, slices.len), z3.ULE(at, slices.len - WINDOW), z3.ULE(1, busy),
        z3.ULE(busy, WINDOW), z3.ULE(number, busy), z3.ULE((busy + count - 1) & -count, slices.space - slices.values),
    )  # fmt: skip
    path.lend(LENT, STATE)
    for offset, new in ((DATA, this.window.bytes + this.invent(path, long)), (NEXT, following.window.bytes)):
        path.stack |= {LENT + offset + index: byte for index, byte in enumerate(new)}
    path.put(LENT + ENDS, this.ends, number, this.long, this.doubts if long else 0)
    path.put(LENT + NEXT + 64, following.window.continues)
    path.put(LENT + AT, at, slices.values, busy, fresh("any_long"))

    def is_good(after: NotedPath) -> bool:
        after.prove(z3.ULE(after.result(), NONE), "an unknown result")
        return after.number(z3.If(after.result() == NONE, z3.BitVecVal(1, 8), z3.BitVecVal(0, 8)), 8) == 1

    function, before = _stride(image, "step", integer, long), [at, slices.values]
    for after in decoding_ends(path, function, before, at=LENT + AT, is_good=is_good):
        check_validity(after, integer, this.window, first=history)
        if not long:
            after.prove(this.long == 0, "a long value is accepted")
        begun = [one == 1 for one in this.window.more[stride - 1 : WINDOW]]
        after.prove(z3.Not(z3.And(*begun)), "an unfinished value that begins before the next window")
        this.check_stores(after, size * slices.values, number)
        after.expect(LENT + AT, at + stride, slices.values + number)
        _check_state(after, LENT, following, third, long)


def _check_state(path: NotedPath, state: int, following: Numbered, third: Numbered, long: bool) -> None:
    """Proves that the state has a window, the bytes of the one after it, and enough busy lanes."""
    [count], [busy] = path.words(state + VALUES, 1), path.words(state + BUSY, 1)
    path.prove(z3.And(z3.ULE(1, busy), z3.ULE(busy, WINDOW), z3.ULE(count, busy)), "too few busy lanes")
    path.prove(count == path.count_of(following.ends), "another number of values")
    memory = [path.fixed(state + offset) for offset in range(TOPS + 64)]
    following.find(path, long, memory[STARTS:TOPS], memory[TOPS:])
    path.expect(state + ENDS, following.ends, count, following.long, following.doubts if long else 0, what="another mask")
    path.expect(state + NEXT + 64, third.window.continues, what="another mask of the next window")
    for offset, window in ((DATA, following.window), (NEXT, third.window)):
        for index in INDEX:
            byte = term(path.fixed(state + offset + index), 8)
            path.prove(byte == window.bytes[index].term, f"byte {index} of a window")


def windows(image: Image, integer: Integer, long: bool) -> None:
    """Begins with the state of the first window, calls `batch` until that stops or there is a choice, and returns the progress.
    Only batches change the state, except for `any_long`."""
    slices, history = Slices(integer), integer.longest - 1
    this, following = _numbered("this", integer), _numbered("next", integer)
    first = slices.bytes - history
    contents = [(first, this.window.bytes), (_earlier(slices, first + WINDOW - history), following.window.bytes)]

    def end(path: NotedPath) -> Any:
        state, now = path.number(path.get("RSI")), progress_of(path)
        if not path.loop:
            path.expect(state + AT, *reversed(now))
            _check_state(path, state, this, following, long)
        else:
            path.check_kept(range(state, state + ANY_LONG))
        return now

    def batch(path: NotedPath, *now: Any) -> list[Path]:
        """The contract of `batch`. After an error, the state has no window."""
        result, state = path.number(path.get("RDI")), path.number(path.get("RSI"))
        path.check_arguments(None, None, *lanes_of(integer, long), *slices.arguments, CANONICAL)
        new = fresh("values"), fresh("at")
        path.conditions += [is_allowed(*new), z3.ULE(now[1], new[1])]
        path.forget(range(result, result + 16))
        path.forget(range(state, state + STATE))
        path.put(state + AT, *reversed(new))
        path.calls, path.kept = [new], {}
        error = path.copy()
        path.stack[result], error.stack[result] = 0, 1
        path.keep(range(state, state + ANY_LONG))
        return [path, error]

    def is_allowed(values: Any, at: Any) -> z3.BoolRef:
        return z3.And(z3.ULE(values, slices.space), z3.ULE(at, slices.len - history))

    slices.src.content = content_at(lambda _: contents)
    given = [RESULT, *slices.arguments, *slices.at, fresh("patience"), CANONICAL, DOUBLE_PUMPED]
    path = slices.path(image, given, z3.ULE(history, slices.bytes))
    path.lend(RESULT, 40)
    path.calls = [(slices.values, first)]
    loop = Loop(lambda *at: at, lambda *_: z3.BoolVal(True))
    calls = {_stride(image, "batch", integer, long): loop.turn(end, batch), **with_common_len(image)}
    for after in loop.ends(path, _stride(image, "windows", integer, long), calls):
        values, at = progress_of(after)
        after.expect(RESULT, values, at + history)


def batch(image: Image, integer: Integer, long: bool) -> None:
    """Calls `step` where it is allowed to, and has the progress of these calls. After a stop, the result is an error."""
    slices, count = Slices(integer), WINDOW // integer.size
    stride, busy, state = WINDOW - integer.longest + 1, z3.BitVec("busy", 64), range(LENT, LENT + STATE)
    passed, most = [*lanes_of(integer, long), *slices.arguments[:3]], slices.len - integer.longest + 1

    def are_busy(lanes: Any) -> z3.BoolRef:
        return z3.And(z3.ULE(1, lanes), z3.ULE(lanes, WINDOW))

    def words(turns: Any, values: Any, busy: Any) -> list[Any]:
        return [slices.bytes + stride * turns, values, busy]

    def is_allowed(turns: Any, values: Any, busy: Any) -> z3.BoolRef:
        space = z3.And(z3.ULE(values, slices.space), z3.ULE((busy + count - 1) & -count, slices.space - values))
        # A window has at most 64 values.
        progress = z3.And(z3.ULT(turns, BATCH), z3.ULE(values - slices.values, WINDOW * turns), are_busy(busy))
        return z3.And(progress, space, z3.ULE(slices.bytes + stride * turns, slices.len - WINDOW))

    loop = Loop(words, is_allowed)

    def end(path: NotedPath) -> Any:
        path.check_kept(state)
        return progress_of(path)

    def turn(path: NotedPath, turns: Any, *now: Any) -> list[Path]:
        """The contract of `step`. It writes all values of a window. After a stop, the state has no window."""
        path.check_arguments(LENT, *passed, CANONICAL)
        path.expect(LENT + AT, *words(turns, *now))
        path.forget(state)
        stops, number, busy = path.copy(), fresh("number"), fresh("busy")
        stops.put(LENT + AT, *words(turns, *now)[:2])
        stops.set("RAX", fresh("stop"))
        stops.conditions.append(z3.ULT(stops.result(), NONE))
        path.conditions += [z3.ULE(number, now[1]), are_busy(busy)]
        path.calls, stops.calls, stops.kept = [(turns + 1, now[0] + number, busy)], [(turns, *now)], {}
        path.put(LENT + AT, *words(*path.calls[0]))
        path.keep(state)
        return [stops, path.returning(NONE)]

    path = slices.path(
        image, [RESULT, LENT, *passed, slices.space, CANONICAL], z3.ULE(WINDOW, slices.len), are_busy(busy),
        z3.ULE(slices.bytes, most),
    )  # fmt: skip
    path.lend(LENT, STATE)
    path.lend(RESULT, 16)
    path.calls = [(z3.BitVecVal(0, 64), slices.values, busy)]
    path.put(LENT + AT, *words(*path.calls[0]))
    path.keep(state)
    calls = {_stride(image, "step", integer, long): loop.turn(end, turn)}
    for after in loop.ends(path, _stride(image, "batch", integer, long), calls):
        at, values, _ = words(*progress_of(after))
        after.expect(LENT + AT, at, values)
        inside = z3.And(z3.ULE(slices.bytes, at), z3.ULE(at, most), z3.ULE(values, slices.space))
        after.prove(inside, "an impossible progress")
        if not after.kept:
            after.prove(after.word(RESULT, 8) != 0, "another result")
        else:
            after.check_kept(state)


def fixed_stride(image: Image, integer: Integer) -> None:
    """Calls `windows` of either kind, and then `unfinished`, so that the progress is at the start of a value."""
    slices = Slices(integer)

    def windows(path: NotedPath, *at: Any) -> list[Path]:
        """The contract of `windows`, which may begin in the middle of a value, and end there."""
        result, new, start = path.number(path.get("RDI")), slices.unknown_progress(path), fresh("start")
        path.check_arguments(None, *slices.arguments, *at, None, CANONICAL)
        path.forget(range(result, result + 24))
        path.put(result, *new)
        path.conditions += [z3.ULE(at[1], new[1]), z3.ULE(start, new[1])]
        path.calls = [(*new, start)]
        return [path]

    def unfinished(path: NotedPath) -> list[Path]:
        """The contract of `unfinished`."""
        values, bytes_, start = progress_of(path)
        path.check_arguments(slices.src.start, bytes_)
        path.set("RAX", bytes_ - start)
        path.calls = [(values, start)]
        return [path]

    def is_allowed(values: Any, bytes_: Any) -> z3.BoolRef:
        return z3.And(slices.within(values, bytes_), z3.ULE(integer.longest - 1, bytes_))

    loop = Loop(lambda *at: at, is_allowed)
    path = slices.path(image, [*slices.arguments, LENT, z3.Bool("long"), fresh("patience"), CANONICAL, DOUBLE_PUMPED])
    path.lend(LENT, 16, *slices.at)
    path.calls = [slices.at]
    turn = loop.turn(lambda path: progress_of(path)[:2], windows)
    calls = {_stride(image, "windows", integer, long): turn for long in (False, True)}
    calls[image.function(f"{MODULE}fixed_stride::unfinished")] = unfinished
    for after in loop.ends(path, image.function(f"{MODULE}fixed_stride::fixed_stride::<{integer.name}>"), calls):
        at = progress_of(after)
        if len(at) != 2:
            raise Refuted("ends in the middle of a value")
        after.expect(LENT, *at)


def unfinished(image: Image) -> None:
    """Returns the number of continuation bytes at the end, of which there are at most nine: `step` shows that an
    unfinished value begins in the bytes that its window shares with the next one."""
    size, before = z3.BitVec("size", 64), unknown_bytes("before", 11)
    source = Region("bytes", size, content_of(before[:0:-1], size - 10))
    more = [z3.And(z3.UGE(size, at), before[at] & 0x80 != 0) for at in range(1, 11)]
    path = NotedPath(image, [source], [z3.ULE(size, LONGEST), z3.Not(z3.And(*more))], [source.start, size])
    for after in run(path, image.function(f"{MODULE}fixed_stride::unfinished")):
        count = term(after.get("RAX"), 64)
        right = [z3.Implies(z3.ULT(at, count), one) for at, one in enumerate(more)]
        right += [z3.Implies(count == at, z3.Not(one)) for at, one in enumerate(more)]
        after.prove(z3.And(z3.ULE(count, 9), *right), "another number")


# The front of a source.


def front(image: Image, integer: Integer) -> None:
    """Writes the values that end in the first 64 bytes, until the destination is full. Or it writes nothing, as
    it must if one of the values is invalid."""
    slices, size = Slices(integer), integer.size
    length, space, bytes_ = slices.len, slices.space, unknown_bytes("this.", WINDOW)
    # A byte after the end does not end a value.
    window = Window(lambda at: z3.If(z3.ULT(at, length), bytes_[at], z3.BitVecVal(0x80, 8)), WINDOW)
    this = Numbered(window, integer, 0, length)
    slices.src.content = content_of(bytes_)
    path = slices.path(image, [RESULT, *slices.arguments, CANONICAL])
    path.names_zeros, path.store_masks = True, {}
    path.lend(RESULT, 32)
    function = image.function(f"{MODULE}front::<{integer.name}>")
    for after in decoding_ends(path, function, [], is_good=lambda after: after.is_true(RESULT)):
        check_validity(after, integer, window)
        values, used, taken = after.words(RESULT + 8, 3)
        number = after.count_of(this.ends)
        after.prove(values == z3.If(z3.ULT(space, number), space, number), "another number of values")
        if after.stores:
            this.find(after, long=True)
        this.check_stores(after, 0, values, space * size)
        [(zeros, word, leading)] = after.zeros
        after.prove(z3.And(term(word, 64) == taken, leading, used == WINDOW - zeros), "another number of bytes")
        if check(*after.conditions, taken != this.ends) is not None:
            names, source, mask = after.moves[-1]
            first = z3.And(*[bit == z3.ULT(at, values) for at, bit in enumerate(source)])
            after.prove(z3.And(first, joined(mask) == this.ends, joined(names) == taken), "other ends")
        else:
            after.prove(values == number, "ends of values that are not written")
