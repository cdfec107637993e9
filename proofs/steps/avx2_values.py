"""The AVX2 encoder's loops over values of any length. They encode as many values as have space if all are long:

    one_by_one   a value at a time, by `put`
    eights       eight values at a time, by `encode_four`"""

from collections.abc import Callable, Sequence
from typing import Any

import z3

from model.image import Image
from model.terms import as_bytes

from .avx2_blocks import check_progress, possible
from .avx2_encode import LONGEST, WRITTEN
from .avx2_pack import MODULE
from .contract import NotedPath, content_at
from .executor import LONGEST as MOST_BYTES
from .executor import Contract, Path, Region, fresh
from .loops import Loop, progress_of
from .wire import U64, Integer

FOUR = 4 * LONGEST


class _Values:
    """A loop over groups of values. Each takes at most `most` bytes, and `spare` bytes are left at the end."""

    def __init__(self, integer: Integer, group: int, most: int, spare: int) -> None:
        self.integer, self.group, self.most, self.spare = integer, group, most, spare
        self.count, self.room = z3.BitVecs("count room", 64)
        value = z3.Function("value", z3.BitVecSort(64), z3.BitVecSort(integer.bits))
        self.next = lambda values: value(z3.simplify(values))
        self.src = Region("src", integer.size * self.count, content_at(lambda path: [self._own(path.calls[-1][0])]))
        self.dst = Region("dst", self.room)
        self.limit: Any = None
        # The bytes that a number of values needs if all are long. Of this product, the proofs use that it is `most` for
        # each value, and not more for fewer values: with the product itself, the solver has no answer.
        self.needed = z3.Function("needed", z3.BitVecSort(64), z3.BitVecSort(64))
        self.facts = [z3.ULE(self.room, MOST_BYTES), z3.ULE(self.count, MOST_BYTES // integer.size)]
        self.loop = Loop(self._words, self._holds)

    def _own(self, values: Any) -> tuple[Any, list[Any]]:
        """Returns where the next value is, and its bytes."""
        return self.integer.size * values, as_bytes([self.next(values)], self.integer.bits)

    def _words(self, values: Any, bytes_: Any) -> list[Any]:
        size, src, dst = self.integer.size, self.src.start, self.dst.start
        own = z3.ZeroExt(64 - self.integer.bits, self.next(values))
        return [values, bytes_, dst + bytes_, src + size * values, size * values, own]

    def _holds(self, values: Any, bytes_: Any) -> z3.BoolRef:
        left, room = self.limit - values, self.room - bytes_
        is_group = z3.And(z3.ULE(values, self.limit), z3.ULE(self.group, left), left & self.group - 1 == 0)
        has_space = z3.And(z3.ULE(self.spare, room), z3.ULE(self.needed(left), room - self.spare))
        return z3.And(is_group, possible(values, bytes_, self.count, self.room), has_space)

    def turn(self, contract: Callable[..., list[Path]]) -> Contract:
        """Returns the contract of the step with which a turn begins."""

        def end(path: NotedPath) -> Sequence[Any]:
            if not path.loop:
                self._limit(path)
            return progress_of(path)

        def begin(path: NotedPath, values: Any, bytes_: Any) -> list[Path]:
            left, group = self.limit - values, self.most * self.group
            path.conditions += [self.needed(left - self.group) == self.needed(left) - group, z3.ULE(group, self.needed(left))]
            return contract(path, values, bytes_)

        return self.loop.turn(end, begin)

    def _space(self) -> Any:
        return z3.If(z3.ULE(self.spare, self.room), self.room - self.spare, 0)

    def _limit(self, path: NotedPath) -> None:
        """Proves before the first turn that as many values are encoded as have space."""
        space = self._space()
        most = z3.LShR(space, 3)
        if self.most == 10:
            [(most, dividend)] = [(quotient, of) for quotient, divisor, of in path.quotients if divisor == 10]
            path.prove(dividend == space, "another space")
        is_most = z3.ULE(self.most * most, space), z3.ULT(space - self.most * most, self.most)
        path.prove(z3.And(z3.ULE(most, (1 << 64) // self.most), *is_most), "another number of values than have space")
        self.limit = z3.If(z3.ULE(most, self.count), most, self.count) & -self.group
        self.loop.facts = [*self.facts, z3.ULE(self.needed(self.limit), space)]  # as the limit is at most `most`
        path.conditions += self.loop.facts

    def step(self, path: NotedPath, start: Any, need: int, most: int, least: int) -> Any:
        """Returns the length that a step has used, after the proof that it has space from this place on."""
        path.prove(z3.And(z3.ULE(start, self.room), z3.ULE(need, self.room - start)), "too little space")
        done = fresh("done")
        path.conditions += [z3.ULE(least, done), z3.ULE(done, most)]
        path.set("RAX", done)
        return done

    def check(self, image: Image, function: int, calls: dict[int, Contract]) -> None:
        arguments = [self.src.start, self.count, self.dst.start, self.room]
        path = NotedPath(image, [self.src, self.dst], self.facts, arguments)
        path.calls = [(z3.BitVecVal(0, 64), z3.BitVecVal(0, 64))]
        for after in self.loop.ends(path, function, calls):
            values, bytes_ = progress_of(after)
            check_progress(after, values, bytes_, self.count, self.room)
            nothing = z3.Or(z3.ULT(self.count, self.group), z3.ULT(self._space(), self.most * self.group))
            after.prove(values == self.limit if after.loop else nothing, "fewer values than have space")


def one_by_one(image: Image, integer: Integer) -> None:
    """Each value is encoded where the one before it ends."""
    written = 10 if integer.size == 8 else 8
    values = _Values(integer, 1, written, 0)

    def put(path: NotedPath, at: Any, start: Any) -> list[Path]:
        """The contract of `put`."""
        path.check_arguments(values.next(at), values.dst.start + start)
        path.calls = [(at + 1, start + values.step(path, start, written, integer.longest, 1))]
        return [path]

    calls = {image.function(f"{MODULE}pdep::put::<{integer.name}>"): values.turn(put)}
    values.check(image, image.function(f"{MODULE}pdep::one_by_one::<{integer.name}>"), calls)


def eights(image: Image) -> None:
    """Eight values at a time are encoded where those before them end."""
    values, size, need = _Values(U64, 8, LONGEST, WRITTEN - LONGEST), U64.size, FOUR - LONGEST + WRITTEN

    def first(path: NotedPath, at: Any, start: Any) -> list[Path]:
        """The contract of `encode_four` for the first four values."""
        path.check_arguments(values.src.start + size * at, values.dst.start + start)
        path.prove(z3.ULE(4, values.count - at), "values after the last one")
        path.calls = [(at, start, values.step(path, start, need, FOUR, 4))]
        return [path]

    def second(path: NotedPath) -> list[Path]:
        """The contract of `encode_four` for the others."""
        at, start, done = path.calls[-1]
        path.check_arguments(values.src.start + size * (at + 4), values.dst.start + start + done)
        path.calls = [(at + 8, start + done + values.step(path, start + done, need, FOUR, 4))]
        return [path]

    steps = {"true": values.turn(first), "false": second}
    calls = {image.function(f"{MODULE}mixed::encode_four::<{table}>"): one for table, one in steps.items()}
    values.check(image, image.function(f"{MODULE}mixed::eights"), calls)
