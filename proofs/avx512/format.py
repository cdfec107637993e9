"""The format of one value as ten slots, each of which may have a byte. The specification is
`steps/wire.py`; `prove_slots` shows that the slots say the same."""

import z3

from steps import wire
from steps.wire import Integer

from .solver import prove
from model.terms import Bit

Slot = tuple[z3.BoolRef, z3.BitVecRef]  # whether the encoding has the byte, and the byte


def raw(value: z3.BitVecRef, integer: Integer) -> z3.BitVecRef:
    """Returns the number on the wire."""
    return (value + value) ^ (value >> (integer.bits - 1)) if integer.signed else value


def slots(value: z3.BitVecRef, integer: Integer) -> list[Slot]:
    """Returns the bytes of the encoding of a value."""
    number = z3.ZeroExt(8, raw(value, integer))
    present = [z3.BoolVal(True)] + [z3.LShR(number, 7 * index) != 0 for index in range(1, integer.longest)]
    more = [*present[1:], z3.BoolVal(False)]
    groups = [z3.Extract(6, 0, z3.LShR(number, 7 * index)) for index in range(integer.longest)]
    flags = [z3.If(bit, z3.BitVecVal(1, 1), z3.BitVecVal(0, 1)) for bit in more]
    return [(bit, z3.Concat(flag, group)) for bit, flag, group in zip(present, flags, groups, strict=True)]


def prove_slots(integer: Integer) -> None:
    """Proves that the slots are the specification's encoding, for all values."""
    value = z3.BitVec("specified", integer.bits)
    ours = slots(value, integer)
    lengths = range(1, integer.longest + 1)
    takes = {length: wire.takes(value, integer, length) for length in lengths}
    prove([], z3.Or(*takes.values()), f"{integer.name}: every value has a length")
    for length in lengths:
        encoding = wire.encoding(value, integer, length)
        claims: list[Bit] = [present == z3.BoolVal(index < length) for index, (present, _) in enumerate(ours)]
        claims += [byte == specified for (_, byte), specified in zip(ours, encoding, strict=False)]
        prove([takes[length]], z3.And(*claims), f"{integer.name}: the slots of {length} bytes")
