"""The AVX2 encoder around its loops over values. Each part encodes the values where those before them end:

    convert      signed values as they are encoded, for `eights`
    mixed        values of any length
    encode_few   the last values, at most a block
    encode       a slice: it chooses among the loops in `avx2_blocks.py` and these"""

from typing import Any

import z3

from model.image import Image, Refuted
from model.terms import Byte, as_bytes, is_same, known, term

from .avx2_blocks import SIZE, check_progress, load_of, possible
from .avx2_encode import BLOCK
from .avx2_encode import LONGEST as MOST
from .avx2_pack import MODULE
from .contract import NotedPath, check_no_stores, content_of
from .executor import LENT, LONGEST, Contract, Path, Region, fresh, run
from .loops import Loop, progress_of
from .wire import Integer, raw

CHUNK = 64
WIRE = z3.BitVecs([f"wire{at}" for at in range(CHUNK)], 64)


def convert(image: Image, integer: Integer) -> None:
    """Each value is written as it is encoded."""
    values = [z3.BitVec(f"value{at}", integer.bits) for at in range(CHUNK)]
    data = as_bytes(values, integer.bits)
    for count in range(1, CHUNK + 1):
        src = Region("src", integer.size * count, content_of(data))
        path = Path(image, [src], [], [src.start, count, LENT])
        path.lend(LENT, 8 * CHUNK)
        for after in run(path, image.function(f"{MODULE}mixed::convert::<{integer.name}>")):
            given = zip(after.words(LENT, count), values, strict=False)
            after.prove(z3.And(*[a == z3.ZeroExt(64 - integer.bits, raw(b, integer)) for a, b in given]), "other values")


class _Encoder:
    """A source and a destination of any length, of which the values before a progress are encoded."""

    def __init__(self, image: Image, integer: Integer) -> None:
        self.image, self.integer = image, integer
        self.count, self.room = z3.BitVecs("count room", 64)
        self.src = Region("src", integer.size * self.count, lambda *_: Byte(fresh("value", 8)))
        self.dst = Region("dst", self.room)
        self.facts = [z3.ULE(self.room, LONGEST), z3.ULE(self.count, LONGEST // integer.size)]

    def function(self, name: str) -> int:
        return self.image.function(f"{MODULE}{name}::<{self.integer.name}>")

    def start(self, *facts: z3.BoolRef) -> NotedPath:
        arguments = [self.src.start, self.count, self.dst.start, self.room]
        path = NotedPath(self.image, [self.src, self.dst], [*self.facts, *facts], arguments)
        path.calls = [(z3.BitVecVal(0, 64), z3.BitVecVal(0, 64))]
        return path

    def loop(self, chunk: int) -> Loop:
        """Returns a loop over chunks of this number of values, of which the last can have fewer."""
        size, src, dst = self.integer.size, self.src.start, self.dst.start

        def words(values: Any, bytes_: Any) -> list[Any]:
            at = [values, bytes_, dst + bytes_, src + size * values]
            return [*at, self.count - values, self.next(values, chunk), self.room - bytes_]

        def holds(values: Any, bytes_: Any) -> z3.BoolRef:
            return z3.And(values != self.count, possible(values, bytes_, self.count, self.room))

        return Loop(words, holds, lambda values, _: [z3.ULE(BLOCK, self.count - values)])

    def next(self, values: Any, chunk: int) -> Any:
        """Returns the number of values in the next chunk."""
        left = self.count - values
        return z3.If(z3.ULE(chunk, left), chunk, left)

    def given(self, path: NotedPath, *values: Any) -> tuple[Any, Any]:
        """Returns the progress at a call, after the proof that it is given the values from there on, or those that are
        said, and what is left of the destination."""
        at, bytes_ = path.calls[-1][:2]
        values = values or (self.src.start + self.integer.size * at,)
        path.check_arguments(values[0], None, self.dst.start + bytes_, self.room - bytes_)
        return at, bytes_

    def part(self, least: int = 0) -> Contract:
        """Returns the contract of a part that encodes the first of some values, at least `least`, and returns the progress."""

        def contract(path: NotedPath) -> list[Path]:
            at, bytes_ = self.given(path)
            number = term(path.get("RSI"), 64)
            path.prove(z3.And(z3.ULE(least, number), z3.ULE(number, self.count - at)), "other values")
            return [self.advance(path, number)]

        return contract

    def advance(self, path: NotedPath, number: Any) -> Path:
        """Returns the path after a part that has encoded at most this number of values, and stored nothing if none."""
        (at, bytes_), new = path.calls[-1][:2], (fresh("values"), fresh("bytes"))
        path.conditions += [z3.ULE(at, new[0]), z3.ULE(new[0] - at, number), z3.Implies(new[0] == at, new[1] == bytes_)]
        path.conditions += [z3.ULE(new[0], self.count), z3.ULE(bytes_, new[1]), z3.ULE(new[1], self.room)]
        path.set("RAX", new[0] - at)
        path.second, path.calls = new[1] - bytes_, [new]
        return path


def mixed(image: Image, integer: Integer) -> None:
    """Encodes values, and returns the progress."""
    encoder = _Encoder(image, integer)
    loop = encoder.loop(CHUNK)

    def end(path: NotedPath) -> Any:
        path.put(path.number(path.get("RDX")), *WIRE)  # which is written next
        return progress_of(path)

    def convert(path: NotedPath, at: Any, bytes_: Any) -> list[Path]:
        """The contract of `convert`."""
        place, number = path.number(path.get("RDX")), term(path.get("RSI"), 64)
        path.check_arguments(encoder.src.start + integer.size * at)
        path.prove(number == encoder.next(at, CHUNK), "other values")
        path.calls = [(at, bytes_, place, number)]
        return [path]

    def eights(path: NotedPath) -> list[Path]:
        """The contract of `eights`, which is given the values as they are encoded."""
        *_, place, number = path.calls[-1]
        encoder.given(path, z3.BitVecVal(place, 64))
        path.check_arguments(None, number)
        path.expect(place, *WIRE, what="other values")
        return [encoder.advance(path, number)]

    calls = {encoder.function("pdep::one_by_one"): encoder.part()}
    if integer.signed:
        calls |= {encoder.function("mixed::convert"): loop.turn(end, convert), image.function(f"{MODULE}mixed::eights"): eights}
        ends = loop.ends(encoder.start(), encoder.function("mixed::mixed"), calls)
    else:
        calls |= {image.function(f"{MODULE}mixed::eights"): encoder.part()} if integer.size == 8 else {}
        ends = run(encoder.start(), encoder.function("mixed::mixed"), calls)
    for after in ends:
        check_progress(after, *progress_of(after), encoder.count, encoder.room)


def encode_few(image: Image, integer: Integer) -> None:
    """Encodes all values, of which there are at most a block, or has no result if they take more bytes than there are."""
    values, total, size = [z3.BitVec(f"value{at}", integer.bits) for at in range(BLOCK)], z3.BitVec("total", 64), MOST * BLOCK
    for count in range(1, BLOCK + 1):
        encoder = _Encoder(image, integer)
        encoder.src.content = content_of(as_bytes(values, integer.bits))
        path = encoder.start(encoder.count == count, z3.ULE(count, total), z3.ULE(total, integer.longest * count))
        path.set("RSI", count)

        def one_by_one(path: NotedPath, encoder: _Encoder = encoder) -> list[Path]:
            """The contract of `one_by_one`, which is given as much space as all values can take."""
            to = path.get("RDX")
            path.prove(z3.ULE(MOST * encoder.count, path.get("RCX")), "too little space")
            path.check_arguments(encoder.src.start, encoder.count)
            if known(to):
                path.check_arguments(None, None, None, size)
                path.put(to, *WIRE[: size // 8])
            else:
                path.check_arguments(None, None, encoder.dst.start, encoder.room)
            path.set("RAX", encoder.count)
            path.second = total
            path.calls = [to]
            return [path]

        def in_turn(path: NotedPath, encoder: _Encoder = encoder) -> list[Path]:
            """The contract of the scalar encoder."""
            path.check_arguments(encoder.src.start, encoder.count, encoder.dst.start, encoder.room, 0, 0)
            ways = [path, path.copy()]
            for has_space, one in enumerate(ways):
                one.conditions.append(z3.ULE(total, encoder.room) == bool(has_space))
                one.set("RAX", has_space)
                one.second, one.calls = total, [encoder.dst.start] * has_space
            return [one for one in ways if one.is_taken()]

        def copy(path: NotedPath, encoder: _Encoder = encoder) -> list[Path]:
            """The contract of `memcpy`."""
            [buffer] = path.calls
            path.check_arguments(encoder.dst.start, buffer, total)
            path.prove(z3.ULE(total, encoder.room), "too little space")
            path.expect(buffer, *WIRE[: size // 8], what="other bytes")
            path.calls = [encoder.dst.start]
            return [path]

        calls = {encoder.function("pdep::one_by_one"): one_by_one, image.function("memcpy"): copy}
        calls |= {image.function(f"zigzag_varint::simd::scalar::encode::<{integer.name}>"): in_turn}
        for after in run(path, encoder.function("encode_few"), calls):
            check_no_stores(after)
            if after.number(after.get("RAX")) == 0:
                after.prove(z3.UGT(total, encoder.room), "no result")
                continue
            after.prove(after.get("RDX") == total, "another length")
            if not after.calls or not is_same(after.calls[0], encoder.dst.start):
                raise Refuted("encodes nothing")


def encode(image: Image, integer: Integer) -> None:
    """Encodes all values, and returns the length that is used. If the last ones have no space, it has no result."""
    encoder = _Encoder(image, integer)
    loop = encoder.loop(BLOCK)

    def end(path: NotedPath) -> Any:
        return progress_of(path)[:2]

    def first(path: NotedPath, *_: Any) -> list[Path]:
        """The contract of `short_blocks`, with which each turn begins."""
        return encoder.part(BLOCK)(path)

    def load(path: NotedPath) -> list[Path]:
        """The contract of `load`."""
        at, _ = path.calls[-1]
        path.check_arguments(None, encoder.src.start + integer.size * at)
        path.prove(z3.ULE(BLOCK, encoder.count - at), "values after the last one")
        place = path.number(path.get("RDI"))
        path.put(place, *WIRE[: SIZE // 8])
        path.set("RAX", place)
        path.calls = [(*path.calls[-1], len(path.conditions))]
        return [path]

    def choose(least: int) -> Contract:
        """Returns the contract of one of the others, which the values of the block choose. Nothing else depends on them."""

        def contract(path: NotedPath) -> list[Path]:
            *at, known_before = path.calls[-1]
            path.calls, path.conditions = [at], path.conditions[:known_before]
            return encoder.part(least)(path)

        return contract

    def few(path: NotedPath, at: Any, bytes_: Any) -> list[Path]:
        """The contract of `encode_few`."""
        encoder.given(path)
        number = encoder.next(at, BLOCK)
        path.check_arguments(None, number)
        none = path.copy()
        none.set("RAX", 0)
        none.calls = [None]
        end = fresh("end")
        path.conditions += [z3.ULE(bytes_, end), z3.ULE(end, encoder.room)]
        path.set("RAX", 1)
        path.second, path.calls = end - bytes_, [(at + number, end)]
        return [path, none]

    calls = {encoder.function("short_blocks"): loop.turn(end, first), encoder.function("encode_few"): loop.turn(end, few)}
    if integer.longest > 4:
        calls |= {load_of(image, integer): load}
        calls |= {encoder.function("uniform::uniform"): choose(BLOCK), encoder.function("mixed::mixed"): choose(0)}
    for after in loop.ends(encoder.start(), encoder.function("encode"), calls):
        progress, has_result = progress_of(after), after.number(after.get("RAX"))
        if has_result != (progress is not None):
            raise Refuted("another result")
        if has_result:
            values, bytes_ = progress
            after.prove(z3.And(values == encoder.count, after.get("RDX") == bytes_), "another length")
