"""Instructions on mask registers."""

from iced_x86 import Instruction

from .machine import (
    GENERAL_REGISTERS, MASK_REGISTERS, State, is_register, mnemonic, operand_width, read, read_mask, write, write_mask,
)
from .semantics import WIDTHS, Semantics
from .terms import Bits, both, differ, either, from_bits, negate, none, part, plain, to_bits, zero_extend

MASKS = Semantics()


def _move(state: State, instruction: Instruction) -> None:
    width = WIDTHS[mnemonic(instruction)[-1]]
    if is_register(instruction, 1) and instruction.op_register(1) in MASK_REGISTERS:
        bits = read_mask(state, instruction, 1)
    else:
        value = read(state, instruction, 1)
        bits = to_bits(value if isinstance(value, Bits) else zero_extend(value, operand_width(instruction, 1), 64))
    bits = bits[:width] + [False] * (64 - width)
    if not is_register(instruction, 0):
        write(state, instruction, 0, part(plain(from_bits(bits)), 0, width))
    elif instruction.op_register(0) in MASK_REGISTERS:
        write_mask(state, instruction, bits)
    else:
        state.general[GENERAL_REGISTERS[instruction.op_register(0)][0]] = from_bits(bits)


def _not(state: State, instruction: Instruction) -> None:
    width = WIDTHS[mnemonic(instruction)[-1]]
    write_mask(state, instruction, [negate(bit) for bit in read_mask(state, instruction, 1)[:width]])


def _shift(state: State, instruction: Instruction) -> None:
    name, count = mnemonic(instruction), instruction.immediate8
    width = WIDTHS[name[-1]]
    bits, zeros = read_mask(state, instruction, 1)[:width], [False] * min(count, width)
    write_mask(state, instruction, (zeros + bits)[:width] if name.startswith("kshiftl") else bits[count:] + zeros)


def _equal(state: State, instruction: Instruction) -> None:
    width = WIDTHS[mnemonic(instruction)[-1]]
    operands = [read_mask(state, instruction, operand)[:width] for operand in (1, 2)]
    write_mask(state, instruction, [negate(differ(a, b)) for a, b in zip(*operands, strict=True)])


def _test(state: State, instruction: Instruction) -> None:
    """KORTEST: whether the union is empty, or complete. KTEST: whether `a & b` and `!a & b` are
    empty."""
    name = mnemonic(instruction)
    width = WIDTHS[name[-1]]
    pairs = list(zip(*[read_mask(state, instruction, operand)[:width] for operand in (0, 1)], strict=True))
    if name.startswith("kortest"):
        zero, carry = [either(a, b) for a, b in pairs], [negate(either(a, b)) for a, b in pairs]
    else:
        zero, carry = [both(a, b) for a, b in pairs], [both(negate(a), b) for a, b in pairs]
    state.flags = {"zf": lambda: none(zero), "cf": lambda: none(carry), "sf": False, "of": False}


for _suffix in WIDTHS:
    MASKS.update({f"kmov{_suffix}": _move, f"knot{_suffix}": _not, f"kxnor{_suffix}": _equal})
    MASKS.update({f"kshiftl{_suffix}": _shift, f"kshiftr{_suffix}": _shift})
    MASKS.update({f"kortest{_suffix}": _test, f"ktest{_suffix}": _test})
