"""Decoding into a vector: `decode_append`, and `load_many` (src/wire.rs), to which it leaves all but short sources for which
there is space. The values are decoded to the spare capacity, or to a block on the stack and copied from there."""

from typing import Any

import z3

from model.image import Image
from model.terms import known, simplified, term

from .contract import CANONICAL, TablePath, check_no_stores
from .executor import FRAME, LENT, LONGEST, Path, Region, run
from .questions import fresh
from .scalar import DONE, put_result
from .slices import Decoder, choose, kernels
from .wire import Integer

VEC = LENT + 64  # the capacity, the address and the length
LEFT = (LENT, 32), (VEC, 24)  # what `load_many` leaves: the result and the vector
RESERVE, GROW = "<alloc::raw_vec::RawVecInner<_>>::reserve::do_reserve_and_handle", "<alloc::raw_vec::RawVecInner>::finish_grow"

COUNT = "<zigzag_varint::simd::{}>::count"  # that of AVX-512 is given a bool before the source
KERNELS = "scalar::ScalarKernel", "swar::Swar", "vector128::sse::Sse", "avx2::Avx2"  # some are one function


class _Path(TablePath):
    """A path with the vector's buffer as it is now, its capacity, and a number of slots that is enough for the values. `calls`
    has the address of the values and the result of the decoder, and is empty before it."""

    buffer: Region
    capacity: Any
    enough: Any

    def grow(self, capacity: Any, integer: Integer) -> None:
        """Moves the buffer to memory for at least the values that it has."""
        self.buffer, self.capacity = Region(str(fresh("buffer")), integer.size * capacity), capacity
        self.regions = [self.regions[0], self.buffer]
        self.conditions.append(z3.ULE(capacity, LONGEST // integer.size))


class _Appending(Decoder):
    """A source, and a vector of any length and capacity."""

    def __init__(self, image: Image, integer: Integer, canonical: Any = CANONICAL) -> None:
        super().__init__(image, integer, canonical)
        self.length, self.capacity = z3.BitVecs("length capacity", 64)
        names = {RESERVE: self.reserve, GROW: self.finish_grow}
        self.calls = {one.address: names[name] for one in image.functions() for name in names if one.name.startswith(name)}
        self.calls |= {
            self.function("dispatch::decode_few"): lambda path: self.decode(path, 0),
            self.function("dispatch::decode_more"): self.decode,
            image.function("memcpy"): self.copy,
            **kernels(image, integer, "decode", self.decode, lambda path: self.decode(path, 0, 0)),
        }
        counts = [COUNT.format(name) for name in KERNELS]
        self.calls |= {one.address: self.count for one in image.functions() if one.name in counts}
        self.calls[image.function(COUNT.format("avx512::Avx512"))] = lambda path: self.count(path, None)

    def end_of(self, path: _Path) -> Any:
        """Returns where the next value of the vector is."""
        return path.buffer.start + self.integer.size * self.length

    def decode(self, path: _Path, *given: Any) -> list[Path]:
        """The contract of a decoder of all, which is given these arguments too."""
        slots, space = simplified(path.get("RCX")), term(path.get("R8"), 64)
        path.check_arguments(None, *self.slices.arguments[:2], None, None, *given, self.canonical)
        path.prove(z3.ULE(path.enough, space), "fewer slots than there may be values")
        if known(slots):
            block = range(slots, slots + self.integer.size * path.number(space))
            path.prove(z3.BoolVal(slots >= path.number(path.get("RSP")) and block[-1] in FRAME), "slots outside of the frame")
            path.forget(block)
        else:
            path.prove(z3.And(slots == self.end_of(path), z3.ULE(space, path.capacity - self.length)), "other slots")
        path.calls = [slots, put_result(path, space, self.slices.len)]
        return [path]

    def reserve(self, path: _Path) -> list[Path]:
        """The contract of `reserve`: there is space for more values, perhaps elsewhere. Or it does not return."""
        size, more, failed = self.integer.size, path.get("RDX"), path.copy()
        path.check_arguments(VEC, self.length, None, size, size)
        path.grow(fresh("capacity"), self.integer)
        path.conditions += [z3.ULE(self.length, path.capacity), z3.ULE(more, path.capacity - self.length)]
        path.put(VEC, path.capacity, path.buffer.start)
        return [path, failed.end("no memory")]

    def finish_grow(self, path: _Path) -> list[Path]:
        """The contract of a function that allocates memory for a number of values, or does not."""
        size, place, failed = self.integer.size, path.number(path.get("RDI")), path.copy()
        path.check_arguments(None, 0, None, None, size, size)
        path.prove(path.capacity == 0, "a buffer that is lost")
        path.forget(range(place, place + 24))
        path.grow(term(path.get("RCX"), 64), self.integer)
        path.put(place, 0, path.buffer.start)
        return [path, failed.end("no memory")]

    def count(self, path: _Path, *given: Any) -> list[Path]:
        """The contract of `count`, which is tested, after these arguments. One more value may be incomplete."""
        source, size, *_ = self.slices.arguments
        path.check_arguments(*given, source, size)
        path.conditions.append(z3.ULE(path.get("RAX"), size))
        path.enough = path.get("RAX") + z3.ZeroExt(63, z3.Extract(7, 7, self.slices.byte(size - 1)))
        return [path]

    def copy(self, path: _Path) -> list[Path]:
        """The contract of `memcpy`, for the values of a block."""
        slots, result = path.calls
        path.prove(z3.ULE(result[0], path.capacity - self.length), "too little space")
        path.check_arguments(self.end_of(path), slots, self.integer.size * result[0])
        path.calls[0] = self.end_of(path)
        return [path]

    def check(self, function: int, *arguments: Any) -> None:
        """Proves that the result is that of the decoder, and that its values are at the end of the vector, where there is space
        for them, as the contract of what writes them needs."""
        facts = z3.ULE(self.slices.len, LONGEST), z3.ULE(self.length, self.capacity)
        path = _Path(self.image, [self.slices.src], facts, [LENT, *self.slices.arguments[:2], VEC, *arguments])
        path.grow(self.capacity, self.integer)
        path.enough = self.slices.len
        path.lend(LENT, 32)
        path.lend(VEC, 24, self.capacity, path.buffer.start, self.length)
        for after in run(choose(path), function, self.calls):
            check_no_stores(after)
            if after.kept:  # by `load_many`
                after.check_kept(after.kept)
                continue
            slots, (values, bytes_, offset, kind) = after.calls
            after.expect(VEC, after.capacity, after.buffer.start, self.length + values, what="another vector")
            after.prove(z3.Or(values == 0, slots == self.end_of(after)), "values elsewhere")
            after.prove(z3.And(after.words(LENT, 1)[0] == values, term(after.word(LENT + 24, 8), 8) == kind), "another result")
            same = z3.And(*[a == b for a, b in zip(after.words(LENT + 8, 2), (bytes_, offset), strict=True)])
            after.prove(z3.Or(kind == DONE, same), "another error")


def load_many(image: Image, integer: Integer) -> None:
    """All is decoded into the spare capacity if there is space for a value for each byte, or by way of a block. For longer
    sources the values are counted, and space for them is reserved."""
    appending = _Appending(image, integer)
    appending.check(appending.function("wire::load_many"), CANONICAL)


def decode_append(image: Image, integer: Integer, canonical: bool) -> None:
    """A few bytes are decoded into the spare capacity if there is space for a value for each, and others by `load_many`."""
    appending, kind = _Appending(image, integer, canonical), "canonical_" if canonical else ""

    def many(path: _Path) -> list[Path]:
        """The contract of `load_many`, which leaves the vector and the result."""
        path.check_arguments(LENT, *appending.slices.arguments[:2], VEC, canonical)
        for place, size in LEFT:
            path.forget(range(place, place + size))
        path.keep([at for place, size in LEFT for at in range(place, place + size)])
        return [path]

    appending.calls[appending.function("wire::load_many")] = many
    appending.check(image.function(f"decode_append_{kind}{integer.name}"))
