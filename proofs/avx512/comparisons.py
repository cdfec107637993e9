"""Vector instructions with a result in a mask register: comparisons and tests."""

from collections.abc import Callable

from iced_x86 import Instruction

from .machine import (
    MASK_REGISTERS, State, Unsupported, read_vector, write_mask, write_mask_of, write_vector,
)
from .semantics import WIDTHS, Semantics
from .terms import Bit, and_, as_bytes, bit, both, choose, eq, known, lanes, negate, sle, slt, term, ule, ult

COMPARISONS = Semantics()


def _write_compared(state: State, instruction: Instruction, bits: list[Bit]) -> None:
    if instruction.op_mask:
        bits = [both(bit, wanted) for bit, wanted in zip(bits, write_mask_of(state, instruction), strict=False)]
    write_mask(state, instruction, bits)


def _comparing(name: str, width: int, less: Callable[..., Bit], at_most: Callable[..., Bit]) -> None:
    predicates = (lambda a, b: eq(width, a, b), lambda a, b: less(width, a, b), lambda a, b: at_most(width, a, b))

    def run(state: State, instruction: Instruction) -> None:
        predicate = instruction.immediate8 & 7
        if predicate % 4 == 3:
            raise Unsupported(f"{instruction}: a constant predicate")
        bits = [
            predicates[predicate % 4](a, b)
            for a, b in zip(*[lanes(read_vector(state, instruction, operand), width) for operand in (1, 2)])
        ]
        _write_compared(state, instruction, [negate(bit) for bit in bits] if predicate >= 4 else bits)

    COMPARISONS[name] = run


def _testing(name: str, width: int, any_bit: bool) -> None:
    def run(state: State, instruction: Instruction) -> None:
        operands = [lanes(read_vector(state, instruction, operand), width) for operand in (1, 2)]
        zero = [eq(width, and_(width, a, b), 0) for a, b in zip(*operands, strict=True)]
        _write_compared(state, instruction, [negate(bit) for bit in zero] if any_bit else zero)

    COMPARISONS[name] = run


for _suffix, _width in WIDTHS.items():
    _comparing(f"vpcmp{_suffix}", _width, slt, sle)
    _comparing(f"vpcmpu{_suffix}", _width, ult, ule)
    _testing(f"vptestm{_suffix}", _width, True)
    _testing(f"vptestnm{_suffix}", _width, False)


@COMPARISONS.defines("vpcmpgtb")
def _greater(state: State, instruction: Instruction) -> None:
    operands = [lanes(read_vector(state, instruction, operand), 8) for operand in (1, 2)]
    bits = [slt(8, b, a) for a, b in zip(*operands, strict=True)]
    if instruction.op_register(0) in MASK_REGISTERS:
        _write_compared(state, instruction, bits)
    else:
        write_vector(state, instruction, as_bytes([choose(8, bit, 0xFF, 0) for bit in bits], 8))


@COMPARISONS.defines("vpmovb2m")
def _top_bits(state: State, instruction: Instruction) -> None:
    source = read_vector(state, instruction, 1)
    write_mask(state, instruction, [bit(8, byte if known(byte) else term(byte, 8), 7) for byte in source])
