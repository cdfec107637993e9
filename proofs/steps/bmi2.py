"""The BMI2 kernel, in these steps:

    suspicious   whether the scalar loop must decode a window
    Next::turn   the next value of a window
    put          the encoding of a value
"""

from typing import Any

import z3

from model.failures import Inconclusive, Refuted
from model.image import Image
from model.terms import Byte, known, lanes, simplified, term

from .executor import LENT, Path, Region, check, fresh, run
from .loops import put as put_words
from .notes import NotedPath
from .window import WINDOW, Window, check_validity, decodable, length_is
from .wire import Integer, encoding, same, takes, value_of

MODULE = "zigzag_varint::simd::bmi2::"
REACH = WINDOW + 8  # bytes that can be read from the start of a window on


def suspicious(image: Image, integer: Integer, canonical: bool) -> None:
    """If the result is false, every value that ends in the window is valid."""
    window = Window(lambda index: z3.Concat(z3.BitVec(f"c{index}", 1), z3.BitVec(f"p{index}", 7)), WINDOW)
    source = Region("window", WINDOW, lambda path, offset, index: window.bytes[offset + index])
    path = NotedPath(image, [source], [], [source.start, window.ends, int(canonical)])
    accepts = False
    # The compiler may make one function of equal ones.
    names = [f"{MODULE}decode::suspicious::<{sign}{integer.bits}>" for sign in (integer.name[0], *"iu")]
    for after in run(path, image.function(next(filter(image.has, names), names[0])).address):
        after.conditions.append(z3.Extract(7, 0, term(after.get("RAX"), 64)) == 0)
        accepts = accepts or check(*after.conditions) is not None
        check_validity(after, integer, window, canonical)
    if not accepts:
        raise Refuted("accepts nothing")


class _Turn(NotedPath):
    """Knows the length of the value: the number of zeros below the lowest end gives it."""

    start, length = z3.BitVec("start", 64), 0
    ends = z3.BitVec("ends", 64)

    def number_of_zeros(self, value: Any, width: int, leading: bool) -> Any:
        if leading or width != 64 or check(*self.conditions, value != self.ends) is not None:
            raise Refuted("not the next end")
        return z3.simplify(self.start + (self.length - 1))


def turn(image: Image, integer: Integer) -> None:
    """The value from the start to the lowest end is written, for each length. The next one starts after it, and
    its end is no longer there."""
    encoding = [z3.BitVec(f"byte{at}", 8) for at in range(16)]

    def content(path: _Turn, offset: Any, index: int) -> Byte:
        at = simplified(term(offset, 64) + index - path.start)
        if not known(at) or at > 15:
            raise Inconclusive(f"reads at {at}")
        return Byte(encoding[at])

    for length in range(1, integer.longest + 1):
        source, slot = Region("bytes", REACH, content), Region("slot", integer.size)
        facts = [z3.ULE(_Turn.start, WINDOW - length)]  # The value ends in the window.
        path = _Turn(image, [source, slot], facts, [LENT, source.start, slot.start])
        path.length, path.memory.lent = length, [range(LENT, LENT + 16)]
        put_words(path, LENT, path.start, path.ends)
        [after] = run(path, image.function(f"<{MODULE}decode::Next>::turn::<{integer.name}>").address)
        now = [term(after.word(LENT + at), 64) for at in (0, 8)]
        after.prove(now[0] == after.start + length & WINDOW - 1, "another start")
        after.prove(now[1] == after.ends & (after.ends - 1), "other ends are left")
        [(_, offset, new)] = after.stores
        given = [*after.conditions, length_is(encoding, length), decodable(encoding[:length], integer), offset == 0]
        right = term(lanes(new, integer.bits)[0], integer.bits) == value_of(encoding[:length], integer)
        if len(new) != integer.size or check(*given, z3.Not(right)) is not None:
            raise Refuted(f"a value of {length} bytes")


def put(image: Image, integer: Integer) -> None:
    """The encoding is written, and its length is returned, for all values."""
    value = z3.BitVec("value", integer.bits)
    passed = value if integer.bits == 64 else z3.Concat(fresh("unspecified", 64 - integer.bits), value)
    for length in range(1, integer.longest + 1):
        to = Region("to", 10 if integer.size == 8 else 8)
        path = Path(image, [to], [takes(value, integer, length)], [passed, to.start])
        for after in run(path, image.function(f"{MODULE}encode::put::<{integer.name}>").address):
            new: dict[int, Any] = {}
            for _, offset, part in after.stores:
                new |= {simplified(offset) + at: byte for at, byte in enumerate(part)}
            found = [term(new[at], 8) for at in range(length)]
            after.prove(term(after.get("RAX"), 64) == length, "another length")
            after.prove(same(found, encoding(value, integer, length)), "other bytes")
