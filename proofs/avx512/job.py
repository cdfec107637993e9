"""The work of an encoder: values to encode, a destination, and how far it has come."""

from typing import Any

import z3

from steps.wire import Integer

from .memory import Region
from .solver import names
from model.terms import known, term

LONGEST = (1 << 63) - 1  # the greatest size of a Rust slice in bytes


class Job:
    """`done` of `values` values are encoded, in `written` of `capacity` bytes."""

    def __init__(self, integer: Integer) -> None:
        self.integer, self.size = integer, integer.bits // 8
        self.values, self.capacity, self.done, self.written = z3.BitVecs("values capacity done written", 64)
        self.source = Region("source", self.size * self.values, element=self.size)
        self.destination = Region("destination", self.capacity, writable=True)
        self.given: list[z3.BoolRef] = []  # what is true of other lengths

    def facts(self) -> list[z3.BoolRef]:
        """Returns what is true at any time. The slices are valid."""
        return [
            z3.ULE(self.values, LONGEST // self.size),
            z3.ULE(self.capacity, LONGEST),
            z3.ULE(self.done, self.values),
            z3.ULE(self.written, self.capacity),
            *self.given,
        ]

    def lengths(self) -> set[str]:
        unknowns = (self.values, self.capacity, self.done, self.written, self.source.start, self.destination.start)
        return {unknown.decl().name() for unknown in unknowns}.union(*map(names, self.given))

    def slices(self) -> list[z3.BitVecRef]:
        """Returns the arguments for both slices."""
        return [self.source.start, self.values, self.destination.start, self.capacity]

    def rest(self) -> tuple[z3.BitVecRef, z3.BitVecRef, z3.BitVecRef, z3.BitVecRef]:
        """Returns the slices of what is left: two pairs of a pointer and a length."""
        return (
            self.source.at(self.size * self.done),
            self.values - self.done,
            self.destination.at(self.written),
            self.capacity - self.written,
        )

    def advancing(self, word: z3.BitVecRef) -> z3.BitVecRef:
        """Returns what becomes of a word that refers to the whole slices, if it always refers to
        what is left."""
        return z3.simplify(z3.substitute(word, *zip(self.slices(), self.rest(), strict=True)))

    def at(self, expression: Any, done: Any, written: Any) -> Any:
        """Returns a term at another time."""
        if known(expression):
            return expression
        times = ((self.done, term(done, 64)), (self.written, term(written, 64)))
        return z3.substitute(expression, *times)
