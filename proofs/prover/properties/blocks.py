"""The bulk kernels agree with the format on blocks of values, for all values or bytes of each
shape."""

from collections.abc import Sequence

import claripy

from ..codec import prove
from ..kernels import BulkOutcome, Kernel
from ..machine import Machine
from ..wire import BV, OK, Bool, Integer, Outcome, decoded, encoding, same, takes

Shape = Sequence[int]  # the encoded length of each value

STREAM = 96  # bytes of the whole input, so that every kernel finds a complete window
SPARE = 80  # additional bytes of a destination, so that kernels store whole registers


def encode_slice_matches_the_format(machine: Machine, integer: Integer, kernel: str, shapes: Sequence[Shape]) -> None:
    """All values of the given lengths are encoded one after another."""
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


def decode_slice_matches_the_format(machine: Machine, integer: Integer, kernel: str, shapes: Sequence[Shape]) -> None:
    """All inputs of values with the given lengths, followed by greatest values, are decoded up to
    the first value that does not fit or, for the canonical decoder, is overlong."""
    engine = Kernel.named(machine, kernel)
    greatest = [claripy.BVV(byte, 8) for byte in [0xFF] * (integer.longest - 1) + [integer.last]]
    for shape in shapes:
        pieces = [_piece(number, length) for number, length in enumerate(shape)]
        pieces += [greatest] * ((STREAM - sum(shape)) // integer.longest)
        src = [byte for piece in pieces for byte in piece]
        for function in ("decode", "decode_canonical"):
            outcomes = [decoded(piece, integer, function.endswith("canonical")) for piece in pieces]
            for end, got in engine.decode(engine.state, integer, src, STREAM, function):
                claim = _matches(got, pieces, outcomes)
                what = f"{kernel} decodes {tuple(shape)} wrongly"
                prove(end, claim, what, bytes=src[: sum(shape)], kind=got.kind, at=got.at, values=got.values)


def _piece(number: int, length: int) -> list[BV]:
    """Returns symbolic bytes of one value, which may be too great for the type."""
    return [
        claripy.Concat(claripy.BVV(int(index < length - 1), 1), claripy.BVS(f"group_{number}_{index}", 7))
        for index in range(length)
    ]


def _matches(got: BulkOutcome, pieces: Sequence[Sequence[BV]], outcomes: Sequence[Outcome]) -> Bool:
    """Whether decoding stopped at the first error, with the values before it in their slots."""
    bytes_before = [sum(map(len, pieces[:index])) for index in range(len(pieces) + 1)]
    expected = [claripy.BVV(word, 64) for word in (OK, bytes_before[-1], len(pieces), bytes_before[-1])]
    for index, outcome in reversed(list(enumerate(outcomes))):
        start = claripy.BVV(bytes_before[index], 64)
        stop = (outcome.kind, start + outcome.at, claripy.BVV(index, 64), start)
        expected = [claripy.If(outcome.kind == OK, on, off) for on, off in zip(expected, stop, strict=True)]
    progress = same((got.kind, got.at, got.values, got.bytes), expected)
    slots = [claripy.Or(got.values <= index, got.slots[index] == one.value) for index, one in enumerate(outcomes)]
    return claripy.And(progress, *slots)
