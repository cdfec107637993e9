"""The work of a function that adds up a number of each element of a slice: the length of its encoding,
or whether a byte is the last one of a value."""

from collections.abc import Callable

import z3

from steps import wire
from steps.wire import BV, Integer

from .job import LONGEST
from .memory import Region
from .solver import prove

WIDTH = 8  # of the number of an element, in bits


class Job:
    """`number` is specified in `steps/wire.py`. It is at least `least` and at most `most`, so that no sum
    overflows 64 bits: `most` is at most 1.5 times the size of an element."""

    def __init__(self, bits: int, number: Callable[[BV], BV], least: int, most: int) -> None:
        self.bits, self.size, self.least, self.most = bits, bits // 8, least, most
        self.count = z3.BitVec("count", 64)
        self.source = Region("source", self.size * self.count, element=self.size)
        self.element = z3.BitVec("element", bits)
        self._number = number(self.element)
        within = z3.And(z3.ULE(least, self._number), z3.ULE(self._number, most))
        prove([], within, f"the number of an element is not {least} to {most}")

    def number(self, element: z3.BitVecRef) -> z3.BitVecRef:
        """Returns the number of an element."""
        return z3.substitute(self._number, (self.element, element))

    def facts(self) -> list[z3.BoolRef]:
        """Returns what is true at any time. The slice is valid."""
        return [z3.ULE(self.count, LONGEST // self.size)]

    def lengths(self) -> set[str]:
        return {self.count.decl().name()}

    def end(self) -> z3.BitVecRef:
        """Returns the offset of the end of the slice."""
        return self.size * self.count


def lengths_of(integer: Integer) -> Job:
    """Returns the work of adding up the lengths of encodings."""
    return Job(integer.bits, lambda value: wire.length(value, integer), 1, integer.longest)


def last_bytes() -> Job:
    """Returns the work of counting the last bytes of values."""
    return Job(8, lambda byte: z3.If(wire.is_last(byte), z3.BitVecVal(1, WIDTH), z3.BitVecVal(0, WIDTH)), 0, 1)
