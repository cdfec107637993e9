"""The AVX2 encoder's steps:

    put                    one value
    pack_eight             eight values below 2^28
    encode_four            four values of any length, with continuation bits from a table or from a carry
    one_byte_each          16 values below 2^7
    up_to_two_bytes_each   16 values below 2^14
    up_to_four_bytes_each  16 values below 2^28, by two calls of `pack_eight` unless all take four bytes
    load                   16 values as they are encoded, in vectors
    convert                signed values as they are encoded, for `eights`

The loops around them are in `avx2_encoder.py`."""

import itertools
from collections.abc import Iterator, Mapping
from typing import Any

import z3

from model.image import Image, Refuted
from model.terms import as_bytes, known, lanes, simplified, term

from .contract import NotedPath, content_of, stored
from .executor import LENT, Contract, Path, Region, run
from .questions import fresh, only_value, variables
from .singles import check_encoding, check_encodings
from .swar import Lengths, check_in_turn
from .wire import U64, Integer, encoding, raw, takes

MODULE = "zigzag_varint::simd::avx2::encode::"
SIZE = 64  # of the destination of `pack_eight`
BLOCK, LONGEST, WRITTEN = 16, 10, 16
BLOCK_SIZE, CHUNK = 128, 64  # bytes of a `Block`, and values that are converted at once


def put(image: Image, integer: Integer) -> None:
    """The encoding is written, and its length is returned, for all values."""
    value, most = z3.BitVec("value", integer.bits), 10 if integer.size == 8 else 8
    for length in range(1, integer.longest + 1):
        to = Region("to", most)
        path = Path(image, [to], [takes(value, integer, length)], [value, to.start])
        for after in run(path, image.function(f"{MODULE}pdep::put::<{integer.name}>")):
            after.prove(after.get("RAX") == length, "another length")
            check_encoding(after, value, integer, length, within=range(most))


def pack_eight(image: Image) -> None:
    """The encodings of all eight values are written one after another, and the end is returned."""
    values, at = [z3.BitVec(f"value{index}", 32) for index in range(8)], z3.BitVec("at", 64)
    dst = Region("dst", SIZE)
    facts = [z3.ULE(at, SIZE - 32), *[z3.ULT(value, 1 << 28) for value in values]]
    path = NotedPath(image, [dst], facts, [dst.start, at])
    path.vectors[0] = as_bytes(values, 32) + path.vectors[0][32:]
    [after] = run(path, image.function(f"{MODULE}short::pack_eight::<{SIZE}>"))
    check_packed(after, values, at, term(after.get("RAX"), 64))


def check_packed(path: NotedPath, values: list[z3.BitVecRef], start: z3.BitVecRef, end: z3.BitVecRef) -> None:
    """Proves that the encodings of values in lanes are stored from the start to the end, each 16 bytes by the row of a
    table, for each combination of lengths."""
    proved, places = dict[tuple[Any, ...], Any](), [*(offset for _, offset, _ in path.stores), end]
    path.prove(places[0] == start, "the first store at another place")
    integer, each = Integer("", values[0].size(), False), 128 // values[0].size()
    for index, (_, offset, new) in enumerate(path.stores):
        if len(new) != 16:
            raise Refuted("another store")
        _check_row(path, values[each * index : each * (index + 1)], new, z3.simplify(places[index + 1] - offset), integer, proved)
    if each * len(path.stores) != len(values):
        raise Refuted("other stores")


def _check_row(
    path: NotedPath, values: list[z3.BitVecRef], new: list[Any], advance: z3.BitVecRef, integer: Integer,
    proved: dict[tuple[Any, ...], Any],
) -> None:  # fmt: skip
    address, names = path.row_of(new[0])[0], variables(advance)
    for lengths in itertools.product(range(1, integer.size + 1), repeat=len(values)):
        given = [takes(value, integer, length) for value, length in zip(values, lengths, strict=True)]
        row, found = only_value(address, *given), list[Any]()
        for one in names:  # what a table has, or the number of ones
            if str(one) in path.rows:
                count, offset = path.rows[str(one)]
                found.append((one, z3.BitVecVal(path.fixed(only_value(count, *given) + offset), 8)))
            found += [(one, z3.BitVecVal(only_value(word, *given).bit_count(), 64)) for name, word in path.ones if name.eq(one)]
        if only_value(z3.substitute(advance, *found), *given) != sum(lengths):
            raise Refuted(f"the length of {lengths}")
        wanted = [(value, length, at) for value, length in zip(values, lengths, strict=True) for at in range(length)]
        for place, (value, length, at) in enumerate(wanted):
            if not path.row_of(new[place])[0].eq(address):
                raise Refuted("another row")
            byte = term(path.shuffled_byte(new[place], row), 8)
            key = (byte.get_id(), str(value), length, at)
            if key in proved:
                continue
            proved[key] = byte  # It is kept, and thus its id.
            right = z3.Implies(takes(value, integer, length), byte == encoding(value, integer, length)[at])
            path.prove(right, f"byte {place} of {lengths}")


def encode_four(image: Image, table: bool) -> None:
    """The encodings of four values are written one after another, and their length is returned."""
    dst, values = Region("dst", 3 * LONGEST + WRITTEN), [z3.BitVec(f"value{at}", 64) for at in range(4)]
    path = Lengths(LONGEST, image, [dst], [], [LENT, dst.start])
    path.lend(LENT, 32, *values)
    for after in run(path, image.function(f"{MODULE}mixed::encode_four::<{str(table).lower()}>")):
        check_in_turn(after, values, U64)


def _block(image: Image, name: str, width: int, bits: int, calls: Mapping[int, Contract] | None = None) -> Iterator[NotedPath]:
    """Yields the ends of an encoder of values of at most `bits` bits, in lanes of this width. Where all values have the
    longest encoding, nothing is left to show."""
    integer, longest = Integer("", width, False), bits // 7
    dst = Region("dst", longest * BLOCK)
    path = NotedPath(image, [dst], [z3.ULT(one, 1 << bits) for one in _values(width)], [LENT, dst.start])
    bytes_ = as_bytes(_values(width), width)
    path.lend(LENT, len(bytes_))
    path.stack |= {LENT + at: byte for at, byte in enumerate(bytes_)}
    for after in run(path, image.function(f"{MODULE}short::{name}"), calls):
        end = simplified(after.get("RAX"))
        if not known(end):
            yield after
            continue
        after.prove(z3.And(end == longest * BLOCK, *[takes(one, integer, longest) for one in _values(width)]), "another length")
        check_encodings(stored(after, end), _values(width), integer, longest)


def _values(width: int) -> list[z3.BitVecRef]:
    return [z3.BitVec(f"value{at}", width) for at in range(BLOCK)]


def one_byte_each(image: Image) -> None:
    """The encodings of 16 values are written."""
    if list(_block(image, "one_byte_each", 16, 7)):
        raise Refuted("another length")


def up_to_two_bytes_each(image: Image) -> None:
    """The encodings of 16 values are written one after another, and their length is returned."""
    [after] = _block(image, "up_to_two_bytes_each", 16, 14)
    end = after.stores[-1][1] + 8 + after.ones[-1][0]
    after.prove(after.get("RAX") == end, "another length")  # which the code adds up in a byte
    check_packed(after, _values(16), z3.BitVecVal(0, 64), end)


def up_to_four_bytes_each(image: Image) -> None:
    """The encodings of 16 values are written one after another, and their length is returned."""

    def pack_eight(path: NotedPath) -> list[Path]:
        """The contract of `pack_eight`."""
        start, done = path.calls[-1] if path.calls else z3.BitVecVal(0, 64), len(path.calls)
        path.check_arguments(z3.BitVec("dst", 64), start)
        path.prove(z3.ULE(start, SIZE - 32), "too little space")
        given = zip(lanes(path.vectors[0][:32], 32), _values(32)[8 * done :], strict=False)
        path.prove(z3.And(*[term(one, 32) == value for one, value in given]), "other values")
        end = fresh("end")
        path.conditions += [z3.ULE(8, end - start), z3.ULE(end - start, 32)]
        path.set("RAX", end)
        path.calls.append(end)
        return [path]

    calls = {image.function(f"{MODULE}short::pack_eight::<{SIZE}>"): pack_eight}
    [after] = _block(image, "up_to_four_bytes_each", 32, 28, calls)
    if after.stores or len(after.calls) != 2:
        raise Refuted("not a block")
    after.prove(after.get("RAX") == after.calls[-1], "another length")


def load_of(image: Image, integer: Integer) -> int:
    return image.function(f"<zigzag_varint::simd::avx2::block::Block>::load::<{integer.name}, {BLOCK}>")


def load(image: Image, integer: Integer) -> None:
    """The values as they are encoded are in the first vectors. The others are zero."""
    values = [z3.BitVec(f"value{at}", integer.bits) for at in range(BLOCK)]
    src = Region("src", BLOCK * integer.size, content_of(as_bytes(values, integer.bits)))
    path = Path(image, [src], [], [LENT, src.start])
    path.lend(LENT, BLOCK_SIZE)
    [after] = run(path, load_of(image, integer))
    after.prove(after.get("RAX") == LENT, "another result")
    given = lanes([after.fixed(LENT + at) for at in range(BLOCK_SIZE)], integer.bits)
    expected = [*[raw(one, integer) for one in values], *[0] * (len(given) - BLOCK)]
    after.prove(z3.And(*[term(a, integer.bits) == b for a, b in zip(given, expected, strict=True)]), "other values")


def convert(image: Image, integer: Integer) -> None:
    """Each value is written as it is encoded."""
    values = [z3.BitVec(f"value{at}", integer.bits) for at in range(CHUNK)]
    data = as_bytes(values, integer.bits)
    for count in range(1, CHUNK + 1):
        src = Region("src", integer.size * count, content_of(data))
        path = Path(image, [src], [], [src.start, count, LENT])
        path.lend(LENT, 8 * CHUNK)
        for after in run(path, image.function(f"{MODULE}mixed::convert::<{integer.name}>")):
            given = zip(after.words(LENT, count), values, strict=False)
            after.prove(z3.And(*[a == z3.ZeroExt(64 - integer.bits, raw(b, integer)) for a, b in given]), "other values")
