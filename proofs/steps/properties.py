"""The properties that are proved by steps."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial

from avx512.image import Image

from . import singles
from .wire import INTEGERS, U64, Integer


@dataclass(frozen=True)
class Property:
    """A property of a function."""

    name: str
    covers: str
    prove: Callable[[Image], None]


def properties() -> Iterator[Property]:
    """Yields all properties."""
    for integer in INTEGERS:
        yield from _single_values(integer)
    const = partial(singles.encode, integer=U64, level="baseline", function="encode_const")
    yield Property("u64 encode_const", "all values", const)


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
