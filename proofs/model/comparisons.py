"""Vector instructions with a result in a mask register: comparisons and tests."""

from collections.abc import Callable
from functools import partial

from iced_x86 import Instruction

from .machine import (
    MASK_REGISTERS, State, Unsupported, read_last, read_vector, write_mask, write_mask_of, write_vector,
)
from .semantics import WIDTHS, Semantics
from .terms import Bit, Word, and_, as_bytes, bit, both, choose, eq, known, lanes, negate, ones, sle, slt, term, ule, ult

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


def _comparing_to_ones(name: str, width: int, compare: Callable[[Word, Word], Bit]) -> None:
    """Defines a comparison whose result is a mask, or lanes of ones and zeros."""

    def run(state: State, instruction: Instruction) -> None:
        operands = [lanes(source, width) for source in read_last(state, instruction, 2)]
        bits = [compare(a, b) for a, b in zip(*operands, strict=True)]
        if instruction.op_register(0) in MASK_REGISTERS:
            _write_compared(state, instruction, bits)
        else:
            write_vector(state, instruction, as_bytes([choose(width, bit, ones(width), 0) for bit in bits], width))

    COMPARISONS.defines(name, name.removeprefix("v"))(run)


for _suffix, _width in WIDTHS.items():
    _comparing_to_ones(f"vpcmpeq{_suffix}", _width, partial(eq, _width))
    _comparing_to_ones(f"vpcmpgt{_suffix}", _width, lambda a, b, width=_width: slt(width, b, a))


@COMPARISONS.defines("vpmovb2m")
def _top_bits(state: State, instruction: Instruction) -> None:
    source = read_vector(state, instruction, 1)
    write_mask(state, instruction, [bit(8, byte if known(byte) else term(byte, 8), 7) for byte in source])
