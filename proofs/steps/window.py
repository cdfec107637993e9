"""What contracts of decoders share: one encoding, a window of bytes with its masks, and slices."""

from collections.abc import Callable, Sequence
from typing import Any

import z3

from model.terms import Byte, as_bytes, simplified, term

from .executor import LONGEST, Path, Region, check, fresh
from .notes import NotedPath
from .wire import Integer

WINDOW, REACH, SLACK = 64, 81, 16  # of simd/avx2/decode/window.rs
STATE, NEXT = 192, 32  # the size of `Dense`, and the offset of its `next`


def length_is(encoding: Sequence[z3.BitVecRef], length: int) -> z3.BoolRef:
    """Whether the encoding that begins here has this length."""
    tops = [z3.Extract(7, 7, byte) for byte in encoding[:length]]
    return z3.And(*[top == 1 for top in tops[:-1]], tops[-1] == 0)


def decodable(encoding: Sequence[z3.BitVecRef], integer: Integer) -> z3.BoolRef:
    """Whether the kernel decodes an encoding of this length: it is valid, and a tenth byte is not 0. The others
    are left to the scalar loop."""
    if len(encoding) < integer.longest:
        return z3.BoolVal(True)
    return encoding[-1] == 1 if integer.longest == 10 else z3.ULE(encoding[-1], integer.last)


def returned(path: Path) -> Any:
    """Returns a bool, which is in the lowest byte."""
    return simplified(z3.Extract(7, 0, term(path.get("RAX"), 64)), 8)


def returning(path: NotedPath, result: int) -> NotedPath:
    """Returns the path with this bool as the result of a call."""
    path.set("RAX", z3.Concat(fresh("unspecified", 56), z3.BitVecVal(result, 8)))
    return path


def flag(at: int, value: bool) -> dict[int, Any]:
    """Returns a bool as an argument on the stack."""
    return {at: int(value)} | unused(at, range(1, 8))


class Window:
    """The bytes from a place on, and which of them end values."""

    def __init__(self, byte: Callable[[int], z3.BitVecRef], reach: int = REACH) -> None:
        self.bytes = [Byte(byte(index)) for index in range(reach)]
        self.more = [z3.simplify(z3.Extract(7, 7, one.term)) for one in self.bytes]
        self.continues = z3.Concat(*reversed(self.more[:WINDOW]))
        self.ends = ~self.continues
        self.starts = self.ends << 1 | 1

    def memory(self, at: int) -> dict[int, Any]:
        """Returns a `Window` of the code at this address."""
        content = self.bytes[:WINDOW] + as_bytes([self.continues], 64)
        return {at + index: byte for index, byte in enumerate(content)}

    def check_at(self, path: Path, at: int) -> None:
        """Proves that the `Window` at this address is this one."""
        for index in range(WINDOW):
            path.prove(term(path.memory.fixed(at + index), 8) == self.bytes[index].term, f"byte {index} of a window")
        path.prove(term(path.word(at + WINDOW), 64) == self.continues, "the mask of a window")


def check_validity(
    path: Path, integer: Integer, window: Window, canonical: bool, carried: int = 0, first: int = 0
) -> None:
    """Every value that ends in the window, from byte `first` on, has at most the longest length, and is valid.
    `carried` bytes of the first value are before the window."""
    wrong, longest = [], integer.longest
    for end in range(first, WINDOW):
        byte, is_end = window.bytes[end].term, window.more[end] == 0
        more = [window.more[at] == 1 for at in reversed(range(end))] + [z3.BoolVal(True)] * carried
        if len(more) >= longest:
            wrong.append(z3.And(is_end, *more[:longest]))
        if len(more) >= longest - 1:
            wrong.append(z3.And(is_end, *more[: longest - 1], z3.Not(decodable([byte] * longest, integer))))
        if canonical and more:
            wrong.append(z3.And(is_end, more[0], byte == 0))
    path.prove(z3.Not(z3.Or(*wrong)), "an invalid value is accepted")


def unused(state: int, offsets: range) -> dict[int, Any]:
    """Returns bytes of which nothing is known."""
    return {state + at: Byte(fresh("unused", 8)) for at in offsets}


class Slices:
    """A source and a destination of any length, and progress in them."""

    def __init__(self, integer: Integer) -> None:
        self.integer = integer
        self.len, self.space, self.values, self.bytes = z3.BitVecs("len space values bytes", 64)
        self.read = z3.Function("source", z3.BitVecSort(64), z3.BitVecSort(8))
        self.src = Region("src", self.len, lambda path, offset, index: Byte(self.byte(term(offset, 64) + index)))
        self.dst = Region("dst", self.space * integer.size)
        self.facts = [z3.ULE(self.len, LONGEST), z3.ULE(self.space, LONGEST // integer.size)]

    def byte(self, offset: Any) -> z3.BitVecRef:
        return self.read(z3.simplify(offset))

    def arguments(self) -> list[Any]:
        """Returns the arguments for both slices."""
        return [self.src.start, self.len, self.dst.start, self.space]

    def window(self, at: Any) -> Window:
        return Window(lambda index: self.byte(at + index))

    def within(self, values: Any, bytes_: Any) -> z3.BoolRef:
        return z3.And(z3.ULE(values, self.space), z3.ULE(bytes_, self.len))

    def check_state(self, path: NotedPath, state: int, values: Any, bytes_: Any) -> None:
        """Proves that the `Dense` at this address is the one after this progress."""
        now = [term(path.word(state + at), 64) for at in (0, 8, NEXT)]
        path.prove(z3.And(now[0] == values, now[1] == bytes_), "another progress")
        path.prove(self.within(values, bytes_), "progress beyond the slices")
        there = z3.UGE(self.len - bytes_, REACH)
        path.prove(now[2] == z3.If(there, self.src.start + bytes_, 0), "another next window")
        if check(*path.conditions, there) is not None:
            one = path.copy()
            one.conditions.append(there)
            self.window(bytes_).check_at(one, state + NEXT + 32)

    def put_state(self, path: NotedPath, state: int, values: Any, bytes_: Any, there: bool) -> None:
        """Puts the `Dense` after this progress there, with or without a next window."""
        path.memory.stack |= unused(state, range(STATE))
        for at, word in ((0, values), (8, bytes_), (NEXT, self.src.start + bytes_ if there else 0)):
            path.memory.stack |= {state + at + index: byte for index, byte in enumerate(as_bytes([word], 64))}
        if there:
            path.memory.stack |= self.window(bytes_).memory(state + NEXT + 32)
        available = z3.UGE(self.len - bytes_, REACH)
        path.conditions += [self.within(values, bytes_), available if there else z3.Not(available)]
