"""The AVX2 decoder's loop for short values, `dense::<T>`, in four steps:

    dense          up to 16 turns of `step`, with any source, any destination, from any progress on
    step           one window at any place of the slices
    decode_window  64 bytes, of which any may end values
    one_long       one value of up to ten bytes, from any place of the window
"""

from collections.abc import Iterator
from typing import Any

import z3

from model.image import Image
from model.terms import Byte, known, lanes, simplified, term

from .executor import KEPT, LENT, STACK, Path, Region, check, fresh, run, variables
from model.failures import Inconclusive, Refuted
from .notes import NotedPath, only_value
from .window import (
    REACH, SLACK, STATE, WINDOW, Slices, Window, check_validity, decodable, flag, length_is, returned, returning, unused,
)
from .wire import Integer, value_of

MODULE = "zigzag_varint::simd::avx2::decode::steps::dense::"


def _function(image: Image, name: str, integer: Integer) -> int:
    prefix = f"<{MODULE}Dense>::" if name == "step" else MODULE
    return image.function(f"{prefix}{name}::<{integer.name}>").address


def check_values(element: z3.BitVecRef, encoding: list[z3.BitVecRef], integer: Integer, longest: int) -> None:
    """Proves that an element is the value of these bytes, for each length."""
    for length in range(1, longest + 1):
        given = [length_is(encoding, length), decodable(encoding[:length], integer)]
        if check(*given, element != value_of(encoding[:length], integer)) is not None:
            raise Refuted(f"a value of {length} bytes")


# One value.


def one_long(image: Image, integer: Integer) -> None:
    """The value that starts at the lowest bit of `long` is written to the slot whose number is that of the
    starts before it. The continuation bits of eight bytes are known in each run, and all other bits are not."""
    starts, long, code = *z3.BitVecs("starts long", 64), _function(image, "one_long", integer)
    for mask in range(256):
        tops = [z3.BitVecVal(mask >> index & 1, 1) for index in range(8)] + [fresh("top", 1) for _ in range(8)]
        encoding = [z3.Concat(top, fresh("payload", 7)) for top in tops]
        ended = (mask ^ (mask + 1)).bit_length()  # the length, if at most 8
        if ended > 8 and integer.longest > 8:
            lengths = range(9, integer.longest + 1)
        else:
            lengths = range(ended, min(ended, integer.longest) + 1)
        after = _one_value(image, integer, code, starts, long, encoding)
        [(_, offset, new)] = after.stores
        after.prove(offset == integer.size * after.ones[0][0], "another slot")
        result = term(lanes(new, 8 * len(new))[0], 8 * len(new))
        for length in lengths:
            given = [length_is(encoding, length), decodable(encoding[:length], integer), *after.conditions]
            if len(new) != integer.size or check(*given, result != value_of(encoding[:length], integer)) is not None:
                raise Refuted(f"a value of {length} bytes")


def _one_value(
    image: Image, integer: Integer, code: int, starts: Any, long: Any, encoding: list[z3.BitVecRef]
) -> NotedPath:
    """Returns the state after a call with this encoding at the place of the value."""

    def content(path: NotedPath, offset: Any, index: int) -> Byte:
        at = simplified(term(offset, 64) + index - path.zeros[0][0])
        if not known(at) or at > 15:
            raise Inconclusive(f"reads at {at}")
        return Byte(encoding[at])

    def meaning(path: NotedPath, count: z3.BitVecRef, whole: z3.BitVecRef) -> list[z3.BoolRef]:
        zeros, value, leading = path.zeros[0]
        before = z3.If(zeros == 64, starts, starts & ((z3.BitVecVal(1, 64) << zeros) - 1))
        path.prove(z3.And(value == long, whole == before, not leading), "counts other starts than those before")
        return [z3.ULT(count, slots)]  # The caller ensures that there is a slot for it.

    slots = fresh("slots")
    bytes_, out = Region("bytes", REACH, content), Region("out", slots * integer.size)
    path = NotedPath(image, [bytes_, out], [z3.ULE(slots, 128)], [bytes_.start, starts, long, out.start])
    path.names_zeros, path.meaning = True, meaning
    [after] = run(path, code)
    if len(after.stores) != 1 or len(after.ones) != 1:
        raise Refuted("not one store")
    return after


# One window.


def decode_window(image: Image, integer: Integer, canonical: bool) -> None:
    """The values that end in a window are written one after another. Or the result is false, and nothing is
    written. A window with an invalid value, or an overlong one if that matters, gives false."""
    window = Window(lambda index: z3.Concat(z3.BitVec(f"c{index}", 1), z3.BitVec(f"p{index}", 7)))
    ones = [z3.BitVec(f"N{group}", 64) for group in range(8)]  # the number of starts in each eight bytes
    values = sum(ones[1:], ones[0]) - z3.ZeroExt(63, window.more[63])  # as many as end in the window
    groups = [z3.ZeroExt(56, z3.Extract(8 * at + 7, 8 * at, window.starts)) for at in range(8)]

    def meaning(path: NotedPath, count: z3.BitVecRef, whole: z3.BitVecRef) -> list[z3.BoolRef]:
        for one, group in zip(ones, groups, strict=True):
            if check(whole != group) is None:
                return [count == one]
        raise Refuted("counts something else")

    bytes_ = Region("bytes", REACH, lambda path, offset, index: window.bytes[offset + index])
    out = Region("out", (values + SLACK) * integer.size)
    facts = [*[z3.ULE(one, 8) for one in ones], z3.UGE(ones[0], 1)]
    path = NotedPath(image, [bytes_, out], facts, [LENT, bytes_.start, out.start, int(canonical)])
    path.memory.stack |= window.memory(LENT)
    path.meaning = meaning
    loop, calls, decoded = _EachBit(window), {}, False
    if integer.longest > 4:
        calls[_function(image, "one_long", integer)] = loop
    for after in run(path, _function(image, "decode_window", integer), calls):
        result = returned(after)
        if result == 0:
            if after.stores or after.calls:
                raise Refuted("writes in a window that it does not decode")
            continue
        if result != 1:
            raise Inconclusive("an unknown result")
        decoded = True
        check_validity(after, integer, window, canonical)
        if bool(after.calls) != (integer.longest > 4):
            raise Refuted("long values are not decoded")
        if after.calls:
            if len(after.stores) != loop.stores:
                raise Refuted("stores after the long values")
            _check_long_values(after, window, loop)
        _check_short_values(after, integer, window, ones)
    if not decoded:
        raise Refuted("decodes nothing")


class _EachBit:
    """The loop over the bits of a mask: the step is called for the lowest bit, and that bit is removed. The
    first turn is that of any mask. The second is that of any part of it, and stands for all others."""

    def __init__(self, window: Window) -> None:
        self.window, self.stores, self.rest = window, 0, fresh("rest")
        self.mask: Any = None

    def __call__(self, path: NotedPath) -> list[Path]:
        arguments = z3.And(
            path.get("RDI") == z3.BitVec("bytes", 64), path.get("RCX") == z3.BitVec("out", 64),
            path.get("RSI") == self.window.starts,
        )
        path.prove(arguments, "other arguments of one_long")
        mask, kept = path.get("RDX"), {name: path.get(name) for name in KEPT}
        if not path.calls:
            self.mask, self.stores = mask, len(path.stores)
            holders = [name for name in KEPT if not known(kept[name]) and kept[name].eq(mask)]
            for name in holders:
                path.set(name, self.rest)
            path.calls.append({**kept, **dict.fromkeys(holders, self.rest)})
            path.conditions.append(self.rest & ~mask == 0)
            return [path]
        path.prove(mask == self.rest & (self.rest - 1), "the lowest bit is not removed")
        for name, before in path.calls[0].items():
            follows = mask if before is self.rest else before
            path.prove(term(kept[name], 64) == term(follows, 64), f"a turn changes {name}")
        if len(path.stores) != self.stores:
            raise Refuted("another store in the loop")
        return []


def _check_long_values(path: Path, window: Window, loop: _EachBit) -> None:
    """The mask has the start of every value of more than four bytes that ends in the window, and no byte that
    is not the start of a value that ends there. The loop ends when no bit is left."""
    wrong = []
    for start in range(WINDOW):
        bit = [z3.Extract(start, start, word) == 1 for word in (loop.mask, window.starts)]
        ended = [window.more[end] == 0 for end in range(start, WINDOW)]
        long = [window.more[at] == 1 for at in range(start, min(start + 4, WINDOW))]
        wrong.append(z3.And(bit[1], *long, z3.Or(*ended[4:]), z3.Not(bit[0])))
        wrong.append(z3.And(bit[0], z3.Not(z3.And(bit[1], z3.Or(*ended)))))
    path.prove(z3.Not(z3.Or(*wrong)), "the mask of long values")
    path.prove(loop.rest & (loop.rest - 1) == 0, "the loop ends before the last long value")


def _check_short_values(path: NotedPath, integer: Integer, window: Window, ones: list[z3.BitVecRef]) -> None:
    """Element j of the stores for eight bytes is the j-th value that starts there, if it has at most four
    bytes. The elements after the last one are overwritten by the next eight bytes."""
    stores, proved = iter(path.stores), list[z3.BitVecRef]()
    for group in range(8):
        before, new = sum(ones[:group], z3.BitVecVal(0, 64)), []
        while len(new) < 8 * integer.size:
            _, offset, part = next(stores, ("", None, None))
            if part is None:
                raise Refuted("too few stores")
            path.prove(offset == integer.size * before + len(new), f"a store of group {group} at another place")
            new += part
        if len(new) != 8 * integer.size:
            raise Refuted("other stores")
        places = [_check_element(path, integer, element, proved) for element in lanes(new, integer.bits)]
        _check_rows(path, window, group, places)
    if next(stores, None) is not None:
        raise Refuted("more stores")


def _check_element(path: NotedPath, integer: Integer, element: Any, proved: list[z3.BitVecRef]) -> list[z3.BitVecRef]:
    """Proves an element for any four bytes that are shuffled to it. Returns the names of these bytes in order.
    The eight groups have the same code, so that `proved` saves most questions."""
    element = z3.simplify(term(element, integer.bits))
    names = [one for one in variables(element) if str(one) in path.shuffles]
    if len(names) != 4 or len(variables(element)) != 4:
        raise Refuted("not four bytes")
    names.sort(key=lambda name: path.row_of(name)[1])
    encoding = [z3.BitVec(f"b{index}", 8) for index in range(4)]
    element = z3.substitute(element, *zip(names, encoding, strict=True))
    if not any(element.eq(one) for one in proved):
        check_values(element, encoding, integer, min(4, integer.longest))
        proved.append(element)
    return names


def _check_rows(path: NotedPath, window: Window, group: int, places: list[list[z3.BitVecRef]]) -> None:
    """For each of the 256 masks of starts in eight bytes, the row of the table takes four bytes from each start
    on. Byte 0 of the window is a start."""
    for starts in range(256):
        if group == 0 and not starts & 1:
            continue
        bits = [
            (window.more[8 * group + at - 1], z3.BitVecVal(~starts >> at & 1, 1)) for at in range(8) if group or at
        ]
        rows: dict[int, int] = {}  # by the term of the address
        for start, names in zip([at for at in range(8) if starts >> at & 1], places, strict=False):
            for index, name in enumerate(names):
                address = path.row_of(name)[0]
                if address.get_id() not in rows:
                    rows[address.get_id()] = only_value(z3.substitute(address, *bits))
                shuffled = path.shuffled_byte(name, rows[address.get_id()])
                if not window.bytes[8 * group + start + index].same(shuffled):
                    raise Refuted(f"row {starts:#010b}: byte {index} of the value at {start}")


# Slices of any length.


def step(image: Image, integer: Integer, canonical: bool) -> None:
    """Decodes the window at any progress if it has space for it, advances by what it decoded, and loads the
    next window."""
    slices = Slices(integer)
    for there in (False, True):
        path = NotedPath(image, [slices.src, slices.dst], slices.facts, [LENT, *slices.arguments(), int(canonical)])
        path.names_zeros, path.memory.lent = True, [range(LENT, LENT + STATE)]
        slices.put_state(path, LENT, slices.values, slices.bytes, there)
        window = slices.window(slices.bytes)
        contract = _Decodes(slices, window, canonical)
        for after in run(path, _function(image, "step", integer), {_function(image, "decode_window", integer): contract}):
            result = returned(after)
            if result != int(after.calls == [1]) or after.stores or (result and not there):
                raise Refuted("another result")
            if result:
                [(zeros, word, leading)] = after.zeros
                if not leading or check(word != window.ends) is not None:
                    raise Refuted("not the last end")
                end = slices.bytes + WINDOW - zeros
                slices.check_state(after, LENT, slices.values + contract.count(after), end)
            else:
                now = z3.And(after.word(LENT) == slices.values, after.word(LENT + 8) == slices.bytes)
                after.prove(now, "progress without values")


class _Decodes:
    """The contract of `decode_window`, as `step` calls it."""

    def __init__(self, slices: Slices, window: Window, canonical: bool) -> None:
        self.slices, self.window, self.canonical = slices, window, canonical

    def count(self, path: NotedPath) -> z3.BitVecRef:
        """Returns the number of values that end in the window."""
        if len(path.ones) != 1 or check(path.ones[0][1] != self.window.ends) is not None:
            raise Refuted("not the number of ends")
        return path.ones[0][0]

    def __call__(self, path: NotedPath) -> list[Path]:
        slices, state = self.slices, simplified(path.get("RDI"))
        if not known(state):
            raise Refuted("a window of another place")
        self.window.check_at(path, state)
        path.prove(path.get("RSI") == slices.src.start + slices.bytes, "bytes of another place")
        path.prove(path.get("RDX") == slices.dst.start + slices.integer.size * slices.values, "slots of another place")
        path.prove(z3.ULE(self.count(path) + SLACK, slices.space - slices.values), "too little space")
        path.prove(z3.Extract(7, 0, term(path.get("RCX"), 64)) == int(self.canonical), "another choice of canonical")
        results = []
        for result in (0, 1):
            one = path.copy()
            one.calls.append(result)
            returning(one, result)
            results.append(one)
        return results


def dense(image: Image, integer: Integer, canonical: bool) -> None:
    """Calls `step` until it decodes nothing or 16 times, and returns its progress."""
    slices = Slices(integer)
    facts = [*slices.facts, slices.within(slices.values, slices.bytes)]
    arguments = [*slices.arguments(), slices.values, slices.bytes]
    path = NotedPath(image, [slices.src, slices.dst], facts, arguments)
    path.memory.stack |= flag(STACK, canonical)

    def turn(path: NotedPath) -> list[Path]:
        state, (values, bytes_) = simplified(path.get("RDI")), _progress(path, slices)
        if not known(state):
            raise Refuted("a state of another place")
        slices.check_state(path, state, values, bytes_)
        for name, value in zip("RSI RDX RCX R8".split(), slices.arguments(), strict=True):
            path.prove(path.get(name) == value, f"another argument {name}")
        path.prove(z3.Extract(7, 0, term(path.get("R9"), 64)) == int(canonical), "another choice of canonical")
        return list(_turns(path, slices, state))

    done = run(path, _function(image, "dense", integer), {_function(image, "step", integer): turn})
    for after in done:
        values, bytes_ = _progress(after, slices)
        after.prove(z3.And(after.get("RAX") == values, after.get("RDX") == bytes_), "another progress")
        if after.stores:
            raise Refuted("stores of its own")
    if not any(one.calls for one in done):
        raise Refuted("no turn")


def _progress(path: NotedPath, slices: Slices) -> tuple[z3.BitVecRef, z3.BitVecRef]:
    return path.calls[-1] if path.calls else (slices.values, slices.bytes)


def _turns(path: NotedPath, slices: Slices, state: int) -> Iterator[Path]:
    """Yields the states after a turn: without progress, or with any, with or without a next window."""
    nothing = path.copy()
    nothing.memory.stack |= unused(state, range(16, STATE))
    returning(nothing, 0)
    yield nothing
    if check(*path.conditions, z3.UGE(slices.len - _progress(path, slices)[1], REACH)) is None:
        return  # It decodes nothing without a whole window.
    for there in (False, True):
        one = path.copy()
        one.calls.append((fresh("values"), fresh("bytes")))
        slices.put_state(one, state, *one.calls[-1], there)
        returning(one, 1)
        yield one
