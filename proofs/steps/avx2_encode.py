"""The AVX2 encoder's steps for several values of one block:

    encode_four            four values of any length, with continuation bits from a table or from a carry
    one_byte_each          16 values below 2^7
    up_to_two_bytes_each   16 values below 2^14
    up_to_four_bytes_each  16 values below 2^28, by two calls of `pack_eight` unless all take four bytes"""

from collections.abc import Iterator, Mapping

import z3

from model.image import Image, Refuted
from model.terms import as_bytes, known, lanes, simplified, term

from .avx2_pack import MODULE, SIZE, check_packed
from .contract import NotedPath, stored
from .executor import LENT, Contract, Path, Region, fresh, run
from .singles import check_encodings
from .swar import Lengths, check_in_turn
from .wire import U64, Integer, takes

BLOCK, LONGEST, WRITTEN = 16, 10, 16


def encode_four(image: Image, table: bool) -> None:
    """The encodings of four values are written one after another, and their length is returned."""
    dst, values = Region("dst", 3 * LONGEST + WRITTEN), [z3.BitVec(f"value{at}", 64) for at in range(4)]
    path = Lengths(LONGEST, image, [dst], [], [LENT, dst.start])
    path.lend(LENT, 32, *values)
    for after in run(path, image.function(f"{MODULE}mixed::encode_four::<{str(table).lower()}>")):
        check_in_turn(after, values, U64)


def _block(image: Image, name: str, width: int, bits: int, calls: Mapping[int, Contract] | None = None) -> Iterator[NotedPath]:
    """Yields the ends of an encoder of values of at most `bits` bits, in lanes of this width. Where all values have the longest encoding, nothing is left to show."""
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
