"""The AVX2 encoder's loops over blocks of 16 values, with each turn of which begins a call of `Block::load`:

    load           16 values as they are encoded, in vectors
    short_blocks   blocks of values of at most four bytes, by the steps in `avx2_encode.py`
    uniform        blocks of values of one length"""

from dataclasses import dataclass
from typing import Any

import z3

from model.image import Image, Refuted
from model.terms import as_bytes, lanes, term

from .avx2_encode import BLOCK, WRITTEN
from .avx2_pack import MODULE
from .contract import NotedPath, TablePath, content_of, stored
from .executor import LENT, LONGEST, Contract, Path, Region, fresh, run
from .loops import Loop
from .singles import check_encodings
from .wire import Integer, raw, takes

SIZE = 128  # of a `Block`


def load_of(image: Image, integer: Integer) -> int:
    return image.function(f"<zigzag_varint::simd::avx2::block::Block>::load::<{integer.name}, {BLOCK}>")


def possible(values: Any, bytes_: Any, count: Any, room: Any) -> z3.BoolRef:
    """Whether a part of an encoder can have this progress in a source of `count` values and a destination of `room`
    bytes. The parts after it need this, and that the bytes are the encodings of the values."""
    return z3.And(z3.ULE(values, count), z3.ULE(bytes_, room), z3.Implies(values == 0, bytes_ == 0))


def check_progress(path: Path, values: Any, bytes_: Any, count: Any, room: Any) -> None:
    """Proves that a part of an encoder returns this progress, and that it is possible."""
    path.prove(z3.And(path.get("RAX") == values, path.get("RDX") == bytes_), "another progress")
    path.prove(possible(values, bytes_, count, room), "an impossible progress")


def load(image: Image, integer: Integer) -> None:
    """The values as they are encoded are in the first vectors. The others are zero."""
    values = [z3.BitVec(f"value{at}", integer.bits) for at in range(BLOCK)]
    src = Region("src", BLOCK * integer.size, content_of(as_bytes(values, integer.bits)))
    path = Path(image, [src], [], [LENT, src.start])
    path.lend(LENT, SIZE)
    [after] = run(path, load_of(image, integer))
    after.prove(after.get("RAX") == LENT, "another result")
    given = lanes([after.fixed(LENT + at) for at in range(SIZE)], integer.bits)
    expected = [*[raw(one, integer) for one in values], *[0] * (len(given) - BLOCK)]
    after.prove(z3.And(*[term(a, integer.bits) == b for a, b in zip(given, expected, strict=True)]), "other values")


@dataclass(frozen=True)
class _Turn:
    """A turn: the progress at its start, its values as they are encoded, and the progress after an encoder."""

    values: Any
    bytes: Any
    wire: tuple[z3.BitVecRef, ...] = ()
    after: tuple[Any, Any] | None = None


class _Blocks:
    """A loop over the blocks of a source of any length, and a destination."""

    def __init__(self, image: Image, integer: Integer, length: int = 0) -> None:
        self.image, self.integer, self.length, size = image, integer, length, integer.size
        self.unsigned = Integer("", integer.bits, False)
        self.first, self.count, self.room = z3.BitVec("first", integer.bits), *z3.BitVecs("count room", 64)
        content = content_of(as_bytes([self.first], integer.bits))
        self.src, self.dst = Region("src", size * self.count, content), Region("dst", self.room)
        # The compiler uses that the loops are not called for less than a block.
        self.facts = [z3.ULE(self.room, LONGEST), z3.ULE(BLOCK, self.count), z3.ULE(self.count, LONGEST // size)]
        if length:
            self.facts.append(takes(self.first, integer, length))
        self.loop = Loop(self._words, self._holds)

    def _words(self, values: Any, bytes_: Any) -> list[Any]:
        size, src, dst = self.integer.size, self.src.start, self.dst.start
        left = [size * ((self.count & -BLOCK) - values), self.room - bytes_]
        return [values, bytes_, dst + bytes_, src + size * values, size * values, *left]

    def _holds(self, values: Any, bytes_: Any) -> z3.BoolRef:
        is_block = z3.And(z3.ULE(values, self.count), z3.ULE(BLOCK, self.count - values), values & BLOCK - 1 == 0)
        space = z3.ULE(self.length * BLOCK + WRITTEN if self.length else 0, self.room - bytes_)
        return z3.And(is_block, possible(values, bytes_, self.count, self.room), space)

    def end(self, path: NotedPath) -> tuple[Any, Any]:
        """Returns the progress, after the proof that stores are the encodings of a block of values of one length. If none
        is given, only encoders store."""
        turn = path.calls[-1]
        if not path.stores:
            return turn.after or (turn.values, turn.bytes)
        if not self.length or not turn.wire:
            raise Refuted("stores of its own")
        path.prove(z3.And(*[takes(one, self.unsigned, self.length) for one in turn.wire]), "values of other lengths")
        size = BLOCK * self.length
        new = stored(path, size, turn.bytes, range(size + WRITTEN))
        check_encodings(new, list(turn.wire), self.unsigned, self.length)
        return turn.values + BLOCK, turn.bytes + size

    def load(self, path: NotedPath, values: Any, bytes_: Any) -> list[Path]:
        """The contract of `load`, with which each turn begins."""
        path.check_arguments(None, self.src.start + self.integer.size * values)
        wire, place = tuple(fresh("wire", self.integer.bits) for _ in range(BLOCK)), path.number(path.get("RDI"))
        block = as_bytes([*wire, *[0] * (8 * SIZE // self.integer.bits - BLOCK)], self.integer.bits)
        path.stack |= {place + at: byte for at, byte in enumerate(block)}
        path.set("RAX", place)
        path.calls = [_Turn(values, bytes_, wire)]
        return [path]

    def ends(self, name: str, calls: dict[int, Contract]) -> list[NotedPath]:
        """Returns the ends of this loop, whose result is the progress."""
        path = TablePath(self.image, [self.src, self.dst], self.facts, [self.src.start, self.count, self.dst.start, self.room])
        path.calls = [_Turn(z3.BitVecVal(0, 64), z3.BitVecVal(0, 64))]
        calls[load_of(self.image, self.integer)] = self.loop.turn(self.end, self.load)
        ends = self.loop.ends(path, self.image.function(f"{MODULE}{name}::<{self.integer.name}>"), calls)
        for after in ends:
            check_progress(after, *self.end(after), self.count, self.room)
        return ends


def short_blocks(image: Image, integer: Integer) -> None:
    """Each block of values below 2^28 is encoded where the one before it ends, by an encoder for its longest value."""
    blocks = _Blocks(image, integer)

    def encoder(longest: int, width: int) -> Contract:
        """Returns the contract of an encoder of values of at most `longest` bytes, in lanes of this width."""

        def contract(path: NotedPath) -> list[Path]:
            turn, done, place = path.calls[-1], fresh("done"), path.number(path.get("RDI"))
            if turn.after:
                raise Refuted("two encoders")
            path.check_arguments(None, blocks.dst.start + turn.bytes)
            path.prove(z3.ULE(longest * BLOCK, blocks.room - turn.bytes), "too little space")
            given = lanes([path.fixed(place + at) for at in range(BLOCK * width // 8)], width)
            wire = [z3.ZeroExt(64 - integer.bits, one) for one in turn.wire]
            path.prove(z3.And(*[z3.ULT(one, 1 << 7 * longest) for one in wire]), "values of another encoder")
            same = [z3.ZeroExt(64 - width, term(a, width)) == b for a, b in zip(given, wire, strict=True)]
            path.prove(z3.And(*same), "other values")
            path.conditions += [z3.ULE(BLOCK, done), z3.ULE(done, longest * BLOCK)]
            path.set("RAX", done)
            path.calls = [_Turn(turn.values, turn.bytes, after=(turn.values + BLOCK, turn.bytes + done))]
            return [path]

        return contract

    steps = {"one_byte_each": (1, 16), "up_to_two_bytes_each": (2, 16), "up_to_four_bytes_each": (4, 32)}
    calls = {image.function(f"{MODULE}short::{name}"): encoder(*given) for name, given in steps.items()}
    blocks.ends("short_blocks", calls)


def uniform(image: Image, integer: Integer, length: int) -> None:
    """Each block of values of this length is encoded where the one before it ends, if the first value has this length."""
    blocks = _Blocks(image, integer, length)
    if not any(after.stores for after in blocks.ends("uniform::uniform", {})):
        raise Refuted("encodes nothing")
