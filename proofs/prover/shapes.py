"""The shapes of the blocks that the kernels are proved on. README.md names what they do not cover."""

from .wire import Integer


def all_of_one(integer: Integer, count: int) -> list[tuple[int, ...]]:
    """Returns blocks of `count` values of one length, for each length."""
    return [(length,) * count for length in range(1, integer.longest + 1)]


def rotating(integer: Integer, count: int) -> list[tuple[int, ...]]:
    """Returns blocks of mixed lengths. Each length is the first of one block."""
    longest = integer.longest
    return [tuple(1 + (first + 3 * index) % longest for index in range(count)) for first in range(longest)]


def in_eight_bytes(integer: Integer) -> list[tuple[int, ...]]:
    """Returns blocks of eight bytes: one value, if one can be that long, two values, and eight."""
    shapes = [(8,), (1, 7), (6, 2), (3, 5), (4, 4), (1,) * 8]
    return [shape for shape in shapes if max(shape) <= integer.longest]


# Blocks of sixteen values for vectors: words, which are packed by table, and dwords.
WORDS = [(1, 2) * 8, (2, 1, 1, 2) * 4]
DWORDS = [(1, 2, 3, 4) * 4, (4, 4, 1, 3) * 4]
