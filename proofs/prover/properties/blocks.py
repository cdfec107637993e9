"""Blocks of values through the bulk kernels: what the format says, for every value or byte of each block's shape."""

from collections.abc import Sequence

import claripy

from ..codec import prove
from ..kernels import Decoded, Kernel
from ..machine import Machine
from ..wire import BV, OK, Bool, Integer, Verdict, decoded, encoding, same, takes

Shape = Sequence[int]  # the bytes that each value takes

STREAM = 96  # bytes about a block, so that every kernel finds a whole window and all that it loads with one
SPARE = 80  # bytes that a destination has more than it needs, so that kernels store whole registers


def blocks_are_encoded_alike(machine: Machine, integer: Integer, kernel: str, shapes: Sequence[Shape]) -> None:
    """All values of the lengths given: their encodings, one after another."""
    engine = Kernel.named(machine, kernel)
    for shape in shapes:
        values = [claripy.BVS(f"value_{index}", integer.bits) for index in range(len(shape))]
        case = engine.state.copy()
        case.add_constraints(*(takes(value, integer, length) for value, length in zip(values, shape, strict=True)))
        expected = [
            byte for value, length in zip(values, shape, strict=True) for byte in encoding(value, integer, length)
        ]
        for end, dst, written in engine.encode(case, integer, values, len(expected) + SPARE):
            got = dst[: len(expected)]
            right = claripy.And(written == len(expected), same(got, expected))
            prove(end, right, f"{kernel} encodes {tuple(shape)} wrongly", bytes=got, len=written)


def blocks_are_decoded_alike(machine: Machine, integer: Integer, kernel: str, shapes: Sequence[Shape]) -> None:
    """All bytes whose first values take the lengths given, with greatest values behind them: the values, up to the
    first that does not fit or, by the canonical door, is overlong."""
    engine = Kernel.named(machine, kernel)
    greatest = [claripy.BVV(byte, 8) for byte in [0xFF] * (integer.longest - 1) + [integer.last]]
    for shape in shapes:
        pieces = [_piece(number, length) for number, length in enumerate(shape)]
        pieces += [greatest] * ((STREAM - sum(shape)) // integer.longest)
        src = [byte for piece in pieces for byte in piece]
        for door in ("decode", "decode_canonical"):
            verdicts = [decoded(piece, integer, door.endswith("canonical")) for piece in pieces]
            for end, got in engine.decode(engine.state, integer, src, STREAM, door):
                claim = _says(got, pieces, verdicts)
                what = f"{kernel} decodes {tuple(shape)} wrongly"
                prove(end, claim, what, bytes=src[: sum(shape)], kind=got.kind, at=got.at, values=got.values)


def _piece(number: int, length: int) -> list[BV]:
    """Bytes that are one value, if it fits."""
    return [
        claripy.Concat(claripy.BVV(int(index < length - 1), 1), claripy.BVS(f"group_{number}_{index}", 7))
        for index in range(length)
    ]


def _says(got: Decoded, pieces: Sequence[Sequence[BV]], verdicts: Sequence[Verdict]) -> Bool:
    """Whether a bulk decode stops at the first bad verdict, with the values before it in their slots."""
    bytes_before = [sum(map(len, pieces[:index])) for index in range(len(pieces) + 1)]
    expected = [claripy.BVV(word, 64) for word in (OK, bytes_before[-1], len(pieces), bytes_before[-1])]
    for index, verdict in reversed(list(enumerate(verdicts))):
        start = claripy.BVV(bytes_before[index], 64)
        stop = (verdict.kind, start + verdict.at, claripy.BVV(index, 64), start)
        expected = [claripy.If(verdict.kind == OK, on, off) for on, off in zip(expected, stop, strict=True)]
    progress = same((got.kind, got.at, got.values, got.bytes), expected)
    slots = [claripy.Or(got.values <= index, got.slots[index] == one.value) for index, one in enumerate(verdicts)]
    return claripy.And(progress, *slots)
