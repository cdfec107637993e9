"""The work of a decoder: bytes to decode, a destination, and how far it has come."""

import z3

from steps.wire import Integer

from .decode_path import Progress
from .job import LONGEST
from .memory import Region


class Job:
    """`values` values are decoded, of at most `room`, from `bytes` of `length` bytes."""

    def __init__(self, integer: Integer, canonical: bool) -> None:
        self.integer, self.canonical, self.size = integer, canonical, integer.bits // 8
        self.length, self.room, self.values, self.bytes = z3.BitVecs("length room values bytes", 64)
        self.source = Region("source", self.length, element=1)
        self.destination = Region("destination", self.size * self.room, writable=True)

    @property
    def history(self) -> int:
        """The number of bytes that the windows share."""
        return self.integer.longest - 1

    def start(self) -> Progress:
        """Returns the progress at the start of a function that continues."""
        return Progress(*z3.BitVecs("values_at_start bytes_at_start", 64))

    def facts(self) -> list[z3.BoolRef]:
        """Returns what is true at any time. The slices are valid."""
        return [
            z3.ULE(self.length, LONGEST),
            z3.ULE(self.room, LONGEST // self.size),
            *self.within(Progress(self.values, self.bytes)),
        ]

    def within(self, progress: Progress) -> list[z3.BoolRef]:
        """Returns what is true of a progress."""
        return [z3.ULE(progress.values, self.room), z3.ULE(progress.bytes, self.length)]

    def lengths(self) -> set[str]:
        unknowns = (self.length, self.room, self.values, self.bytes, self.source.start, self.destination.start)
        return {unknown.decl().name() for unknown in unknowns}

    def slices(self) -> list[z3.BitVecRef]:
        """Returns the arguments for both slices."""
        return [self.source.start, self.length, self.destination.start, self.room]
