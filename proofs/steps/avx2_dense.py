"""The AVX2 decoder's loops for runs of values of one length, `uniform::<T>` with its steps `turn::<T, LENGTH>`, and for
short values, `dense::<T>`, in four steps:

    dense          up to 16 turns of `step`, with any source, any destination, from any progress on
    step           one window at any place of the slices
    decode_window  64 bytes, of which any may end values
    one_long       one value of up to ten bytes, from any place of the window"""

from collections.abc import Sequence
from typing import Any

import z3

from model.image import Image, Refuted
from model.terms import lanes, simplified, term

from .contract import (
    BYTES, CANONICAL, REACH, SLACK, WINDOW, Elements, NotedPath, Slices, Window, check_advance, check_no_stores,
    check_validity, content_at, content_of, decoding_ends, kinds, unknown_bytes,
)
from .executor import LENT, LONGEST, Path, Region, run
from .loops import Loop, progress_of
from .questions import check, fresh, only_value, variables
from .wire import Integer

MODULE = "zigzag_varint::simd::avx2::decode::steps::dense::"
UNIFORM, AHEAD = "zigzag_varint::simd::avx2::decode::steps::uniform::", 96  # and its REACH
STATE, NEXT = 192, 32  # the size of `Dense`, and the offset of its `next`


def _function(image: Image, name: str, integer: Integer) -> int:
    prefix = f"<{MODULE}Dense>::" if name == "step" else MODULE
    return image.function(f"{prefix}{name}::<{integer.name}>")


# One value.


def one_long(image: Image, integer: Integer) -> None:
    """The value that starts at the lowest bit of `long` is written to the slot whose number is that of the
    starts before it. The continuation bits of eight bytes are known in each run, and all other bits are not."""
    starts, long, slots, most = *z3.BitVecs("starts long slots", 64), integer.longest

    def meaning(path: NotedPath, count: z3.BitVecRef, whole: z3.BitVecRef) -> list[z3.BoolRef]:
        zeros, value, leading = path.zeros[0]
        before = z3.If(zeros == 64, starts, starts & ((z3.BitVecVal(1, 64) << zeros) - 1))
        path.prove(z3.And(value == long, whole == before, not leading), "counts other starts than those before")
        return [z3.ULT(count, slots)]  # The caller ensures that there is a slot for it.

    for mask in range(256):
        tops = [z3.BitVecVal(mask >> index & 1, 1) for index in range(8)] + [fresh("top", 1) for _ in range(8)]
        encoding = [z3.Concat(top, fresh("payload", 7)) for top in tops]
        ended = (mask ^ (mask + 1)).bit_length()  # the length, if at most 8
        lengths = range(9, most + 1) if ended > 8 and most > 8 else range(ended, min(ended, most) + 1)
        content = content_at(lambda path, encoding=encoding: [(path.zeros[0][0], encoding)])
        bytes_, out = Region("bytes", REACH, content), Region("out", slots * integer.size)
        facts = [z3.ULE(slots, LONGEST // integer.size)]
        path = NotedPath(image, [bytes_, out], facts, [bytes_.start, starts, long, out.start])
        path.names_zeros, path.meaning = True, meaning
        [after] = run(path, _function(image, "one_long", integer))
        [(_, offset, new)], [(number, _)] = after.stores, after.ones
        after.prove(offset == integer.size * number, "another slot")
        [element] = lanes(new, integer.bits)
        Elements(integer).check(element, [], lengths, *after.conditions, encoding=encoding)


# One window.


def decode_window(image: Image, integer: Integer) -> None:
    """The values that end in a window are written one after another. Or the result is false, and nothing is
    written. A window with an invalid value, or an overlong one if that matters, gives false."""
    window = Window.unknown()
    ones = [z3.ZeroExt(60, z3.BitVec(f"N{group}", 4)) for group in range(8)]  # the number of starts in each eight bytes
    values = sum(ones[1:], ones[0]) - z3.ZeroExt(63, window.more[63])  # as many as end in the window
    groups = [z3.ZeroExt(56, z3.Extract(8 * at + 7, 8 * at, window.starts)) for at in range(8)]

    bytes_ = Region("bytes", REACH, content_of(window.bytes))
    out = Region("out", (values + SLACK) * integer.size)
    # The starts of values of more than four bytes that end in the window.
    long = window.starts if integer.longest > 4 else z3.BitVecVal(0, 64)
    for at in range(4):
        long &= z3.LShR(window.continues, at)
    ended = window.ends
    for at in range(6):
        ended |= z3.LShR(ended, 1 << at)  # whether a value ends at a byte or after it
    long &= ended
    facts = [*[z3.ULE(one, 8) for one in ones], z3.UGE(ones[0], 1)]
    loop = Loop(lambda rest: [rest, rest & (rest - 1)], lambda rest: rest & ~long == 0)

    def left(path: NotedPath) -> list[Any]:
        """Returns the long values that are left, after the proof that the others are written."""
        if path.calls:
            check_no_stores(path)
            [[rest]] = path.calls
            return [rest & (rest - 1)]
        if loop.is_general or not calls:
            check_validity(path, integer, window)
            check_short_values(path, integer, window, ones, [None, *window.more], 0)
        return [long]

    def one_long(path: NotedPath, rest: Any) -> list[Path]:
        """The contract of `one_long`, which writes the value at the lowest bit, if there is one."""
        path.check_arguments(bytes_.start, window.starts, rest, out.start)
        return [path]

    path = NotedPath(image, [bytes_, out], facts, [LENT, bytes_.start, out.start, CANONICAL])
    window.put(path, LENT)
    path.counts, function = list(zip(ones, groups, strict=True)), _function(image, "decode_window", integer)
    calls = {_function(image, "one_long", integer): loop.turn(left, one_long)} if integer.longest > 4 else {}
    for after in decoding_ends(path, function, [], calls=calls, ends_of=loop.ends if calls else run):
        after.prove(left(after)[0] == 0, "a long value is left out")


def check_short_values(
    path: NotedPath, integer: Integer, window: Window, ones: Sequence[z3.BitVecRef], bits: Sequence[Any], start: int
) -> None:
    """Element j of the stores for eight bytes is the j-th value that starts there, if it has at most four bytes, for any
    four bytes that are shuffled to it. `ones` has the number of starts in each eight bytes, and `bits` and `start` say
    which these are. The elements after the last one are overwritten by the next eight bytes."""
    stores, values, size = list(path.stores), Elements(integer), 8 * integer.size
    for group in range(len(ones)):
        before, new, places = sum(ones[:group], z3.BitVecVal(0, 64)), list[Any](), list[list[z3.BitVecRef]]()
        own, first = list[Any](), stores[0][1] if stores else None
        while stores and sum(len(part) for *_, part in own) < size:
            own.append(stores.pop(0))
        for _, offset, part in sorted(own, key=lambda one: simplified(one[1] - first + size)):  # The compiler reorders them.
            path.prove(offset == integer.size * before + len(new), f"a store of group {group} at another place")
            new += part
        if len(new) != size:
            raise Refuted(f"other stores of group {group}")
        for element in lanes(new, integer.bits):
            element = z3.simplify(term(element, integer.bits))
            names = sorted(variables(element), key=lambda name: path.row_of(name)[1])
            if len(names) != 4:
                raise Refuted("not four bytes")
            values.check(element, zip(names, BYTES[:4], strict=True), range(1, min(4, integer.longest) + 1))
            places.append(names)
        check_rows(path, window, group, places, bits, start)
    if stores:
        raise Refuted("more stores")


def check_rows(
    path: NotedPath, window: Window, group: int, places: list[list[z3.BitVecRef]], bits: Sequence[Any], start: int
) -> None:
    """For each of the 256 masks of starts in eight bytes, the row of the table takes four bytes from each start
    on. Each byte that may be a start has a bit, which is `start` if it is one, or None if it always is."""
    bits = bits[8 * group :][:8]
    for starts in range(256):
        if (bits[0] is None and not starts & 1) or starts >> len(bits):
            continue
        known = [(bit, z3.BitVecVal(starts >> at & 1 ^ start ^ 1, 1)) for at, bit in enumerate(bits) if bit is not None]
        rows: dict[int, int] = {}  # by the term of the address
        for first, names in zip([at for at in range(8) if starts >> at & 1], places, strict=False):
            for index, name in enumerate(names):
                address = path.row_of(name)[0]
                if address.get_id() not in rows:
                    rows[address.get_id()] = only_value(z3.substitute(address, *known))
                shuffled = path.shuffled_byte(name, rows[address.get_id()])
                if not window.bytes[8 * group + first + index].same(shuffled):
                    raise Refuted(f"row {starts:#010b}: byte {index} of the value at {first}")


# Slices of any length.


def _check_state(path: NotedPath, slices: Slices, state: int, values: Any, bytes_: Any) -> None:
    """Proves that the `Dense` at this address is the one after this progress."""
    path.expect(state, values, bytes_)
    path.prove(slices.within(values, bytes_), "progress beyond the slices")
    there = z3.UGE(slices.len - bytes_, REACH)
    path.expect(state + NEXT, z3.If(there, slices.src.start + bytes_, 0), what="another next window")
    if check(*path.conditions, there) is not None:
        one = path.copy()
        one.conditions.append(there)
        slices.window(bytes_).check_at(one, state + NEXT + 32)


def _put_state(path: NotedPath, slices: Slices, state: int, values: Any, bytes_: Any, there: bool) -> None:
    """Puts the `Dense` after this progress there, with or without a next window."""
    path.forget(range(state, state + STATE))
    path.put(state, values, bytes_)
    path.put(state + NEXT, slices.src.start + bytes_ if there else 0)
    if there:
        slices.window(bytes_).put(path, state + NEXT + 32)
    available = z3.UGE(slices.len - bytes_, REACH)
    path.conditions += [slices.within(values, bytes_), available if there else z3.Not(available)]


def step(image: Image, integer: Integer) -> None:
    """Decodes the window at any progress if it has space for it, advances by what it decoded, and loads the
    next window."""
    slices, size = Slices(integer), integer.size
    window = slices.window(slices.bytes)

    def decode(path: NotedPath) -> list[Path]:
        """The contract of `decode_window`, as `step` calls it."""
        window.check_at(path, simplified(path.get("RDI")))
        path.check_arguments(None, slices.src.start + slices.bytes, slices.dst.start + size * slices.values, CANONICAL)
        space = slices.space - slices.values
        path.prove(z3.ULE(path.count_of(window.ends) + SLACK, space), "too little space")
        ways = [path.copy().returning(result) for result in (0, 1)]
        for result, one in enumerate(ways):
            one.calls.append(result)
        return ways

    for there in (False, True):
        path = slices.path(image, [LENT, *slices.arguments, CANONICAL])
        path.names_zeros = True
        path.lend(LENT, STATE)
        _put_state(path, slices, LENT, *slices.at, there)
        calls = {_function(image, "decode_window", integer): decode}
        for after in run(path, _function(image, "step", integer), calls):
            result = after.is_true()
            if result != (after.calls == [1]) or after.stores or (result and not there):
                raise Refuted("another result")
            if not result:
                after.expect(LENT, *slices.at, what="progress without values")
                continue
            [(zeros, word, leading)] = after.zeros
            if not leading or check(word != window.ends) is not None:
                raise Refuted("not the last end")
            values = slices.values + after.count_of(window.ends)
            _check_state(after, slices, LENT, values, slices.bytes + WINDOW - zeros)


def dense(image: Image, integer: Integer) -> None:
    """Calls `step` until it decodes nothing or 16 times, and returns its progress. The compiler makes no loop of that."""
    slices, reached = Slices(integer), set[bool]()

    def turn(path: NotedPath) -> list[Path]:
        """The contract of `step`: without progress, or with any, with or without a next window."""
        state, at = path.number(path.get("RDI")), path.calls[-1]
        _check_state(path, slices, state, *at)
        path.check_arguments(None, *slices.arguments, CANONICAL)
        ways = [path.copy().returning(0)]
        ways[0].forget(range(state + 16, state + STATE))
        # It decodes nothing without a whole window.
        goes_on = check(*path.conditions, z3.UGE(slices.len - at[1], REACH)) is not None
        for there in (False, True) if goes_on else ():
            one = path.copy()
            one.calls.append((fresh("values"), fresh("bytes")))
            _put_state(one, slices, state, *one.calls[-1], there)
            ways.append(one.returning(1))
        return ways

    path = slices.path(image, [*slices.arguments, *slices.at, CANONICAL])
    path.calls.append(slices.at)
    for after in run(path, _function(image, "dense", integer), {_function(image, "step", integer): turn}):
        check_no_stores(after)
        reached |= kinds(after, reached) if len(after.calls) > 1 else set()
        after.check_returned(*after.calls[-1])
    if len(reached) < 2:
        raise Refuted("no turn")


# Runs of values of one length.


def _turn(image: Image, integer: Integer, length: int, canonical: bool) -> int:
    strict = "true" if canonical and length > 1 else "false"
    return image.function(f"{UNIFORM}turn::<{integer.name}, {length}, {strict}>")


def turn(image: Image, integer: Integer, canonical: bool) -> None:
    """Decodes some values that each have this length, for all of which it writes the value, and advances by
    them. Or it changes nothing. Each length is a run of its own."""
    slices, data = Slices(integer), unknown_bytes("data", AHEAD)
    slices.src.content = content_of(data, slices.bytes)
    for length in range(1, integer.longest + 1):
        path = slices.path(image, [LENT, *slices.arguments])
        path.lend(LENT, 16, *slices.at)
        for after in decoding_ends(path, _turn(image, integer, length, canonical), slices.at):
            check_advance(after, slices, data, length, canonical)


def uniform(image: Image, integer: Integer, canonical: bool) -> None:
    """Calls `turn` of the length that it is given until that decodes nothing, and returns the progress. Of any
    other length it decodes nothing."""
    slices, function = Slices(integer), image.function(f"{UNIFORM}uniform::<{integer.name}>")

    def step(path: NotedPath, *at: Any) -> list[Path]:
        """The contract of `turn`: without progress, or with any."""
        path.check_arguments(None, *slices.arguments)
        return slices.step(path, path.number(path.get("RDI")), *at)

    def start(length: Any, *facts: z3.BoolRef) -> NotedPath:
        path = slices.path(image, [length, *slices.arguments, *slices.at, canonical], *facts)
        path.calls = [slices.at]
        return path

    given = z3.BitVec("length", 64)
    other = start(given, z3.Or(given == 0, z3.UGT(given, integer.longest)))
    other.calls.append("none")
    ends = run(other, function)
    for length in range(1, integer.longest + 1):
        loop = Loop(lambda *at: at, slices.within)
        calls = {_turn(image, integer, length, canonical): loop.turn(progress_of, step)}
        ends += loop.ends(start(length), function, calls)
    for after in ends:
        check_no_stores(after)
        at, _ = after.calls
        after.check_returned(*at)
