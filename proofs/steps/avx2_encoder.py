"""The AVX2 encoder's loops. Each part encodes the values where those before them end, and returns the progress:

    one_by_one     a value at a time, by `put`: as many as have space if all are long
    eights         eight values at a time, by `encode_four`: as many as have space if all are long
    short_blocks   blocks of 16 values of at most four bytes
    uniform        blocks of 16 values of one length
    mixed          values of any length, of which `convert` leaves signed ones as they are encoded
    encode_few     the last values, at most a block
    encode         a slice: it chooses among the others

The functions without a loop are in `avx2_encode.py`."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import z3

from model.image import Image, Refuted
from model.terms import as_bytes, is_same, known, lanes, term

from .avx2_encode import BLOCK, BLOCK_SIZE, CHUNK, LONGEST, MODULE, WRITTEN, load_of
from .contract import NotedPath, check_no_stores, stored
from .encoder import Encoder
from .executor import Contract, Path, run
from .loops import Loop, progress_of
from .questions import fresh
from .singles import check_encodings
from .wire import U64, Integer, takes

FOUR = 4 * LONGEST
WIRE = z3.BitVecs([f"wire{at}" for at in range(CHUNK)], 64)


def _function(encoder: Encoder, name: str) -> int:
    return encoder.function(f"avx2::encode::{name}")


# Values of any length, while there is space for long ones.


class _Values(Encoder):
    """A loop over groups of values. Each takes at most `most` bytes, and `spare` bytes are left at the end."""

    def __init__(self, image: Image, integer: Integer, group: int, most: int, spare: int) -> None:
        super().__init__(image, integer)
        self.group, self.most, self.spare = group, most, spare
        self.limit: Any = None
        # The bytes that a number of values needs if all are long. Of this product, the proofs use that it is `most` for
        # each value, and not more for fewer values: with the product itself, the solver has no answer.
        self.needed = z3.Function("needed", z3.BitVecSort(64), z3.BitVecSort(64))
        self.groups = self.loop(words=lambda at, _: [z3.ZeroExt(64 - integer.bits, self.value(at))], holds=self._holds)

    def _holds(self, values: Any, bytes_: Any) -> z3.BoolRef:
        left, room = self.limit - values, self.room - bytes_
        is_group = z3.And(z3.ULE(values, self.limit), z3.ULE(self.group, left), left & self.group - 1 == 0)
        return z3.And(is_group, z3.ULE(self.spare, room), z3.ULE(self.needed(left), room - self.spare))

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

        return self.groups.turn(end, begin)

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
        self.groups.facts = [*self.facts, z3.ULE(self.needed(self.limit), space)]  # as the limit is at most `most`
        path.conditions += self.groups.facts

    def check(self, function: int, calls: Mapping[int, Contract]) -> None:
        for after in self.ends(self.groups, function, calls):
            values, bytes_ = progress_of(after)
            self.check_part(after, values, bytes_)
            nothing = z3.Or(z3.ULT(self.count, self.group), z3.ULT(self._space(), self.most * self.group))
            after.prove(values == self.limit if after.loop else nothing, "fewer values than have space")


def one_by_one(image: Image, integer: Integer) -> None:
    """Each value is encoded where the one before it ends."""
    written = 10 if integer.size == 8 else 8
    values = _Values(image, integer, 1, written, 0)

    def put(path: NotedPath, at: Any, start: Any) -> list[Path]:
        """The contract of `put`."""
        path.check_arguments(values.value(at), values.dst.start + start)
        return [values.store(path, 1, integer.longest, written)]

    values.check(_function(values, "pdep::one_by_one"), {_function(values, "pdep::put"): values.turn(put)})


def eights(image: Image) -> None:
    """Eight values at a time are encoded where those before them end."""
    values = _Values(image, U64, 8, LONGEST, WRITTEN - LONGEST)

    def four(path: NotedPath, *_: Any) -> list[Path]:
        """The contract of `encode_four`, of which there is one for the first four values and one for the others."""
        source, _, destination, _ = values.rest(*path.calls[-1])
        path.check_arguments(source, destination)
        return [values.store(path, 4, FOUR, FOUR - LONGEST + WRITTEN)]

    steps = {"true": values.turn(four), "false": four}
    calls = {image.function(f"{MODULE}mixed::encode_four::<{table}>"): one for table, one in steps.items()}
    values.check(image.function(f"{MODULE}mixed::eights"), calls)


# Blocks, with each turn of which begins a call of `load`.


def _load(encoder: Encoder, path: NotedPath, wire: Sequence[Any]) -> list[Path]:
    """The contract of `load`, which puts the next values as they are encoded. They are in `calls` then."""
    values, bytes_ = path.calls[-1][:2]
    path.check_arguments(None, encoder.src.start + encoder.integer.size * values)
    path.prove(z3.ULE(BLOCK, encoder.count - values), "values after the last one")
    place, bits = path.number(path.get("RDI")), encoder.integer.bits
    block = as_bytes([*wire, *[0] * (8 * BLOCK_SIZE // bits - BLOCK)], bits)
    path.stack |= {place + at: byte for at, byte in enumerate(block)}
    path.set("RAX", place)
    path.calls = [(values, bytes_, wire)]
    return [path]


def _check_blocks(encoder: Encoder, name: str, length: int, calls: dict[int, Contract]) -> None:
    """Proves that each turn encodes a block: by an encoder, or itself if a length is given, which all values have."""
    unsigned, bits = Integer("", encoder.integer.bits, False), encoder.integer.bits
    encoder.facts.append(z3.ULE(BLOCK, encoder.count))  # The compiler uses that the loops are not called for less.

    def end(path: NotedPath) -> Any:
        """Returns the progress, after the proof that stores are the encodings of a block."""
        values, bytes_, *loaded = path.calls[-1]
        if not path.stores:
            return values, bytes_
        if not length or not loaded:
            raise Refuted("stores of its own")
        [wire], size = loaded, BLOCK * length
        path.prove(z3.And(*[takes(one, unsigned, length) for one in wire]), "values of other lengths")
        check_encodings(stored(path, size, bytes_, range(size + WRITTEN)), wire, unsigned, length)
        return values + BLOCK, bytes_ + size

    def load(path: NotedPath, *_: Any) -> list[Path]:
        return _load(encoder, path, [fresh("wire", bits) for _ in range(BLOCK)])

    def left(values: Any, _: Any) -> list[Any]:
        return [encoder.integer.size * ((encoder.count & -BLOCK) - values)]

    loop = encoder.loop(BLOCK, BLOCK, length * BLOCK + WRITTEN if length else 0, left)
    calls[load_of(encoder.image, encoder.integer)] = loop.turn(end, load)
    ends = encoder.ends(loop, _function(encoder, name), calls)
    for after in ends:
        encoder.check_part(after, *end(after))
    if length and not any(after.stores for after in ends):
        raise Refuted("encodes nothing")


def short_blocks(image: Image, integer: Integer) -> None:
    """Each block of values below 2^28 is encoded where the one before it ends, by an encoder for its longest value."""
    blocks = Encoder(image, integer)

    def encoder(longest: int, width: int) -> Contract:
        """Returns the contract of an encoder of values of at most `longest` bytes, in lanes of this width."""

        def contract(path: NotedPath) -> list[Path]:
            (_, bytes_, wire), place = path.calls[-1], path.number(path.get("RDI"))
            path.check_arguments(None, blocks.dst.start + bytes_)
            given = lanes([path.fixed(place + at) for at in range(BLOCK * width // 8)], width)
            wire = [z3.ZeroExt(64 - integer.bits, one) for one in wire]
            path.prove(z3.And(*[z3.ULT(one, 1 << 7 * longest) for one in wire]), "values of another encoder")
            same = [z3.ZeroExt(64 - width, term(a, width)) == b for a, b in zip(given, wire, strict=True)]
            path.prove(z3.And(*same), "other values")
            return [blocks.store(path, BLOCK, longest * BLOCK, longest * BLOCK)]

        return contract

    steps = {"one_byte_each": (1, 16), "up_to_two_bytes_each": (2, 16), "up_to_four_bytes_each": (4, 32)}
    calls = {image.function(f"{MODULE}short::{name}"): encoder(*given) for name, given in steps.items()}
    _check_blocks(blocks, "short_blocks", 0, calls)


def uniform(image: Image, integer: Integer, length: int) -> None:
    """Each block of values of this length is encoded where the one before it ends, if the first value has this length."""
    blocks = Encoder(image, integer)
    blocks.facts.append(takes(blocks.value(z3.BitVecVal(0, 64)), integer, length))
    _check_blocks(blocks, "uniform::uniform", length, {})


# The encoder around the loops.


def _chunks(encoder: Encoder, chunk: int) -> tuple[Loop, Callable[[Any], Any]]:
    """Returns a loop over chunks of this number of values, of which the last can have fewer, and the number in the next one."""

    def next_chunk(values: Any) -> Any:
        left = encoder.count - values
        return z3.If(z3.ULE(chunk, left), chunk, left)

    words, cases = lambda values, _: [next_chunk(values)], lambda values, _: [z3.ULE(BLOCK, encoder.count - values)]
    return encoder.loop(1, words=words, cases=cases), next_chunk


def mixed(image: Image, integer: Integer) -> None:
    """Encodes values, and returns the progress."""
    encoder = Encoder(image, integer)
    loop, next_chunk = _chunks(encoder, CHUNK)

    def end(path: NotedPath) -> Any:
        path.put(path.number(path.get("RDX")), *WIRE)  # which is written next
        return progress_of(path)

    def convert(path: NotedPath, at: Any, bytes_: Any) -> list[Path]:
        """The contract of `convert`."""
        place, number = path.number(path.get("RDX")), term(path.get("RSI"), 64)
        path.check_arguments(encoder.src.start + integer.size * at)
        path.prove(number == next_chunk(at), "other values")
        path.calls = [(at, bytes_, place, number)]
        return [path]

    def eights(path: NotedPath) -> list[Path]:
        """The contract of `eights`, which is given the values as they are encoded."""
        *at, place, number = path.calls[-1]
        path.check_arguments(z3.BitVecVal(place, 64), number, *encoder.rest(*at)[2:])
        path.expect(place, *WIRE, what="other values")
        return [encoder.go_on(path, number)]

    calls, caller = {_function(encoder, "pdep::one_by_one"): encoder.part()}, image.function(f"{MODULE}mixed::eights")
    if integer.signed:
        calls |= {_function(encoder, "mixed::convert"): loop.turn(end, convert), caller: eights}
    elif integer.size == 8:
        calls[caller] = encoder.part()
    for after in encoder.ends(loop if integer.signed else None, _function(encoder, "mixed::mixed"), calls):
        encoder.check_part(after, *progress_of(after))


def encode_few(image: Image, integer: Integer) -> None:
    """Encodes all values, of which there are at most a block, or has no result if they take more bytes than there are."""
    total, size = z3.BitVec("total", 64), LONGEST * BLOCK
    for count in range(1, BLOCK + 1):
        encoder = Encoder(image, integer, BLOCK, count)

        def one_by_one(path: NotedPath, encoder: Encoder = encoder) -> list[Path]:
            """The contract of `one_by_one`, which is given as much space as all values can take."""
            to = path.get("RDX")
            path.prove(z3.ULE(LONGEST * encoder.count, path.get("RCX")), "too little space")
            path.check_arguments(*encoder.arguments[:2], *((None, size) if known(to) else encoder.arguments[2:]))
            if known(to):
                path.put(to, *WIRE[: size // 8])
            path.set("RAX", encoder.count)
            path.second, path.calls = total, [to]
            return [path]

        def in_turn(path: NotedPath, encoder: Encoder = encoder) -> list[Path]:
            """The contract of the scalar encoder."""
            path.check_arguments(*encoder.arguments, 0, 0)
            ways = [path, path.copy()]
            for has_space, one in enumerate(ways):
                one.conditions.append(z3.ULE(total, encoder.room) == bool(has_space))
                one.set("RAX", has_space)
                one.second, one.calls = total, [encoder.dst.start] * has_space
            return ways

        def copy(path: NotedPath, encoder: Encoder = encoder) -> list[Path]:
            """The contract of `memcpy`."""
            [buffer] = path.calls
            path.check_arguments(encoder.dst.start, buffer, total)
            path.prove(z3.ULE(total, encoder.room), "too little space")
            path.expect(buffer, *WIRE[: size // 8], what="other bytes")
            path.calls = [encoder.dst.start]
            return [path]

        calls = {_function(encoder, "pdep::one_by_one"): one_by_one, image.function("memcpy"): copy}
        calls[encoder.function("scalar::encode")] = in_turn
        start = encoder.start(z3.ULE(count, total), z3.ULE(total, integer.longest * count))
        for after in run(start, _function(encoder, "encode_few"), calls):
            check_no_stores(after)
            if after.number(after.get("RAX")) == 0:
                after.prove(z3.UGT(total, encoder.room), "no result")
                continue
            after.prove(after.get("RDX") == total, "another length")
            if not after.calls or not is_same(after.calls[0], encoder.dst.start):
                raise Refuted("encodes nothing")


def encode(image: Image, integer: Integer) -> None:
    """Encodes all values, and returns the length that is used. If the last ones have no space, it has no result."""
    encoder = Encoder(image, integer)
    loop, next_block = _chunks(encoder, BLOCK)

    def end(path: NotedPath) -> Any:
        return progress_of(path)[:2]

    def load(path: NotedPath) -> list[Path]:
        """The contract of `load`."""
        _load(encoder, path, z3.BitVecs([f"value{at}" for at in range(BLOCK)], integer.bits))
        path.calls = [(*end(path), len(path.conditions))]
        return [path]

    def choose(least: int) -> Contract:
        """Returns the contract of one of the others, which the values of the block choose. Nothing else depends on them."""

        def contract(path: NotedPath) -> list[Path]:
            *at, known_before = path.calls[-1]
            path.calls, path.conditions = [at], path.conditions[:known_before]
            return encoder.part(least)(path)

        return contract

    def few(path: NotedPath, *at: Any) -> list[Path]:
        """The contract of `encode_few`."""
        source, _, *destination = encoder.rest(*at)
        number, end = next_block(at[0]), fresh("end")
        path.check_arguments(source, number, *destination)
        none = path.copy()
        none.set("RAX", 0)
        none.calls = [None]
        path.conditions += [z3.ULE(at[1], end), z3.ULE(end, encoder.room)]
        path.set("RAX", 1)
        path.second, path.calls = end - at[1], [(at[0] + number, end)]
        return [path, none]

    # Each turn begins with one of the first two.
    calls = {"short_blocks": loop.turn(end, encoder.part(BLOCK)), "encode_few": loop.turn(end, few)}
    if integer.longest > 4:
        calls |= {"uniform::uniform": choose(BLOCK), "mixed::mixed": choose(0)}
    calls = {_function(encoder, name): contract for name, contract in calls.items()}
    if integer.longest > 4:
        calls[load_of(image, integer)] = load
    for after in encoder.ends(loop, _function(encoder, "encode"), calls):
        has_result = progress_of(after) is not None
        values, bytes_ = progress_of(after) or (encoder.count, None)
        encoder.check_result(after, int(has_result), bytes_)
        after.prove(values == encoder.count, "values are left")
