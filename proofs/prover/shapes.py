"""Which blocks the kernels are proved on: enough shapes that each way they have of moving bytes is taken."""

from .wire import Integer


def all_of_one(integer: Integer, count: int) -> list[tuple[int, ...]]:
    """Blocks of so many values of one length, for each length."""
    return [(length,) * count for length in range(1, integer.longest + 1)]


def rotating(integer: Integer, count: int) -> list[tuple[int, ...]]:
    """Blocks in which each length stands beside others: every one of them first once."""
    longest = integer.longest
    return [tuple(1 + (first + 3 * index) % longest for index in range(count)) for first in range(longest)]


def in_eight_bytes(integer: Integer) -> list[tuple[int, ...]]:
    """Values that fill eight bytes together: one, where it can be so long, two, and eight."""
    shapes = [(8,), (1, 7), (6, 2), (3, 5), (4, 4), (1,) * 8]
    return [shape for shape in shapes if max(shape) <= integer.longest]


# Sixteen values, as the vectors take them: words packed by table, and dwords.
WORDS = [(1, 2) * 8, (2, 1, 1, 2) * 4]
DWORDS = [(1, 2, 3, 4) * 4, (4, 4, 1, 3) * 4]
