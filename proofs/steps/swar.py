"""The steps of the SWAR kernel, and the loops around them:

    decode_window  the values that end in 64 bytes, which each of these does for some windows:
    decode_longer  values of one length, and any others one by one
    decode_short   many values, of which those of one or two bytes are at once
    value_at       one value of a window
    encode_eight   eight values
    decode         a slice, a window at a time, of which the scalar loop decodes the rest
    encode         a slice, eight values at a time, of which the scalar loop encodes the rest"""

from collections.abc import Callable, Mapping
from typing import Any

import z3

from model.image import Image, Refuted
from model.terms import Byte, known, lanes, simplified, term

from .contract import (
    BYTES, CANONICAL, WINDOW, Elements, NotedPath, Slices, Window, check_no_stores, check_uniform, content_of, decodable,
    decoding_ends, length_is, stored, zeros_of,
)
from .encoder import Encoder
from .executor import LENT, Contract, Path, Region, run
from .loops import Loop, progress_of
from .questions import check, fresh, prove, subterms
from .scalar import check_result, put_result
from .singles import check_encodings
from .wire import OK, U64, Integer, decoded, encoding, raw, same, takes

MODULE = "zigzag_varint::simd::swar::"
READ, MOST = 73, 80  # bytes of a window with those after it, and of the longest encodings of eight values


def value_at(image: Image, integer: Integer, canonical: bool) -> None:
    """The value that starts anywhere in a window and has this length is that of the format. Or there is none, if it
    is invalid, or its tenth byte is 0, which is left to the scalar loop."""
    start, longest = z3.ZeroExt(58, z3.BitVec("start", 6)), integer.longest
    src, more = Region("src", READ, content_of(BYTES, start)), z3.BitVec("more", 64)
    expected = decoded(BYTES[:longest], z3.BitVecVal(longest, 64), integer, canonical)
    for length, may_be_long in [(length, length > 8 or also) for length in range(1, longest + 2) for also in (False, True)]:
        fits = length <= longest
        facts = [length_is(BYTES, length) if fits else z3.And(z3.ULE(length, more), z3.ULE(more, 64))]
        path = Path(image, [src], facts, [src.start, start, length if fits else more, *[may_be_long] * (longest > 8), canonical])
        valid = z3.And(expected.kind == OK, decodable(BYTES[:length], integer)) if fits else z3.BoolVal(False)
        for after in run(path, image.function(f"{MODULE}value_at::<{integer.name}>")):
            value = z3.Extract(integer.bits - 1, 0, term(after.get("RDX"), 64))
            right = z3.And(expected.at == length, value == expected.value)
            is_some = z3.Extract(integer.bits - 1, 0, term(after.get("RAX"), 64))  # of which callers test all bits
            after.prove(is_some == z3.If(valid, z3.BitVecVal(1, integer.bits), 0), f"whether {length} bytes are valid")
            after.prove(z3.Implies(valid, right), f"a value of {length} bytes")


# Windows. The result is in memory: whether there is one, and how many values and bytes are decoded.

SRC, DST, ENDS = z3.BitVecs("src dst ends", 64)


def _function(image: Image, name: str, integer: Integer) -> int:
    return image.function(f"{MODULE}{name}::<{integer.name}>")


class _Path(NotedPath):
    """A path on which an entry of a table is what the table has, and the number of zeros below the lowest bit has a
    name."""

    table = Path.table

    def number_of_zeros(self, value: Any, width: int, leading: bool) -> Any:
        if leading or known(value):
            return super().number_of_zeros(value, width, leading)
        zeros, one = fresh("zeros"), z3.BitVecVal(1, 64)
        claim = z3.If(value == 0, zeros == 64, z3.And(z3.ULT(zeros, 64), one << zeros == value & -value))
        self.assume(zeros, value, lambda number: zeros_of(number, leading), claim)
        return zeros


def _start(image: Image, integer: Integer, window: Window, ends: Any, *facts: z3.BoolRef) -> NotedPath:
    """Returns the state at the start of a decoder of this window, whose ends are given."""
    src, dst = Region("src", READ, content_of(window.bytes)), Region("dst", WINDOW * integer.size)
    path = _Path(image, [src, dst], facts, [LENT, SRC, ends, DST, CANONICAL])
    path.lend(LENT, 24)
    return path


def _check_uniform(
    image: Image, integer: Integer, window: Window, length: int, name: str,
    calls: Mapping[int, Contract] | None = None,
) -> None:  # fmt: skip
    """Proves that a decoder writes all values of a window one after another if they have this length. Or it calls
    another decoder."""
    start = _start(image, integer, window, simplified(window.ends))
    function, data = _function(image, name, integer), [one.term for one in window.bytes[:WINDOW]]
    for after in decoding_ends(start, function, [], calls=calls, is_good=lambda path: path.is_true(LENT), stores=True):
        if not after.calls:
            after.expect(LENT + 8, WINDOW // length, WINDOW)
            elements = lanes(stored(after, integer.size * WINDOW // length), integer.bits)
            check_uniform(after, elements, data, integer, length, CANONICAL)


def _same_decoder(ends: Any, *facts: z3.BoolRef) -> Contract:
    """Returns the contract of another decoder of the same window, for which these facts must be true. It has the
    result, of which nothing else may be made."""

    def contract(path: NotedPath) -> list[Path]:
        path.check_arguments(LENT, SRC, ends, DST, CANONICAL)
        path.prove(z3.And(*facts), "not a window for this decoder")
        if path.stores or path.calls:
            raise Refuted("a store or a value before another decoder")
        path.calls.append("decoded")
        none = path.copy()
        none.put(LENT, 0)
        path.put(LENT, 1)
        return [none, path]

    return contract


def _value(integer: Integer, ends: Any) -> Callable[..., list[Path]]:
    """Returns the contract of `value_at` in a window with these ends, in a loop: it is called with the start and the
    length of a value that ends in the window. These are in `calls` then, with the value."""

    def contract(path: NotedPath, *_: Any) -> list[Path]:
        start, length = (term(path.get(name), 64) for name in ("RSI", "RDX"))
        is_short = z3.ULE(length, 8)
        may_be_long = z3.Or(z3.Extract(7, 0, term(path.get("RCX"), 64)) == 1, is_short) if integer.longest > 8 else True
        path.check_arguments(SRC, None, None, *[None] * (integer.longest > 8), CANONICAL)
        path.prove(z3.And(_ends_after(ends, start, length), may_be_long), "not a value")
        none, some, value = path.copy().returning(0), path.copy(), fresh("value", integer.bits)
        some.calls.append((start, length, value))
        words = [z3.Extract(63, 0, z3.Concat(fresh("unspecified"), low)) for low in (z3.BitVecVal(1, integer.bits), value)]
        some.set("RAX", words[0])
        some.second = words[1]
        return [none, some]

    return contract


def _ends_after(ends: Any, start: Any, length: Any) -> z3.BoolRef:
    """Whether a value of this length is at the start: of its bytes, the last one is an end, and no other."""
    first, after = z3.BitVecVal(1, 64) << start, z3.BitVecVal(1, 64) << start + length
    last = z3.BitVecVal(1, 64) << start + length - 1
    return z3.And(length != 0, z3.ULE(length, WINDOW), z3.ULE(start, WINDOW - length), ends & (after - first) == last)


def _from(ends: Any, start: Any) -> Any:
    """Returns the ends from the start on."""
    return ends & -(z3.BitVecVal(1, 64) << start)


def decode_window(image: Image, integer: Integer) -> None:
    """64 values of one byte are written. Any other window is decoded by `decode_longer`."""
    window = Window(lambda at: z3.BitVec(f"byte{at}", 8), READ)
    longer = _same_decoder(window.ends, window.ends != (1 << 64) - 1)
    calls = {_function(image, "decode_longer", integer): longer}
    _check_uniform(image, integer, window, 1, "decode_window", calls)


def decode_longer(image: Image, integer: Integer) -> None:
    """The values that end in a window are written one after another, by `decode_short` if most of them are short. Or
    there is no result. Values of one length are a run of their own for each length."""
    uniform = [sum(1 << end for end in range(length - 1, WINDOW, length)) for length in range(1, 11)]
    for length, ends in enumerate(uniform, 1):
        if length != 2:
            _decode_each(image, integer, ends, lambda values, start, length=length: start == length * values)
    _decode_each(image, integer, ENDS, lambda values, start: z3.BoolVal(True), *[ENDS != one for one in uniform])
    pairs = Window(lambda at: z3.Concat(z3.BitVecVal(1 - at % 2, 1), z3.BitVec(f"group{at}", 7)), READ)
    _check_uniform(image, integer, pairs, 2, "decode_longer")


def _decode_each(
    image: Image, integer: Integer, ends: Any, holds: Callable[[Any, Any], z3.BoolRef], *facts: z3.BoolRef
) -> None:
    """Each turn decodes the value that starts where the one before it ends, to the next slot."""
    size, value = integer.size, _value(integer, ends)

    def words(values: Any, start: Any, length: Any) -> list[Any]:
        left = size * (WINDOW - values)
        return [values, start, length, start + length, size * values, left, _from(ends, start)]

    loop = Loop(words, lambda values, start, length: z3.And(
        holds(values, start), z3.ULE(values, start), _ends_after(ends, start, length)
    ))  # fmt: skip

    def progress(path: NotedPath) -> tuple[Any, Any]:
        """Returns the number of values and bytes so far, after the proof that the last value is in its slot."""
        if not path.calls:
            return z3.BitVecVal(0, 64), z3.BitVecVal(0, 64)
        (values, *_), (start, length, value) = path.calls
        [(_, offset, new)] = path.stores
        path.prove(z3.And(offset == size * values, lanes(new, integer.bits)[0] == value), "another slot")
        return values + 1, start + length

    def arrival(path: NotedPath) -> tuple[Any, ...]:
        values, start = progress(path)
        path.prove(path.get("RSI") == start, "another start")
        return values, start, path.get("RDX")

    calls = {} if known(ends) else {_function(image, "decode_short", integer): _same_decoder(ends, ends != 0)}
    calls[_function(image, "value_at", integer)] = loop.turn(arrival, value)
    path = _start(image, integer, Window.unknown(reach=READ), ends, *facts)
    decoded = 0
    for after in loop.ends(path, _function(image, "decode_longer", integer), calls):
        if not after.is_true(LENT) or len(after.calls) == 1:
            continue
        decoded += 1
        values, bytes_ = progress(after)
        after.expect(LENT + 8, values, bytes_)
        after.prove(z3.And(values != 0, _from(ends, bytes_) == 0), "a value is left out")
    if not decoded:
        raise Refuted("decodes nothing")


def decode_short(image: Image, integer: Integer) -> None:
    """For each byte, what the value would be if one of at most two bytes began there is written to the slot after
    those of the values that begin before it. Each value of more bytes that ends in the window is written again. Or
    there is no result."""
    window, size, value = Window(lambda at: z3.BitVec(f"byte{at}", 8), READ), integer.size, _value(integer, ENDS)
    starts, long = ENDS << 1 | 1, (ENDS << 1 | 1) & ~ENDS & ~z3.LShR(ENDS, 1)
    bits = [z3.Extract(at, at, starts) for at in range(WINDOW)]
    facts, data = [ENDS != 0, ENDS == window.ends], [one.term for one in window.bytes]
    loop = Loop(
        lambda rest, start, length: [rest, start, length, -(z3.BitVecVal(1, 64) << start)],
        lambda rest, start, length: z3.And(rest & ~long == 0, 1 << start == rest & -rest, _ends_after(ENDS, start, length)),
    )

    def left(path: NotedPath) -> Any:
        """Returns the starts of long values that are left, after the proof that all before are in their slots."""
        if not path.calls:
            _check_short_values(path, integer, data)
            return long
        (rest, *_), (start, length, value) = path.calls
        [(_, offset, new)] = path.stores
        path.prove(lanes(new, integer.bits)[0] == value, "another long value")
        _check_count(offset, size, [z3.If(z3.UGT(start, at), bit, 0) for at, bit in enumerate(bits)], *path.conditions)
        return rest & (rest - 1)

    def arrival(path: NotedPath) -> tuple[Any, ...]:
        return left(path), path.get("RSI"), path.get("RDX")

    path = _start(image, integer, window, ENDS, *facts)
    calls = {_function(image, "value_at", integer): loop.turn(arrival, value)}
    overlong = z3.Or(*[z3.And(bits[at] == 1, window.more[at] == 1, data[at + 1] == 0) for at in range(WINDOW)])
    decoded = set[int]()
    for after in loop.ends(path, _function(image, "decode_short", integer), calls):
        if not after.is_true(LENT):
            continue
        decoded.add(len(after.calls))
        rest, (values, bytes_) = left(after), after.words(LENT + 8, 2)
        last = z3.BitVecVal(1, 64) << bytes_ - 1
        after.prove(z3.And(z3.ULE(bytes_, WINDOW), ENDS & last != 0, _from(ENDS, bytes_) == 0), "not the last end")
        after.prove(rest & (last - 1 | last) == 0, "a long value is left out")
        _check_count(values, 1, [z3.Extract(at, at, ENDS) for at in range(WINDOW)])
        after.prove(z3.Not(z3.And(CANONICAL, overlong)), "an overlong value is accepted")
    if decoded != {0, 2}:
        raise Refuted("decodes no long values")


def _check_short_values(path: NotedPath, integer: Integer, data: list[z3.BitVecRef]) -> None:
    values, before, double = Elements(integer), z3.BitVecVal(0, 64), z3.simplify(2 * ENDS + 1)
    starts = z3.Concat(z3.Extract(62, 0, ENDS), z3.BitVecVal(1, 1))
    if check(double != starts) is not None or len(path.stores) != WINDOW:
        raise Refuted("not a store for each byte")
    for at, (_, offset, new) in enumerate(path.stores):
        # The number of starts before is at most `at`, and thus less than the window has bytes.
        right = z3.substitute(offset, (double, starts)) == integer.size * (before & (WINDOW - 1))
        path.prove(z3.simplify(right, bv_sort_ac=True), "another slot")
        before = before + z3.If(z3.Extract(at, at, starts) == 1, z3.BitVecVal(1, 64), 0)
        values.check(lanes(new, integer.bits)[0], zip(data[at : at + 2], BYTES[:2], strict=True), (1, 2))


def _check_count(count: z3.BitVecRef, scale: int, bits: list[z3.BitVecRef], *facts: z3.BoolRef) -> None:
    """Proves that a word is the number of ones among these bits, as code without POPCNT counts them: each byte of a
    word is the number of ones among eight bits, and a multiplication adds these bytes."""
    products = [one for one in subterms(count) if one.decl().kind() == z3.Z3_OP_BMUL and z3.is_bv_value(one.arg(0))]
    [product] = [one for one in products if one.arg(0).as_long() == 0x0101010101010101]
    total, counts = fresh("total"), product.arg(1)
    multiple = z3.substitute(count, (product, total)) == scale * z3.LShR(total, 56)
    prove(multiple, "another multiple of the number of ones")
    for at in range(0, 64, 8):
        ones = [z3.ZeroExt(7, bit) for bit in bits[at : at + 8]]
        prove(z3.Extract(at + 7, at, counts) == sum(ones[1:], ones[0]), "another number of ones", *facts)


# Slices.


def decode(image: Image, integer: Integer) -> None:
    """Each window begins where the values before it end, and is decoded to the next slots."""
    slices, size = Slices(integer), integer.size

    def words(values: Any, bytes_: Any) -> list[Any]:
        return [values, bytes_, slices.src.start + bytes_, slices.dst.start + size * values, slices.window(bytes_).ends]

    def has_space(values: Any, bytes_: Any) -> z3.BoolRef:
        space = z3.And(z3.ULE(READ, slices.len - bytes_), z3.ULE(WINDOW, slices.space - values))
        return z3.And(slices.within(values, bytes_), space)

    loop = Loop(words, has_space)

    def window(path: NotedPath, values: Any, bytes_: Any) -> list[Path]:
        """The contract of `decode_window`."""
        path.check_arguments(None, *[words(values, bytes_)[at] for at in (2, 4, 3)], CANONICAL)
        done, result = (fresh("values"), fresh("bytes")), path.number(path.get("RDI"))
        none, some = path.copy(), path.copy()
        none.put(result, 0)
        some.put(result, 1, *done)
        some.conditions += [z3.ULE(1, done[0]), z3.ULE(done[0], done[1]), z3.ULE(done[1], WINDOW)]
        some.calls = [(values + done[0], bytes_ + done[1])]
        return [none, some]

    def rest(path: NotedPath) -> list[Path]:
        """The contract of the scalar loop."""
        path.check_arguments(LENT, *slices.arguments, *progress_of(path), CANONICAL)
        path.calls = put_result(path, slices.space, slices.len)
        return [path]

    path = slices.path(image, [LENT, *slices.arguments, CANONICAL])
    path.lend(LENT, 32)
    path.calls = [(0, 0)]
    calls = {_function(image, "decode_window", integer): loop.turn(progress_of, window)}
    calls[image.function(f"zigzag_varint::simd::scalar::decode::<{integer.name}>")] = rest
    for after in loop.ends(path, _function(image, "decode", integer), calls):
        check_no_stores(after)
        check_result(after, LENT, after.calls, slices.space, slices.len)


# Encoders of eight values, each of which is stored after the one before it, over the bytes that do not count.


class Lengths(Path):
    """Gives a length from a table a name, of which only its greatest value is known until the end."""

    def __init__(self, longest: int, *arguments: Any) -> None:
        super().__init__(*arguments)
        self.longest, self.facts = longest, list(self.conditions)
        self.names: list[tuple[z3.BitVecRef, z3.BitVecRef]] = []

    def table(self, address: Any, size: int) -> list[Any]:
        conditions = self.conditions
        self.conditions = self.facts + [z3.ULE(name, self.longest) for name, _ in self.names]  # so that all entries are found
        entry = super().table(address, size)
        if size == 1:
            self.names.append((fresh("length", 8), term(entry[0], 8)))
            self.prove(z3.ULE(self.names[-1][1], self.longest), "a length")
            entry, conditions = [Byte(self.names[-1][0])], [*conditions, z3.ULE(self.names[-1][0], self.longest)]
        self.conditions = conditions
        return entry


def encode_eight(image: Image) -> None:
    """The encodings of all eight values are written one after another, and their length is returned."""
    dst, values = Region("dst", MOST), [z3.BitVec(f"value{at}", 64) for at in range(8)]
    path = Lengths(10, image, [dst], [], [LENT, dst.start])
    path.lend(LENT, 64, *values)
    for after in run(path, image.function(f"{MODULE}encode_eight")):
        check_in_turn(after, values, U64)


def check_in_turn(path: Lengths, values: list[z3.BitVecRef], integer: Integer) -> None:
    """Proves that each value is stored where the one before it ends, and that the result is the end of the last."""
    end = term(path.get("RAX"), 64)
    if known(total := simplified(end)):
        length = total // len(values)
        path.prove(z3.And(*[takes(one, integer, length) for one in values]), "another length")
        check_encodings(stored(path, total), values, integer, length)
        return
    places, content = list[z3.BitVecRef](), list[dict[int, Any]]()
    for _, offset, new in path.stores:
        if not places or not known(at := simplified(offset - places[-1])):
            places, content, at = [*places, offset], [*content, {}], 0
        content[-1] |= {at + index: byte for index, byte in enumerate(new)}
    path.prove(places[0] == 0, "the first value at another place")
    value, proved = z3.BitVec("value", integer.bits), dict[tuple[int, ...], Any]()
    for own, place, after, new in zip(values, places, [*places[1:], end], content, strict=True):
        terms = [z3.simplify(after - place), *(term(new[at], 8) for at in range(integer.longest))]
        terms = [z3.simplify(z3.substitute(z3.substitute(one, *path.names), (own, value))) for one in terms]
        key = tuple(one.get_id() for one in terms)
        for length in () if key in proved else range(1, path.longest + 1):
            right = z3.And(terms[0] == length, same(terms[1 : length + 1], encoding(value, integer, length)))
            prove(right, f"another encoding of {length} bytes", takes(value, integer, length))
        proved[key] = terms  # They are kept, and thus their ids.


def encode(image: Image, integer: Integer) -> None:
    """The next eight values are encoded where those before them end."""
    encoder = Encoder(image, integer, ahead=8)

    def wire(values: Any) -> list[z3.BitVecRef]:
        return [z3.Extract(63, 0, z3.ZeroExt(64, raw(one, integer))) for one in encoder.next(values)]

    loop = encoder.loop(8, 8, MOST, lambda values, _: [integer.size * (encoder.count - values), *wire(values)])

    def eight(path: NotedPath, values: Any, bytes_: Any) -> list[Path]:
        """The contract of `encode_eight`."""
        path.check_arguments(None, encoder.dst.start + bytes_)
        path.expect(path.number(path.get("RDI")), *wire(values), what="other values")
        return [encoder.store(path, 8, MOST, MOST)]

    calls = {image.function(f"{MODULE}encode_eight"): loop.turn(progress_of, eight)}
    calls[encoder.function("scalar::encode")] = encoder.last(gets_all=True)
    for after in encoder.ends(loop, encoder.function("swar::encode"), calls):
        encoder.check_result(after, *after.calls)
