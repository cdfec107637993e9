"""The AVX2 decoder's loop for long values, `sparse::<T>`: `turn` decodes eight values from eight places."""

from typing import Any

import z3

from model.image import Image
from model.terms import Byte, as_bytes, lanes, simplified, term

from .avx2_dense import check_values
from .executor import LENT, LONGEST, Region, check, run
from model.failures import Refuted
from .notes import NotedPath
from .window import REACH
from .wire import Integer

MODULE = "zigzag_varint::simd::avx2::decode::sparse::"


class _Places(NotedPath):
    """Knows the places of values as the code finds them. Place 0 is the state's, and place k + 1 is after end
    number k of the window; after the last end it is the window's byte 65."""

    def __init__(self, image: Image, integer: Integer) -> None:
        self.first, self.window, self.ends, self.size = z3.BitVecs("first window ends size", 64)  # in the source
        self.src, self.out = Region("src", self.size, _content), Region("out", 8 * integer.size)
        self.places, self.left = {0: self.first}, [self.ends]  # the code may find them in any order
        for _ in range(8):
            self.left.append(self.left[-1] & (self.left[-1] - 1))
        # What the caller ensures: 16 bytes can be read from the first place on, and REACH from the window on.
        facts = [
            z3.ULE(self.size, LONGEST), z3.UGE(self.size, REACH),
            z3.ULE(self.first, self.size - 16), z3.ULE(self.window, self.size - REACH),
        ]
        window = self.src.start + self.window
        super().__init__(image, [self.src, self.out], facts, [LENT, window, self.out.start])
        state = as_bytes([z3.simplify(self.src.start + self.first), self.ends], 64)
        self.memory.stack |= {LENT + at: byte for at, byte in enumerate(state)}
        self.memory.lent, self.names_zeros = [range(LENT, LENT + 16)], True

    def number_of_zeros(self, value: Any, width: int, leading: bool) -> Any:
        zeros = super().number_of_zeros(value, width, leading)
        for place in sorted(set(range(1, 9)) - set(self.places)):
            if not leading and check(self.zeros[-1][1] != self.left[place - 1]) is None:
                self.places[place] = z3.simplify(self.window + zeros + 1)
                return zeros
        raise Refuted("another end")


def _content(path: _Places, offset: Any, index: int) -> Byte:
    """The bytes from each place on have names, `PLACE.NUMBER`."""
    for number, place in path.places.items():
        at = z3.simplify(term(offset, 64) + index - place)
        if z3.is_bv_value(at) and at.as_long() < 16:
            return Byte(z3.BitVec(f"{number}.{at}", 8))
    raise Refuted("reads elsewhere")


def turn(image: Image, integer: Integer) -> None:
    """Element k is the value that starts at place k, of any length. The state advances by eight values."""
    path = _Places(image, integer)
    [after] = run(path, image.function(f"{MODULE}turn::<{integer.name}>").address)
    if len(after.places) != 9:
        raise Refuted("not eight ends")
    after.prove(after.word(LENT) == after.src.start + after.places[8], "another next place")
    after.prove(after.word(LENT + 8) == after.left[8], "other ends are left")
    new: list[Any] = [None] * (8 * integer.size)
    for _, offset, part in after.stores:
        at = simplified(offset)
        new[at : at + len(part)] = part
    encoding, proved = [z3.BitVec(f"byte{at}", 8) for at in range(16)], list[z3.BitVecRef]()
    for place, element in enumerate(lanes(new, integer.bits)):
        names = [(z3.BitVec(f"{place}.{at}", 8), encoding[at]) for at in range(16)]
        element = z3.substitute(z3.simplify(term(element, integer.bits)), *names)
        if not any(element.eq(one) for one in proved):
            check_values(element, encoding, integer, integer.longest)
            proved.append(element)
