"""The AVX2 encoder's steps: `short::pack_eight` for eight values below 2^28, and `pdep::put` for one value."""

import itertools
from typing import Any

import z3

from model.image import Image, Refuted
from model.terms import as_bytes, term

from .contract import NotedPath
from .executor import Path, Region, only_value, run, variables
from .singles import check_encoding
from .wire import Integer, encoding, takes

MODULE = "zigzag_varint::simd::avx2::encode::"
SIZE = 64  # of the destination of `pack_eight`


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
    path: NotedPath, values: list[z3.BitVecRef], new: list[Any], advance: z3.BitVecRef, integer: Integer, proved: dict[tuple[Any, ...], Any]
) -> None:
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
