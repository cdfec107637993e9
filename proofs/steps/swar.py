"""The SWAR kernel's steps: `value_at` for one value of a window, and `encode_eight` for eight values."""

from typing import Any

import z3

from model.image import Image, Refuted
from model.terms import Byte, known, simplified, term

from .contract import BYTES, content_of, decodable, length_is, stored
from .executor import LENT, Path, Region, check, fresh, run
from .wire import OK, U64, Integer, decoded, encoding, same, takes

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


# Encoders of eight values, each of which is stored after the one before it, over the bytes that do not count.


class Lengths(Path):
    """Gives a length from a table a name, of which only its greatest value is known until the end."""

    asks_for_all = False

    def __init__(self, longest: int, *arguments: Any) -> None:
        super().__init__(*arguments)
        self.longest = longest
        self.names: list[tuple[z3.BitVecRef, z3.BitVecRef]] = []

    def table(self, address: Any, size: int) -> list[Any]:
        conditions = self.conditions
        self.conditions = [z3.ULE(name, self.longest) for name, _ in self.names]  # so that all entries are found
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
        length, new = total // len(values), stored(path, total)
        path.prove(z3.And(*[takes(one, integer, length) for one in values]), "another length")
        for at, one in enumerate(values):
            own = [term(byte, 8) for byte in new[at * length : (at + 1) * length]]
            path.prove(same(own, encoding(one, integer, length)), f"value {at}")
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
        for length in () if key in proved else range(1, integer.longest + 1):
            right = z3.And(terms[0] == length, same(terms[1 : length + 1], encoding(value, integer, length)))
            if check(takes(value, integer, length), z3.Not(right)) is not None:
                raise Refuted(f"another encoding of {length} bytes")
        proved[key] = terms  # They are kept, and thus their ids.
