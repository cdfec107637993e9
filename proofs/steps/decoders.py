"""The functions that choose among the decoders of a kernel. Each of these goes on where the one before it ended:

    sse            SSE's `decode`: `windows`, the scalar loop for what is suspicious, and the SWAR kernel for the end
    avx2_windows   AVX2's `windows`: `uniform`, `sparse` and `dense`
    avx2           AVX2's `decode`: `windows`, `buffered`, and the scalar loop for what is suspicious and for the end
    avx512_further  AVX-512's `further`: `fixed_stride`, `listed`, `uniform`, and AVX2's `dense`
    avx512         AVX-512's `decode`: `front`, `uniform`, `further`, and the scalar loop for what is doubtful"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import z3

from model.image import Image
from model.terms import Byte, term

from .avx512_decode import with_common_len
from .contract import CANONICAL, DOUBLE_PUMPED, NotedPath, Slices
from .executor import LENT, Contract, Path, run
from .loops import Loop, progress_of
from .questions import fresh
from .scalar import DONE, Result, check_result, put_result
from .sse import function
from .sse_windows import WORTHWHILE
from .wire import Integer

SHORTEST, LONGEST = 16, 1 << 12  # runs of the scalar loop, of which each is twice as long as the one before it

UNUSED = Byte(z3.BitVec("unused", 8))


@dataclass(frozen=True)
class _Now:
    """The progress; the next run of the scalar loop, and that before it; and the result of the scalar loop or of the SWAR
    kernel if that was the last decoder: values, bytes, the offset of an error, and its kind."""

    at: tuple[Any, Any] = (z3.BitVecVal(0, 64), z3.BitVecVal(0, 64))
    run: Any = z3.BitVecVal(SHORTEST, 64)
    before: Any = z3.BitVecVal(SHORTEST, 64)
    result: Result | tuple[()] = ()


class _Decoder:
    """A source, a destination and progress in them."""

    def __init__(self, image: Image, integer: Integer, least: int = 0) -> None:
        """`least`: the least length of a source for which a turn begins."""
        self.image, self.integer, self.slices = image, integer, Slices(integer)
        slices = self.slices
        slices.src.content = lambda *_: Byte(fresh("byte", 8))  # of which the choices are arbitrary

        def words(values: Any, bytes_: Any, run_: Any) -> list[Any]:
            return [values, bytes_, run_, *slices.rest(values, bytes_)]

        def holds(values: Any, bytes_: Any, run_: Any) -> z3.BoolRef:
            return z3.And(slices.within(values, bytes_), z3.ULE(least, slices.len), z3.ULE(run_, LONGEST))

        self.loop, self.has_loop = Loop(words, holds), False

    def function(self, name: str) -> int:
        return self.image.function(f"zigzag_varint::simd::{name}::<{self.integer.name}>")

    def turn(self, part: Contract, canonical: int | None = None) -> Contract:
        """Returns the contract of a decoder with which a turn begins. `canonical`: where the argument for the kind of decoding
        is on the stack, of which it takes half of a place."""

        def end(path: NotedPath) -> Sequence[Any]:
            if canonical is not None:
                place = path.get("RSP") + canonical
                path.stack |= {place + at: UNUSED for at in range(4, 8)}
            now = progress_of(path)
            return *now.at, now.run

        def contract(path: NotedPath, values: Any, bytes_: Any, run_: Any) -> list[Path]:
            path.calls = [_Now((values, bytes_), before=run_)]
            return part(path)

        self.has_loop = True
        return self.loop.turn(end, contract)

    def advance(self, path: NotedPath, *before: Any) -> list[Path]:
        """Returns the path after a decoder that is given these arguments, the slices and the progress, and returns its own."""
        [now], new = path.calls, self.slices.unknown_progress(path)
        path.check_arguments(*before, *self.slices.arguments, *now.at, CANONICAL)
        path.set("RAX", new[0])
        path.second, path.calls = new[1], [replace(now, at=new, result=())]
        return [path]

    def advance_at(self, skipped: int) -> Contract:
        """Returns the contract of a decoder that has the progress in memory. `skipped`: the number of its arguments between
        that and the kind of decoding."""

        def contract(path: NotedPath) -> list[Path]:
            place, [now], new = path.number(path.get("R8")), path.calls, self.slices.unknown_progress(path)
            path.check_arguments(*self.slices.arguments, *[None] * (1 + skipped), CANONICAL)
            path.expect(place, *now.at)
            path.put(place, *new)
            path.calls = [replace(now, at=new, result=())]
            return [path]

        return contract

    def scalar(self, path: NotedPath) -> list[Path]:
        """The contract of the scalar loop, which may get less space than there is."""
        end, [now] = term(path.get("R8"), 64), path.calls
        path.prove(z3.And(z3.ULE(now.at[0], end), z3.ULE(end, self.slices.space)), "slots after the last one")
        path.check_arguments(None, *self.slices.arguments[:3], None, *now.at, CANONICAL)
        values, bytes_, *error = put_result(path, end, self.slices.len)
        longer = z3.If(z3.ULE(2 * now.before, LONGEST), 2 * now.before, z3.BitVecVal(LONGEST, 64))
        path.calls = [_Now((values, bytes_), longer, result=(values, bytes_, *error))]
        return [path]

    def swar(self, path: NotedPath) -> list[Path]:
        """The contract of the SWAR kernel for the rest."""
        [now] = path.calls
        (values, bytes_), rest = now.at, self.slices.rest(*now.at)
        path.check_arguments(None, *rest, CANONICAL)
        more = put_result(path, rest[3], rest[1])
        path.calls = [replace(now, result=(values + more[0], bytes_ + more[1], bytes_ + more[2], more[3]))]
        return [path]

    def ends(
        self, address: int, calls: Mapping[int, Contract], arguments: Sequence[Any], begin: _Now, *lent: Any
    ) -> Iterator[tuple[NotedPath, _Now]]:
        """Yields the ends of a function that stores nothing itself. `lent`: words in memory of the caller."""
        path = self.slices.path(self.image, arguments)
        path.lend(LENT, 32, *lent)
        path.calls = [begin]
        for after in self.loop.ends(path, address, calls) if self.has_loop else run(path, address, calls):
            yield after, progress_of(after)

    def check_decode(self, address: int, calls: Mapping[int, Contract], *more: Any) -> None:
        """Proves that the result is that of the last decoder, which has found an error or leaves nothing. `more`: arguments
        after the usual ones."""
        for after, now in self.ends(address, calls, [LENT, *self.slices.arguments, CANONICAL, *more], _Now()):
            check_result(after, LENT, now.result or (*now.at, 0, DONE), self.slices.space, self.slices.len)


def sse(image: Image, integer: Integer) -> None:
    """Decodes until an error, or until the source or the destination is at its end."""
    decoder = _Decoder(image, integer, WORTHWHILE)
    calls = {decoder.function("swar::decode"): decoder.swar}
    if integer.size > 2:
        calls |= {decoder.function("scalar::decode"): decoder.scalar}
        calls[function(image, "decode::windows", integer.name)] = decoder.turn(decoder.advance, 0)
    decoder.check_decode(function(image, "decode::decode", integer.name), calls)


def avx2(image: Image, integer: Integer) -> None:
    """Decodes until an error, or until the source or the destination is at its end."""
    decoder = _Decoder(image, integer)
    windows = decoder.turn(decoder.advance, 0)
    parts = {"avx2::decode::windows": windows, "avx2::decode::buffered": decoder.advance, "scalar::decode": decoder.scalar}
    decoder.check_decode(decoder.function("avx2::decode::decode"), {decoder.function(name): one for name, one in parts.items()})


def avx2_windows(image: Image, integer: Integer) -> None:
    """Decodes windows while there are any, and returns the progress."""
    decoder = _Decoder(image, integer)
    slices = decoder.slices
    one_length = decoder.turn(lambda path: decoder.advance(path, path.get("RDI")), 8)  # which is given a length
    steps = {"uniform::uniform": one_length, "dense::dense": decoder.turn(decoder.advance, 0)}
    if integer.size > 2:
        steps["sparse::sparse"] = decoder.turn(decoder.advance, 0)
    calls = {decoder.function(f"avx2::decode::steps::{name}"): one for name, one in steps.items()}
    arguments, begin = [*slices.arguments, *slices.at, CANONICAL], _Now(slices.at)
    for after, now in decoder.ends(decoder.function("avx2::decode::windows"), calls, arguments, begin):
        after.check_returned(*now.at)


def avx512_further(image: Image, integer: Integer) -> None:
    """Decodes while whole windows are left, and has the progress where it was."""
    decoder = _Decoder(image, integer)
    calls = {
        decoder.function("avx512::decode::fixed_stride::fixed_stride"): decoder.turn(decoder.advance_at(2)),
        decoder.function("avx512::decode::uniform::uniform"): decoder.advance_at(1),
        **with_common_len(image),
    }
    if integer.longest > 3:
        calls[decoder.function("avx512::decode::listed::listed")] = decoder.turn(decoder.advance_at(0))
        calls[decoder.function("avx2::decode::steps::dense::dense")] = decoder.turn(decoder.advance, 0)
    arguments, begin = [*decoder.slices.arguments, LENT, CANONICAL, DOUBLE_PUMPED], _Now(decoder.slices.at)
    for after, now in decoder.ends(decoder.function("avx512::decode::further"), calls, arguments, begin, *begin.at):
        after.expect(LENT, *now.at)


def avx512(image: Image, integer: Integer) -> None:
    """Decodes until an error, or until the source or the destination is at its end."""
    decoder = _Decoder(image, integer)
    slices = decoder.slices

    def front(path: NotedPath) -> list[Path]:
        """The contract of `front`."""
        [now], place = path.calls, path.number(path.get("RDI"))
        values, bytes_ = now.at
        path.check_arguments(None, *slices.rest(*now.at), CANONICAL)
        path.forget(range(place, place + 32))
        none = path.copy()
        none.stack[place], path.stack[place], new = 0, 1, slices.unknown_progress(path)
        path.put(place + 8, new[0] - values, new[1] - bytes_)
        path.conditions += [z3.ULE(values, new[0]), z3.ULE(bytes_, new[1])]
        path.calls = [replace(now, at=new)]
        return [path, none]

    calls = {
        decoder.function("avx512::decode::front"): decoder.turn(front),
        decoder.function("avx512::decode::uniform::uniform"): decoder.advance_at(1),
        decoder.function("avx512::decode::further"): decoder.advance_at(0),
        decoder.function("scalar::decode"): decoder.scalar,
        **with_common_len(image),
    }
    decoder.check_decode(decoder.function("avx512::decode::decode"), calls, DOUBLE_PUMPED)
