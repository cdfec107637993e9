"""What contracts share: encodings and their values, a window with its masks, slices, and loops of steps."""

from collections.abc import Callable, Container, Iterator, Sequence
from typing import Any

import z3

from model.failures import Inconclusive, Refuted
from model.terms import Byte, known, simplified, term

from .executor import KEPT, LONGEST, Contract, Path, Region, check, run
from .notes import NotedPath
from .wire import Integer, value_of

WINDOW, REACH, SLACK = 64, 81, 16  # of simd/avx2/decode/window.rs

Content = Callable[[Any, Any, int], Byte]


# Bytes and values.


def unknown_bytes(name: str, count: int) -> list[z3.BitVecRef]:
    return [z3.BitVec(f"{name}{at}", 8) for at in range(count)]


def continued(integer: Integer, more: int, count: int) -> list[z3.BitVecRef]:
    """Returns bytes that begin with so many continuation bytes, and no others if these are less than the longest
    encoding has."""
    tops = [1] * more + [0] * (more < integer.longest)
    data = [z3.Concat(z3.BitVecVal(top, 1), z3.BitVec(f"group{at}", 7)) for at, top in enumerate(tops)]
    return data + unknown_bytes("byte", count)[len(data) :]


def content_of(data: Sequence[z3.BitVecRef], base: Any = 0) -> Content:
    """Returns the content of a region that has these bytes from `base` on. Others are not read."""

    def content(path: Path, offset: Any, index: int) -> Byte:
        at = simplified(term(offset, 64) - base)
        if not known(at) or at + index >= len(data):
            raise Inconclusive(f"near {path.address:#x}: reads at {offset}")
        return Byte(z3.simplify(data[at + index]))

    return content


def stored(path: Path, size: int, base: Any = 0, within: range | None = None) -> list[Any]:
    """Returns the bytes that are stored from `base` on, which are these and no others, unless they are `within`."""
    found: dict[int, Any] = {}
    for _, offset, new in path.stores:
        at = simplified(offset - base)
        if not known(at) and (model := check(*path.conditions)) is not None:
            at = model.eval(term(at, 64), model_completion=True).as_long()
            path.prove(offset - base == at, "stores at different places")
        found |= {at + index: byte for index, byte in enumerate(new)}
    if not set(range(size)) <= set(found) or not set(found) <= set(within or range(size)):
        raise Refuted(f"stores bytes {sorted(found)} of {size}")
    return [found[at] for at in range(size)]


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


def check_value(
    element: Any, encoding: Sequence[z3.BitVecRef], integer: Integer, lengths: Sequence[int], *facts: z3.BoolRef
) -> None:
    """Proves that an element is the value of the encoding that begins here, for each of these lengths."""
    for length in lengths:
        given = [length_is(encoding, length), decodable(encoding[:length], integer), *facts]
        if check(*given, term(element, integer.bits) != value_of(encoding[:length], integer)) is not None:
            raise Refuted(f"a value of {length} bytes")


def check_uniform(
    path: Path, elements: Sequence[Any], data: Sequence[z3.BitVecRef], integer: Integer, length: int, canonical: bool
) -> None:
    """Proves that these bytes are valid values of one length, and that the elements are these values."""
    encoding, proved = unknown_bytes("encoding", length), list[z3.BitVecRef]()
    if len(elements) * length != len(data):
        raise Refuted("another number of elements")
    for at, element in zip(range(0, len(data), length), elements, strict=True):
        own = data[at : at + length]
        overlong = own[-1] == 0 if canonical and length > 1 else False
        path.prove(z3.And(length_is(own, length), decodable(own, integer), z3.Not(overlong)), "an invalid value")
        element = z3.simplify(z3.substitute(term(element, integer.bits), *zip(own, encoding, strict=True)))
        if not any(element.eq(one) for one in proved):
            check_value(element, encoding, integer, [length])
            proved.append(element)


# Windows.


class Window:
    """The bytes from a place on, and which of them end values."""

    def __init__(self, byte: Callable[[int], z3.BitVecRef], reach: int = REACH) -> None:
        self.bytes = [Byte(byte(index)) for index in range(reach)]
        self.more = [z3.simplify(z3.Extract(7, 7, one.term)) for one in self.bytes]
        self.continues = z3.Concat(*reversed(self.more[:WINDOW]))
        self.ends = ~self.continues
        self.starts = self.ends << 1 | 1

    @classmethod
    def unknown(cls, name: str = "", reach: int = REACH) -> "Window":
        return cls(lambda at: z3.Concat(z3.BitVec(f"{name}c{at}", 1), z3.BitVec(f"{name}p{at}", 7)), reach)

    def content(self, _path: Path, offset: Any, index: int) -> Byte:
        """The content of a region that has these bytes."""
        return self.bytes[offset + index]

    def put(self, path: Path, at: int) -> None:
        """Puts a `Window` of the code at this address."""
        path.memory.stack |= {at + index: byte for index, byte in enumerate(self.bytes[:WINDOW])}
        path.put(at + WINDOW, self.continues)

    def check_at(self, path: Path, at: int) -> None:
        """Proves that the `Window` at this address is this one."""
        for index in range(WINDOW):
            path.prove(term(path.memory.fixed(at + index), 8) == self.bytes[index].term, f"byte {index} of a window")
        path.expect(at + WINDOW, self.continues, what="the mask of a window")


def check_validity(path: Path, integer: Integer, window: Window, canonical: bool, first: int = 0) -> None:
    """Every value that ends in the window, from byte `first` on, has at most the longest length, and is valid."""
    wrong, longest = [], integer.longest
    for end in range(first, WINDOW):
        byte, is_end = window.bytes[end].term, window.more[end] == 0
        more = [window.more[at] == 1 for at in reversed(range(end))]
        if len(more) >= longest:
            wrong.append(z3.And(is_end, *more[:longest]))
        if len(more) >= longest - 1:
            wrong.append(z3.And(is_end, *more[: longest - 1], z3.Not(decodable([byte] * longest, integer))))
        if canonical and more:
            wrong.append(z3.And(is_end, more[0], byte == 0))
    path.prove(z3.Not(z3.Or(*wrong)), "an invalid value is accepted")


# Slices, and loops of steps in them.


class Slices:
    """A source and a destination of any length, and progress in them."""

    def __init__(self, integer: Integer) -> None:
        self.integer = integer
        self.len, self.space, self.values, self.bytes = z3.BitVecs("len space values bytes", 64)
        self.read = z3.Function("source", z3.BitVecSort(64), z3.BitVecSort(8))
        self.src = Region("src", self.len, lambda path, offset, index: Byte(self.byte(term(offset, 64) + index)))
        self.dst = Region("dst", self.space * integer.size)
        self.at = self.values, self.bytes
        self.facts = [
            z3.ULE(self.len, LONGEST), z3.ULE(self.space, LONGEST // integer.size), self.within(*self.at),
        ]  # fmt: skip

    def byte(self, offset: Any) -> z3.BitVecRef:
        return self.read(z3.simplify(offset))

    def arguments(self) -> list[Any]:
        """Returns the arguments for both slices."""
        return [self.src.start, self.len, self.dst.start, self.space]

    def window(self, at: Any) -> Window:
        return Window(lambda index: self.byte(at + index))

    def within(self, values: Any, bytes_: Any) -> z3.BoolRef:
        return z3.And(z3.ULE(values, self.space), z3.ULE(bytes_, self.len))


def ends_of_loop(
    path: NotedPath, caller: int, callee: int, step: Contract, start: Any, least: int = 1
) -> Iterator[tuple[Any, Any]]:
    """Yields the ends of a function that calls a step in a loop, and stores nothing itself, with the last of
    `path.calls`, to which the contract of the step adds its progress. Some end is after at least so many turns."""
    path.calls.append(start)
    turns = 0
    for after in run(path, caller, {callee: step}):
        turns = max(turns, len(after.calls) - 1)
        yield after, after.calls[-1]
        if after.stores:
            raise Refuted("stores of its own")
    if turns < least:
        raise Refuted("no turn")


def again(path: NotedPath, state: Container[int]) -> bool:
    """Whether the step is called for the second time from this place. The first turn starts from the state that
    the function has put there, the second from any state that a turn leaves. Nothing but this state may then
    differ from the first time, so that a third turn would be like the second."""
    stack = path.get("RSP")
    kept = [path.get(name) for name in KEPT]
    kept += [byte for at, byte in sorted(path.memory.stack.items()) if at >= stack and at not in state]
    if path.address not in path.loop:
        path.loop = path.loop | {path.address: kept}
        return False
    before = path.loop[path.address]
    if len(before) != len(kept) or not all(map(_same, before, kept)):
        raise Inconclusive("a turn of a loop changes something else than its state")
    return True


def _same(a: Any, b: Any) -> bool:
    return a == b if known(a) or known(b) else term(a, 8).eq(term(b, 8))
