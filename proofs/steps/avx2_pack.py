"""The AVX2 encoder's steps: `short::pack_eight` for eight values below 2^28, and `pdep::put` for one value."""

import itertools
from typing import Any

import z3

from model.image import Image, Refuted
from model.terms import as_bytes, term

from .contract import NotedPath
from .executor import Path, Region, check, fresh, only_value, run, variables
from .singles import check_encoding
from .wire import U32, Integer, encoding, takes

MODULE = "zigzag_varint::simd::avx2::encode::"
SIZE = 64  # of the destination of `pack_eight`


def put(image: Image, integer: Integer) -> None:
    """The encoding is written, and its length is returned, for all values."""
    value, most = z3.BitVec("value", integer.bits), 10 if integer.size == 8 else 8
    passed = value if integer.bits == 64 else z3.Concat(fresh("unspecified", 64 - integer.bits), value)
    for length in range(1, integer.longest + 1):
        to = Region("to", most)
        path = Path(image, [to], [takes(value, integer, length)], [passed, to.start])
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
    [(_, first, low), (_, middle, high)] = after.stores
    if [len(low), len(high)] != [16, 16]:
        raise Refuted("other stores")
    end = term(after.get("RAX"), 64)
    after.prove(first == at, "the first store at another place")
    proved: dict[tuple[Any, ...], Any] = {}
    _check_four(after, values[:4], low, z3.simplify(middle - first), proved)
    _check_four(after, values[4:], high, z3.simplify(end - middle), proved)


def _check_four(
    path: NotedPath, values: list[z3.BitVecRef], new: list[Any], advance: z3.BitVecRef, proved: dict[tuple[Any, ...], Any]
) -> None:
    """Proves the bytes that are stored, which a row of a table brings together, and the length of the encodings,
    for each combination of lengths."""
    address, [entry] = path.row_of(new[0])[0], [one for one in variables(advance) if str(one) in path.rows]
    count, offset = path.rows[str(entry)]
    for lengths in itertools.product((1, 2, 3, 4), repeat=4):
        given = [takes(value, U32, length) for value, length in zip(values, lengths, strict=True)]
        row, found = only_value(address, *given), path.fixed(only_value(count, *given) + offset)
        path.prove(z3.substitute(advance, (entry, z3.BitVecVal(found, 8))) == sum(lengths), f"the length of {lengths}")
        wanted = [(value, length, at) for value, length in zip(values, lengths, strict=True) for at in range(length)]
        for place, (value, length, at) in enumerate(wanted):
            if not path.row_of(new[place])[0].eq(address):
                raise Refuted("another row")
            byte = term(path.shuffled_byte(new[place], row), 8)
            key = (byte.get_id(), str(value), length, at)
            if key in proved:
                continue
            proved[key] = byte  # It is kept, and thus its id.
            if check(*path.conditions, takes(value, U32, length), byte != encoding(value, U32, length)[at]) is not None:
                raise Refuted(f"byte {place} of {lengths}")
