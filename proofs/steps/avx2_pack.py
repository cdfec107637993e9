"""The AVX2 encoder's steps: `short::pack_eight::<N>` for eight values below 2^28, and `pdep::put` for one value."""

import itertools
from typing import Any

import z3

from model.failures import Refuted
from model.image import Image
from model.terms import as_bytes, term

from .executor import Path, Region, check, fresh, run, variables
from .notes import NotedPath
from .singles import check_encoding
from .wire import U32, Integer, encoding, takes

MODULE = "zigzag_varint::simd::avx2::encode::"
SIZES = (64,)  # N: of the destination


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


def pack_eight(image: Image, size: int) -> None:
    """The encodings of all eight values are written one after another, and the end is returned."""
    values, at = [z3.BitVec(f"value{index}", 32) for index in range(8)], z3.BitVec("at", 64)
    dst = Region("dst", size)
    facts = [z3.ULE(at, size - 32), *[z3.ULT(value, 1 << 28) for value in values]]
    path = NotedPath(image, [dst], facts, [dst.start, at])
    path.vectors[0] = as_bytes(values, 32) + path.vectors[0][32:]
    [after] = run(path, image.function(f"{MODULE}short::pack_eight::<{size}>"))
    if [len(new) for _, _, new in after.stores] != [16, 16]:
        raise Refuted("other stores")
    [(_, first, low), (_, middle, high)] = after.stores
    end = term(after.get("RAX"), 64)
    after.prove(first == at, "the first store at another place")
    half = _Half(after)
    half.check(values[:4], low, z3.simplify(middle - first))
    half.check(values[4:], high, z3.simplify(end - middle))


class _Half:
    """Four values, whose encodings a row of a table brings together."""

    def __init__(self, path: NotedPath) -> None:
        self.path = path
        self.proved: dict[tuple[Any, ...], tuple[bool, Any]] = {}  # The byte is kept, and thus its id.

    def check(self, values: list[z3.BitVecRef], new: list[Any], advance: z3.BitVecRef) -> None:
        """Proves the bytes that are stored and the length of the encodings, for each combination of lengths."""
        path, address = self.path, self.path.row_of(new[0])[0]
        [entry_name] = [one for one in variables(advance) if str(one) in path.rows]
        count = path.rows[str(entry_name)]
        for lengths in itertools.product((1, 2, 3, 4), repeat=4):
            given = [takes(value, U32, length) for value, length in zip(values, lengths, strict=True)]
            row, entry = (_given(given, one) for one in (address, count[0]))
            byte = z3.BitVecVal(path.entry(entry + count[1]), 8)
            path.prove(z3.substitute(advance, (entry_name, byte)) == sum(lengths), f"the length of {lengths}")
            wanted = [(index, at) for index, length in enumerate(lengths) for at in range(length)]
            for place, (index, at) in enumerate(wanted):
                if not path.row_of(new[place])[0].eq(address):
                    raise Refuted("another row")
                found = path.shuffled_byte(new[place], row)
                if not self._is(found, values[index], lengths[index], at):
                    raise Refuted(f"byte {place} of {lengths}")

    def _is(self, byte: Any, value: z3.BitVecRef, length: int, at: int) -> bool:
        """Whether a byte is that of the encoding of a value of this length. Each answer is asked for once."""
        byte = term(byte, 8)
        key = (byte.get_id(), str(value), length, at)
        if key not in self.proved:
            wrong = byte != encoding(value, U32, length)[at]
            right = check(*self.path.conditions, takes(value, U32, length), wrong) is None
            self.proved[key] = right, byte
        return self.proved[key][0]


def _given(given: list[z3.BoolRef], address: z3.BitVecRef) -> int:
    """Returns the only value of an address under these conditions."""
    model = check(*given)
    value = model.eval(address, model_completion=True).as_long()
    if check(*given, address != value) is not None:
        raise Refuted("a row that depends on other bits")
    return value
