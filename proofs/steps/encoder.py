"""What the contracts of encoders share: a source of values, a destination of bytes, progress in them, and the contracts
of functions that advance it."""

import functools
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import z3

from model.image import Image
from model.terms import as_bytes, term

from .contract import NotedPath, Slices, TablePath, check_no_stores, content_at
from .executor import Contract, Path, Region, run
from .loops import Loop, progress_of
from .questions import fresh
from .wire import Integer

NOTHING = z3.BitVecVal(0, 64), z3.BitVecVal(0, 64)  # the progress at the start


class Encoder(Slices):
    """A source and a destination of any length. The last one of `calls` begins with the progress: how many values are
    encoded, and the number of their bytes. A path may read the next `ahead` values."""

    def __init__(self, image: Image, integer: Integer, ahead: int = 1, count: int | None = None) -> None:
        super().__init__(integer)
        self.image, self.ahead, self.room, self.facts = image, ahead, self.len, self.sizes
        self.count = self.space if count is None else z3.BitVecVal(count, 64)
        self.value = z3.Function("value", z3.BitVecSort(64), z3.BitVecSort(integer.bits))

        @functools.cache
        def known(first: Any) -> list[tuple[Any, Sequence[Any]]]:
            return [(integer.size * first, as_bytes(self.next(first), integer.bits))]

        content = content_at(lambda path: known(path.calls[-1][0]))
        self.src, self.dst = Region("src", integer.size * self.count, content), Region("dst", self.room)
        self.arguments = [self.src.start, self.count, self.dst.start, self.room]

    def next(self, first: Any) -> list[z3.BitVecRef]:
        """Returns the values from this one on that a path may read."""
        return [self.value(z3.simplify(first + at)) for at in range(self.ahead)]

    def rest(self, values: Any, bytes_: Any) -> list[Any]:
        """Here the source has the values, and the destination the bytes."""
        source, destination = self.src.start + self.integer.size * values, self.dst.start + bytes_
        return [source, self.count - values, destination, self.room - bytes_]

    def possible(self, values: Any, bytes_: Any) -> z3.BoolRef:
        """Whether a part of an encoder can have this progress. The parts after it need this, and that the bytes are the
        encodings of the values."""
        return z3.And(z3.ULE(values, self.count), z3.ULE(bytes_, self.room), z3.Implies(values == 0, bytes_ == 0))

    def function(self, name: str) -> int:
        return self.image.function(f"zigzag_varint::simd::{name}::<{self.integer.name}>")

    def start(self, *facts: z3.BoolRef, arguments: Sequence[Any] = (), at: Sequence[Any] = NOTHING) -> NotedPath:
        """Returns the state at the start of a function from this progress on, which is given the slices if nothing else."""
        path = TablePath(self.image, [self.src, self.dst], [*self.facts, *facts], arguments or self.arguments)
        path.calls = [tuple(at)]
        return path

    def loop(
        self, least: int = 0, multiple: int = 1, space: int = 0,
        words: Callable[..., Sequence[Any]] = lambda *_: (), holds: Callable[..., z3.BoolRef] = lambda *_: z3.BoolVal(True),
        cases: Callable[..., Sequence[z3.BoolRef]] = lambda *_: (),
    ) -> Loop:  # fmt: skip
        """Returns a loop of which each turn has at least this number of values, after a multiple of some, and this space.
        `words` and `holds` are the words that only this loop has, and what is true besides."""

        def all_words(values: Any, bytes_: Any) -> list[Any]:
            places = [values, bytes_, self.integer.size * values]
            return [*places, *self.rest(values, bytes_), *words(values, bytes_)]

        def all_holds(values: Any, bytes_: Any) -> z3.BoolRef:
            is_group = z3.And(z3.ULE(least, self.count - values), values & multiple - 1 == 0)
            has_space = z3.ULE(space, self.room - bytes_)
            return z3.And(is_group, self.possible(values, bytes_), has_space, holds(values, bytes_))

        return Loop(all_words, all_holds, cases)

    def ends(
        self, loop: Loop | None, function: int, calls: Mapping[int, Contract], at: Sequence[Any] = NOTHING
    ) -> list[NotedPath]:
        """Returns the ends of a function with this loop, or with none."""
        start = self.start(at=at)
        return loop.ends(start, function, calls) if loop else run(start, function, calls)

    # Contracts of called functions.

    def store(self, path: NotedPath, number: int, most: int, need: int) -> Path:
        """Goes on after a function that returns the length of the next values, which is at most `most`, after the proof
        that there are these values and space for the bytes that it may write."""
        (values, bytes_, *_), used = path.calls[-1], fresh("used")
        path.prove(z3.And(z3.ULE(bytes_, self.room), z3.ULE(need, self.room - bytes_)), "too little space")
        path.prove(z3.ULE(number, self.count - values), "values after the last one")
        path.conditions += [z3.ULE(number, used), z3.ULE(used, most)]
        path.set("RAX", used)
        path.calls = [(values + number, bytes_ + used)]
        return path

    def part(self, least: int = 0) -> Contract:
        """Returns the contract of a part that encodes the first of some values, at least `least`, and returns the progress."""

        def contract(path: NotedPath, *_: Any) -> list[Path]:
            number = term(path.get("RSI"), 64)
            source, left, *destination = self.rest(*path.calls[-1][:2])
            path.check_arguments(source, None, *destination)
            path.prove(z3.And(z3.ULE(least, number), z3.ULE(number, left)), "other values")
            return [self.go_on(path, number)]

        return contract

    def go_on(self, path: NotedPath, number: Any) -> Path:
        """Goes on after a part that returns the progress: at most this number of values, and no bytes if none."""
        (values, bytes_, *_), new = path.calls[-1], self.any_progress(path)
        path.conditions += [z3.ULE(new[0] - values, number), z3.Implies(new[0] == values, new[1] == bytes_)]
        path.set("RAX", new[0] - values)
        path.second = new[1] - bytes_
        return path

    def any_progress(self, path: NotedPath) -> tuple[Any, Any]:
        """Goes on from any progress after that of the path, and returns it."""
        (values, bytes_, *_), new = path.calls[-1], self.unknown_progress(path)
        path.conditions += [z3.ULE(values, new[0]), z3.ULE(bytes_, new[1])]
        path.calls = [new]
        return new

    def last(self, gets_all: bool, progress: Callable[[NotedPath], Sequence[Any]] = progress_of) -> Contract:
        """Returns the contract of an encoder of all values that are left, which is given all and the progress, or what is left.
        The result is whether they have space, and the length. It is in `calls` then."""

        def contract(path: NotedPath) -> list[Path]:
            values, bytes_ = progress(path)
            path.check_arguments(*([*self.arguments, values, bytes_] if gets_all else self.rest(values, bytes_)))
            return self.result(path, 0 if gets_all else bytes_)

        return contract

    def result(self, path: NotedPath, begin: Any = 0) -> list[Path]:
        """Goes on after an encoder of all values that are left, to the destination from a place on."""
        has_space, path.second = fresh("has_space"), fresh("length")
        path.conditions.append(z3.ULE(has_space, 1))
        path.set("RAX", has_space)
        path.calls, path.stores = [has_space, path.second + begin], []
        return [path]

    # Checks of results.

    def check_part(self, path: NotedPath, values: Any, bytes_: Any) -> None:
        """Proves that a part returns this progress, and that it is possible."""
        path.check_returned(values, bytes_)
        path.prove(self.possible(values, bytes_), "an impossible progress")

    def check_result(self, path: NotedPath, has_space: Any, length: Any) -> None:
        """Proves that an encoder of a slice returns whether it has space and the length that is used, and stores nothing
        itself since the last call."""
        check_no_stores(path)
        is_length = z3.Or(has_space == 0, path.get("RDX") == length)
        path.prove(z3.And(term(path.get("RAX"), 64) == has_space, is_length), "another result")
