"""The properties that are proved by steps."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial

from model.image import Image

from . import avx2_dense, avx2_pack, avx2_pdep, avx2_sparse, avx2_uniform, avx512_decode, avx512_encode, scalar, singles
from .wire import INTEGERS, U64, Integer


@dataclass(frozen=True)
class Property:
    """A property of a function."""

    name: str
    covers: str
    prove: Callable[[Image], None]
    step: bool = False  # of the build in which steps are functions of their own


def properties() -> Iterator[Property]:
    """Yields all properties."""
    for integer in INTEGERS:
        yield from _single_values(integer)
    const = partial(singles.encode, integer=U64, level="baseline", function="encode_const")
    yield Property("u64 encode_const", "all values", const)
    for integer in INTEGERS:
        yield from _scalar(integer)
        yield from _avx2_decoder(integer)
    for integer in INTEGERS:
        yield from _avx512_decoder(integer)
        yield from _avx512_encoder(integer)
        put = partial(avx2_pdep.put, integer=integer)
        yield Property(f"{integer.name} avx2 put", "all values", put, step=True)
    yield Property("avx512 unfinished", "any source", avx512_decode.unfinished, step=True)
    for size in avx2_pack.SIZES:
        pack = partial(avx2_pack.pack_eight, size=size)
        yield Property(f"avx2 pack_eight {size}", "eight values below 2^28, any place", pack, step=True)


def _single_values(integer: Integer) -> Iterator[Property]:
    values, strings, name = "all values", "strings of any length", integer.name
    yield Property(f"{name} format", "all values and strings; no code", partial(singles.format_agrees, integer=integer))
    decode = partial(singles.decode, integer=integer)
    for function in ("decode", "decode_canonical"):
        yield Property(f"{name} {function}", strings, partial(decode, level="baseline", function=function))
    for level in singles.LEVELS:
        encode = partial(singles.encode, integer=integer, level=level, function="encode")
        yield Property(f"{name} encode, {level}", values, encode)
        to_slice = partial(singles.encode_to_slice, integer=integer, level=level)
        yield Property(f"{name} encode_to_slice, {level}", f"{values}, any capacity", to_slice)
        for function in ("read", "read_canonical"):
            yield Property(f"{name} {function}, {level}", strings, partial(decode, level=level, function=function))


def _scalar(integer: Integer) -> Iterator[Property]:
    for canonical in (False, True):
        for name, covers, prove in (
            ("decode step", "a value at any progress", scalar.decode_step),
            ("decode", "any slices and progress; calls step", scalar.decode),
        ):
            name = f"{integer.name} scalar {name} {'canonical' if canonical else 'lenient'}"
            yield Property(name, covers, partial(prove, integer=integer, canonical=canonical), step=True)
    step, loop = (partial(prove, integer=integer) for prove in (scalar.encode_step, scalar.encode))
    yield Property(f"{integer.name} scalar encode step", "a value at any progress", step, step=True)
    yield Property(f"{integer.name} scalar encode", "any slices and progress; calls step", loop, step=True)


def _avx2_decoder(integer: Integer) -> Iterator[Property]:
    slices = "any source, space and progress"
    contracts = [
        ("decode_window", "any window: 2^64 masks, all values", avx2_dense.decode_window),
        ("step", f"{slices}; calls decode_window", avx2_dense.step),
        ("dense", f"{slices}; calls step", avx2_dense.dense),
        ("uniform turn", f"{slices}, each length", avx2_uniform.turn),
        ("uniform", f"{slices}; calls turn", avx2_uniform.uniform),
    ]
    if integer.longest > 4:
        contracts.append(("sparse step", f"{slices}; calls decode_window", avx2_sparse.step))
        for step, covers, one in (
            ("one_long", "a value of any length at any place", avx2_dense.one_long),
            ("sparse turn", "eight values of any lengths at any places", avx2_sparse.turn),
            ("sparse decode_window", "any mask of ends; calls turn", avx2_sparse.decode_window),
            ("sparse", f"{slices}; calls step", avx2_sparse.sparse),
        ):
            yield Property(f"{integer.name} avx2 {step}", covers, partial(one, integer=integer), step=True)
    for step, covers, prove in contracts:
        for canonical in (False, True):
            name = f"{integer.name} avx2 {step} {'canonical' if canonical else 'lenient'}"
            yield Property(name, covers, partial(prove, integer=integer, canonical=canonical), step=True)


def _avx512_decoder(integer: Integer) -> Iterator[Property]:
    def of(name: str, covers: str, prove: Callable[..., None], **given: object) -> Property:
        return Property(f"{integer.name} avx512 {name}", covers, partial(prove, integer=integer, **given), step=True)

    for canonical in (False, True):
        kind = "canonical" if canonical else "lenient"
        for long, values in ((False, "short values"), (True, "values of any length")):
            given = {"canonical": canonical, "long": long}
            yield of(f"step {values} {kind}", "any window, space and progress", avx512_decode.step, **given)
            yield of(f"windows {values} {kind}", "the start of the loop", avx512_decode.windows, **given)
            yield of(f"batch {values} {kind}", "any source and space; calls step", avx512_decode.batch, **given)
        yield of(f"front {kind}", "any source and space", avx512_decode.front, canonical=canonical)
        for length in range(2, integer.longest + 1):
            given = {"canonical": canonical, "length": length}
            yield of(f"turn of {length} bytes {kind}", "any source, space and progress", avx512_decode.turn, **given)
    yield of("one_byte_each", "64 values", avx512_decode.one_byte_each)


def _avx512_encoder(integer: Integer) -> Iterator[Property]:
    any_job = "all values, any space"

    def of(name: str, prove: Callable[..., None], **given: object) -> Property:
        return Property(f"{integer.name} avx512 {name}", any_job, partial(prove, integer=integer, **given), step=True)

    yield of("begins", avx512_encode.begins)
    yield of("any", avx512_encode.any_lengths)
    yield of("up_to_eight", avx512_encode.up_to_eight)
    yield of("block_of_bytes", avx512_encode.block_of_bytes)
    for length in range(2, min(8, integer.longest) + 1):
        size = 8 if integer.size == 8 or length > 4 else 4
        yield of(f"block of {length} bytes", avx512_encode.block, size=size, length=length)
