"""The functions that choose among the decoders of a kernel. Each of these goes on where the one before it ended:

    sse            SSE's `decode`: `windows`, the scalar loop for what is suspicious, and the SWAR kernel for the end
    avx2_windows   AVX2's `windows`: `uniform`, `sparse` and `dense`
    avx2           AVX2's `decode`: `windows`, `buffered`, and the scalar loop for what is suspicious and for the end"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import z3

from model.image import Image
from model.terms import Byte, term

from .contract import CANONICAL, NotedPath, Slices
from .executor import LENT, Contract, Path, fresh, run
from .loops import Loop, progress_of
from .scalar import DONE
from .sse import function
from .sse_windows import WORTHWHILE
from .wire import Integer

SHORTEST, LONGEST = 16, 1 << 12  # runs of the scalar loop, of which each is twice as long as the one before it

UNUSED = Byte(z3.BitVec("unused", 8))


@dataclass(frozen=True)
class _Now:
    """The progress; the next run of the scalar loop, and that before it; and the result of the last decoder: values,
    bytes, the offset of an error, and its kind."""

    at: tuple[Any, Any] = (0, 0)
    run: Any = z3.BitVecVal(SHORTEST, 64)
    before: Any = z3.BitVecVal(SHORTEST, 64)
    result: tuple[Any, ...] = ()


class _Decoder:
    """A source, a destination and progress in them."""

    def __init__(self, image: Image, integer: Integer, least: int = 0) -> None:
        """`least`: the least length of a source for which a turn begins."""
        self.image, self.integer, self.slices = image, integer, Slices(integer)
        slices = self.slices
        slices.src.content = lambda *_: Byte(fresh("byte", 8))  # of which the choices are arbitrary

        def words(values: Any, bytes_: Any, run_: Any) -> list[Any]:
            return [values, bytes_, run_, slices.src.start + bytes_]

        def holds(values: Any, bytes_: Any, run_: Any) -> z3.BoolRef:
            return z3.And(slices.within(values, bytes_), z3.ULE(least, slices.len), z3.ULE(run_, LONGEST))

        self.loop, self.has_loop = Loop(words, holds), False

    def function(self, name: str) -> int:
        return self.image.function(f"zigzag_varint::simd::{name}::<{self.integer.name}>")

    def turn(self, *before: str) -> Contract:
        """Returns the contract of a decoder with which a turn begins, and which has the arguments in these registers before
        the slices."""

        def end(path: NotedPath) -> Sequence[Any]:
            canonical = path.get("RSP") + 8 * len(before)  # It takes half of its place.
            path.stack |= {canonical + at: UNUSED for at in range(4, 8)}
            now = progress_of(path)
            return *now.at, now.run

        def contract(path: NotedPath, values: Any, bytes_: Any, run_: Any) -> list[Path]:
            path.calls = [_Now((values, bytes_), before=run_)]
            return self.advance(path, *[path.get(name) for name in before])

        self.has_loop = True
        return self.loop.turn(end, contract)

    def advance(self, path: NotedPath, *before: Any) -> list[Path]:
        """Returns the path after a decoder that is given these arguments, the slices and the progress, and returns its own."""
        [now], new = path.calls, (fresh("values"), fresh("bytes"))
        path.check_arguments(*before, *self.slices.arguments, *now.at, CANONICAL)
        path.conditions.append(self.slices.within(*new))
        path.set("RAX", new[0])
        path.second, path.calls = new[1], [replace(now, at=new)]
        return [path]

    def _last(self, path: NotedPath, end: Any, left: Any) -> tuple[Any, ...]:
        """Puts the result of a decoder of `left` bytes to `end` slots, and returns it."""
        place, kind = path.number(path.get("RDI")), fresh("kind", 8)
        values, bytes_, offset = (fresh(name) for name in ("values", "bytes", "offset"))
        path.put(place, values, bytes_, offset)
        path.forget(range(place + 25, place + 32))
        path.stack[place + 24] = Byte(kind)
        path.set("RAX", place)
        path.conditions += [z3.ULE(values, end), z3.ULE(bytes_, left), z3.ULE(offset, left)]
        path.conditions += [z3.ULE(kind, DONE), z3.Implies(kind == DONE, z3.Or(values == end, bytes_ == left))]
        return values, bytes_, offset, kind

    def scalar(self, path: NotedPath) -> list[Path]:
        """The contract of the scalar loop, which may get less space than there is."""
        end, [now] = term(path.get("R8"), 64), path.calls
        path.prove(z3.And(z3.ULE(now.at[0], end), z3.ULE(end, self.slices.space)), "slots after the last one")
        path.check_arguments(None, *self.slices.arguments[:3], None, *now.at, CANONICAL)
        values, bytes_, *error = self._last(path, end, self.slices.len)
        longer = z3.If(z3.ULE(2 * now.before, LONGEST), 2 * now.before, z3.BitVecVal(LONGEST, 64))
        path.calls = [_Now((values, bytes_), longer, result=(values, bytes_, *error))]
        return [path]

    def swar(self, path: NotedPath) -> list[Path]:
        """The contract of the SWAR kernel for the rest."""
        [now], slices = path.calls, self.slices
        values, bytes_ = now.at
        left, space = slices.len - bytes_, slices.space - values
        slots = slices.dst.start + self.integer.size * values
        path.check_arguments(None, slices.src.start + bytes_, left, slots, space, CANONICAL)
        more = self._last(path, space, left)
        path.calls = [replace(now, result=(values + more[0], bytes_ + more[1], bytes_ + more[2], more[3]))]
        return [path]

    def ends(
        self, address: int, calls: Mapping[int, Contract], arguments: Sequence[Any], begin: _Now
    ) -> Iterator[tuple[NotedPath, _Now]]:
        """Yields the ends of a function that stores nothing itself."""
        path = self.slices.path(self.image, arguments)
        path.lend(LENT, 32)
        path.calls = [begin]
        for after in self.loop.ends(path, address, calls) if self.has_loop else run(path, address, calls):
            yield after, progress_of(after)

    def check_decode(self, address: int, calls: Mapping[int, Contract]) -> None:
        """Proves that the result is that of the last decoder, which has found an error or leaves nothing."""
        for after, now in self.ends(address, calls, [LENT, *self.slices.arguments, CANONICAL], _Now()):
            values, bytes_, offset, kind = now.result
            is_kind = term(after.word(LENT + 24, 8), 8) == kind
            is_error = z3.Or(kind == DONE, after.words(LENT + 16, 1)[0] == offset)
            after.expect(LENT, values, bytes_)
            after.prove(z3.And(is_kind, is_error, after.get("RAX") == LENT), "another result")
            nothing = z3.Or(values == self.slices.space, bytes_ == self.slices.len)
            after.prove(z3.Implies(kind == DONE, nothing), "ends too early")


def sse(image: Image, integer: Integer) -> None:
    """Decodes until an error, or until the source or the destination is at its end."""
    decoder = _Decoder(image, integer, WORTHWHILE)
    calls = {decoder.function("swar::decode"): decoder.swar}
    if integer.size > 2:
        calls |= {decoder.function("scalar::decode"): decoder.scalar}
        calls[function(image, "decode::windows", integer.name)] = decoder.turn()
    decoder.check_decode(function(image, "decode::decode", integer.name), calls)


def avx2(image: Image, integer: Integer) -> None:
    """Decodes until an error, or until the source or the destination is at its end."""
    decoder = _Decoder(image, integer)
    parts = {"avx2::decode::windows": decoder.turn(), "avx2::decode::buffered": decoder.advance, "scalar::decode": decoder.scalar}
    decoder.check_decode(decoder.function("avx2::decode::decode"), {decoder.function(name): one for name, one in parts.items()})


def avx2_windows(image: Image, integer: Integer) -> None:
    """Decodes windows while there are any, and returns the progress."""
    decoder = _Decoder(image, integer)
    slices = decoder.slices
    steps = {"uniform::uniform": decoder.turn("RDI"), "dense::dense": decoder.turn()}  # The first is given a length.
    if integer.size > 2:
        steps["sparse::sparse"] = decoder.turn()
    calls = {decoder.function(f"avx2::decode::steps::{name}"): one for name, one in steps.items()}
    arguments, begin = [*slices.arguments, *slices.at, CANONICAL], _Now(slices.at)
    for after, now in decoder.ends(decoder.function("avx2::decode::windows"), calls, arguments, begin):
        after.prove(z3.And(after.get("RAX") == now.at[0], after.get("RDX") == now.at[1]), "another progress")
