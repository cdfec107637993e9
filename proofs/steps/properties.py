"""The properties that are proved."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

from model.image import Image, Inconclusive

from . import appends, avx2_dense, avx2_encode, avx2_encoder, avx2_sparse
from . import avx512_decode, avx512_encode, avx512_listed, avx512_uniform, decoders, given
from . import scalar, singles, slices, sse, sse_decode, sse_windows, swar, totals
from .wire import INTEGERS, U64, Integer

# Choices of arguments, of which each is by a word for the name.
KINDS = {"lenient": {"canonical": False}, "canonical": {"canonical": True}}
LONG = {"short values": {"long": False}, "values of any length": {"long": True}}


@dataclass(frozen=True)
class Property:
    """A property of a function."""

    name: str
    prove: partial[None]  # of an image

    @property
    def build(self) -> str:
        """Returns whether the library is as released, or its steps are functions of their own."""
        return "release" if self.prove.func.__module__ == singles.__name__ else "steps"

    def check(self, image: Image) -> None:
        """Proves it. A proof that runs no function to its end, or does not look at the ends of one, is refused, except for those
        that are about formulas alone."""
        self.prove(image)
        code = self.prove.func.__code__
        if not image.results and self.prove.func not in (singles.format_agrees, singles.known_ends):
            where = f"{Path(code.co_filename).name}:{code.co_firstlineno}"
            raise Inconclusive(f"{where}: {code.co_name} executes no instruction of the library")
        for address in image.ignored:
            raise Inconclusive(f"at {address:#x}: {code.co_name} claims nothing of the ends of this function")


def properties() -> Iterator[Property]:
    """Yields all properties."""
    for integer in INTEGERS:
        yield from _of(integer)
    yield Property("u64 encode_const", partial(singles.encode, integer=U64, function="encode_const"))
    yield Property("new reader", partial(singles.new_reader))
    yield Property("known ends", partial(singles.known_ends))
    yield Property("avx2 sparse mark", partial(avx2_sparse.mark))
    yield Property("avx512 listing", partial(avx512_listed.listing))
    yield Property("avx512 common_len", partial(avx512_decode.common_len))
    yield Property("avx512 unfinished", partial(avx512_decode.unfinished))
    yield Property("swar encode_eight", partial(swar.encode_eight))
    yield Property("sse words", partial(sse.pack, width=16))
    yield Property("sse dwords", partial(sse.pack, width=32))
    yield Property("sse window", partial(sse_windows.new))
    for integer in INTEGERS[1], INTEGERS[3]:  # The compiler merges the code of unsigned types with theirs.
        yield Property(f"{integer.name} sse pair", partial(sse.pair, integer=integer, long=False))
        for kind, given in KINDS.items():
            yield Property(f"{integer.name} sse is_suspicious {kind}", partial(sse.is_suspicious, integer=integer, **given))
    yield Property("i64 sse pair of nine or ten bytes", partial(sse.pair, integer=INTEGERS[1], long=True))
    yield Property("avx2 pack_eight 64", partial(avx2_encode.pack_eight))
    yield Property("avx2 eights", partial(avx2_encoder.eights))
    for name, table in {"a table": True, "a carry": False}.items():
        yield Property(f"avx2 encode_four by {name}", partial(avx2_encode.encode_four, table=table))
    for step in (avx2_encode.one_byte_each, avx2_encode.up_to_two_bytes_each, avx2_encode.up_to_four_bytes_each):
        yield Property(f"avx2 {step.__name__}", partial(step))


def _of(integer: Integer) -> Iterator[Property]:
    def of(name: str, prove: Callable[..., None], *choices: Any, **given: Any) -> Iterator[Property]:
        """Yields the properties for each choice of arguments, besides those that are given."""
        named: dict[str, dict[str, Any]] = {f"{integer.name} {name}": given}
        for one in choices:
            named = {f"{a} {b}": {**x, **y} for a, x in named.items() for b, y in one.items()}
        for full, arguments in named.items():
            yield Property(full.strip(), partial(prove, integer=integer, **arguments))

    yield from of("format", singles.format_agrees)
    yield from of("encode", singles.encode, function="encode")
    yield from of("encode_to_slice", singles.encode_to_slice)
    for kind in "", "_canonical":
        yield from of(f"decode{kind}", singles.decode, function=f"decode{kind}")
        yield from of(f"read{kind}", singles.read, function=f"read{kind}")

    if not integer.signed:
        yield from of("put", slices.put)
    for one in slices.encode_slice, slices.encode_more, slices.encode_rest, slices.encode_few:
        yield from of(one.__name__, one)
    for one in slices.load_one, slices.fail, slices.decode_more, slices.decode_rest, slices.decode_few:
        yield from of(one.__name__, one)
    yield from of("decode_slice", slices.decode_slice, KINDS)
    for one in totals.too_small, totals.encoded_len_slice, appends.load_many:
        yield from of(one.__name__, one)
    yield from of("decode_append", appends.decode_append, KINDS)
    yield from of("kernel_encode", given.kernel_encode)
    yield from of("kernel_decode", given.kernel_decode, KINDS)
    yield from of("scalar decode step", scalar.decode_step)
    yield from of("scalar decode", scalar.decode)
    yield from of("scalar encode step", scalar.encode_step)
    yield from of("scalar encode", scalar.encode)
    yield from of("swar value_at", swar.value_at, KINDS)
    yield from of("swar decode_window", swar.decode_window)
    yield from of("swar decode_longer", swar.decode_longer)
    yield from of("swar decode_short", swar.decode_short)
    yield from of("swar decode", swar.decode)
    yield from of("swar encode", swar.encode)

    yield from of("sse encode", sse.encode)
    yield from of("sse decode", decoders.sse)
    if integer.longest > 4:
        kinds = {"": {"long": False}, "of long values": {"long": True}} if integer.longest > 8 else {"": {"long": False}}
        yield from of("sse sparse", sse_decode.sparse, kinds)
        yield from of("sse dense", sse_decode.dense)
        yield from of("sse windows", sse_windows.windows)
        yield from of("sse any", sse.any_bits)
        yield from of("sse eight", sse.eight)
        yield from of("sse whole", sse.whole, {f"of {length} bytes": {"length": length} for length in (1, 2)})
        lengths = {f"of {length} bytes": {"length": length} for length in range(2, min(integer.longest, 8) + 1)}
        yield from of("sse uniform", sse.uniform, lengths)

    yield from of("avx2 decode_window", avx2_dense.decode_window)
    yield from of("avx2 step", avx2_dense.step)
    yield from of("avx2 dense", avx2_dense.dense)
    yield from of("avx2 uniform turn", avx2_dense.turn, KINDS)
    yield from of("avx2 uniform", avx2_dense.uniform, KINDS)
    if integer.longest > 4:
        yield from of("avx2 one_long", avx2_dense.one_long)
        yield from of("avx2 sparse turn", avx2_sparse.turn)
        yield from of("avx2 sparse step", avx2_sparse.step)
        yield from of("avx2 sparse around its steps", avx2_sparse.sparse)
    yield from of("avx2 windows", decoders.avx2_windows)
    yield from of("avx2 decode", decoders.avx2)
    yield from of("avx2 put", avx2_encode.put)
    yield from of("avx2 one_by_one", avx2_encoder.one_by_one)
    yield from of("avx2 load", avx2_encode.load)
    yield from of("avx2 short_blocks", avx2_encoder.short_blocks)
    if integer.longest > 4:
        lengths = {f"of {length} bytes": {"length": length} for length in range(5, integer.longest + 1)}
        yield from of("avx2 encode uniform", avx2_encoder.uniform, lengths)
        if integer.signed:
            yield from of("avx2 convert", avx2_encode.convert)
        yield from of("avx2 mixed", avx2_encoder.mixed)
    yield from of("avx2 encode_few", avx2_encoder.encode_few)
    yield from of("avx2 encode", avx2_encoder.encode)

    yield from of("avx512 step", avx512_decode.step, LONG)
    yield from of("avx512 windows", avx512_decode.windows, LONG)
    yield from of("avx512 batch", avx512_decode.batch, LONG)
    yield from of("avx512 fixed_stride", avx512_decode.fixed_stride)
    yield from of("avx512 front", avx512_decode.front)
    if integer.longest > 4:
        counts = {"one vector": {"count": 1}, "two vectors": {"count": 2}}
        yield from of("avx512 listed", avx512_listed.vectors, counts)
        yield from of("avx512 listed around its steps", avx512_listed.listed)
    lengths = range(2, integer.longest + 1)
    turns = {f"of {length} bytes": {"length": length} for length in lengths}
    yield from of("avx512 turn", avx512_uniform.turn, turns)
    yield from of("avx512 vectors", avx512_uniform.vectors, LONG)
    yield from of("avx512 one_byte_each", avx512_uniform.one_byte_each)
    yield from of("avx512 bytes", avx512_uniform.bytes_)
    yield from of("avx512 uniform", avx512_uniform.uniform)
    yield from of("avx512 further", decoders.avx512_further)
    yield from of("avx512 decode", decoders.avx512)

    yield from of("avx512 loops", avx512_encode.loops)
    yield from of("avx512 encode", avx512_encode.encode)
    yield from of("avx512 any", avx512_encode.any_lengths)
    yield from of("avx512 up_to_eight", avx512_encode.up_to_eight)
    yield from of("avx512 block_of_bytes", avx512_encode.block_of_bytes)
    sizes = {length: 8 if integer.size == 8 or length > 4 else 4 for length in lengths if length <= 8}
    blocks = {f"of {length} bytes": {"size": size, "length": length} for length, size in sizes.items()}
    yield from of("avx512 block", avx512_encode.block, blocks)
