"""The AVX2 decoder's loop for short values, `dense::<T>`, in four steps:

    dense          up to 16 turns of `step`, with any source, any destination, from any progress on
    step           one window at any place of the slices
    decode_window  64 bytes, of which any may end values
    one_long       one value of up to ten bytes, from any place of the window
"""

from typing import Any

import z3

from model.failures import Inconclusive, Refuted
from model.image import Image
from model.terms import Byte, known, lanes, simplified, term

from .contract import (
    REACH, SLACK, WINDOW, Slices, Window, check_validity, check_value, content_of, ends_of_loop,
)
from .executor import KEPT, LENT, Path, Region, check, fresh, run, variables
from .notes import NotedPath, only_value
from .wire import Integer

MODULE = "zigzag_varint::simd::avx2::decode::steps::dense::"
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

        def content(path: NotedPath, offset: Any, index: int, encoding: list[z3.BitVecRef] = encoding) -> Byte:
            return content_of(encoding, path.zeros[0][0])(path, offset, index)

        bytes_, out = Region("bytes", REACH, content), Region("out", slots * integer.size)
        path = NotedPath(image, [bytes_, out], [z3.ULE(slots, 128)], [bytes_.start, starts, long, out.start])
        path.names_zeros, path.meaning = True, meaning
        [after] = run(path, _function(image, "one_long", integer))
        [(_, offset, new)], [(number, _)] = after.stores, after.ones
        after.prove(offset == integer.size * number, "another slot")
        if len(new) != integer.size:
            raise Refuted("not one value")
        check_value(lanes(new, integer.bits)[0], encoding, integer, lengths, *after.conditions)


# One window.


def decode_window(image: Image, integer: Integer, canonical: bool) -> None:
    """The values that end in a window are written one after another. Or the result is false, and nothing is
    written. A window with an invalid value, or an overlong one if that matters, gives false."""
    window = Window.unknown()
    ones = [z3.BitVec(f"N{group}", 64) for group in range(8)]  # the number of starts in each eight bytes
    values = sum(ones[1:], ones[0]) - z3.ZeroExt(63, window.more[63])  # as many as end in the window
    groups = [z3.ZeroExt(56, z3.Extract(8 * at + 7, 8 * at, window.starts)) for at in range(8)]

    def meaning(path: NotedPath, count: z3.BitVecRef, whole: z3.BitVecRef) -> list[z3.BoolRef]:
        for one, group in zip(ones, groups, strict=True):
            if check(whole != group) is None:
                return [count == one]
        raise Refuted("counts something else")

    bytes_ = Region("bytes", REACH, window.content)
    out = Region("out", (values + SLACK) * integer.size)
    facts = [*[z3.ULE(one, 8) for one in ones], z3.UGE(ones[0], 1)]
    path = NotedPath(image, [bytes_, out], facts, [LENT, bytes_.start, out.start, canonical])
    window.put(path, LENT)
    path.meaning = meaning
    loop, calls, decoded = _EachBit(window), {}, False
    if integer.longest > 4:
        calls[_function(image, "one_long", integer)] = loop
    for after in run(path, _function(image, "decode_window", integer), calls):
        result = after.result()
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
        path.check_arguments(z3.BitVec("bytes", 64), self.window.starts, None, z3.BitVec("out", 64))
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
        check_value(element, encoding, integer, range(1, min(4, integer.longest) + 1))
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


def step(image: Image, integer: Integer, canonical: bool) -> None:
    """Decodes the window at any progress if it has space for it, advances by what it decoded, and loads the
    next window."""
    slices, size = Slices(integer), integer.size
    window = slices.window(slices.bytes)

    def count(path: NotedPath) -> z3.BitVecRef:
        """Returns the number of values that end in the window."""
        if len(path.ones) != 1 or check(path.ones[0][1] != window.ends) is not None:
            raise Refuted("not the number of ends")
        return path.ones[0][0]

    def decode(path: NotedPath) -> list[Path]:
        """The contract of `decode_window`, as `step` calls it."""
        window.check_at(path, simplified(path.get("RDI")))
        path.check_arguments(None, slices.src.start + slices.bytes, slices.dst.start + size * slices.values, canonical)
        path.prove(z3.ULE(count(path) + SLACK, slices.space - slices.values), "too little space")
        ways = [path.copy().returning(result) for result in (0, 1)]
        for result, one in enumerate(ways):
            one.calls.append(result)
        return ways

    for there in (False, True):
        path = NotedPath(image, [slices.src, slices.dst], slices.facts, [LENT, *slices.arguments(), canonical])
        path.names_zeros = True
        path.lend(LENT, STATE)
        _put_state(path, slices, LENT, *slices.at, there)
        for after in run(path, _function(image, "step", integer), {_function(image, "decode_window", integer): decode}):
            result = after.result()
            if result != int(after.calls == [1]) or after.stores or (result and not there):
                raise Refuted("another result")
            if not result:
                after.expect(LENT, *slices.at, what="progress without values")
                continue
            [(zeros, word, leading)] = after.zeros
            if not leading or check(word != window.ends) is not None:
                raise Refuted("not the last end")
            _check_state(after, slices, LENT, slices.values + count(after), slices.bytes + WINDOW - zeros)


def dense(image: Image, integer: Integer, canonical: bool) -> None:
    """Calls `step` until it decodes nothing or 16 times, and returns its progress."""
    slices = Slices(integer)
    path = NotedPath(image, [slices.src, slices.dst], slices.facts, [*slices.arguments(), *slices.at, canonical])

    def turn(path: NotedPath) -> list[Path]:
        """The contract of `step`: without progress, or with any, with or without a next window."""
        state, at = simplified(path.get("RDI")), path.calls[-1]
        if not known(state):
            raise Refuted("a state of another place")
        _check_state(path, slices, state, *at)
        path.check_arguments(None, *slices.arguments(), canonical)
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

    caller, callee = (_function(image, name, integer) for name in ("dense", "step"))
    for after, at in ends_of_loop(path, caller, callee, turn, slices.at):
        after.prove(z3.And(after.get("RAX") == at[0], after.get("RDX") == at[1]), "another progress")
