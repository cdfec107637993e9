"""Vector instructions of SSE2, which have no VEX prefix: the first operand is a source too, and the rest
of its register is kept."""

from collections.abc import Callable
from typing import Any

from iced_x86 import Instruction

from .machine import VECTOR_REGISTERS, State, is_register, mnemonic, read_vector, write, write_vector
from .semantics import WIDTHS, Semantics
from .terms import (
    Word, add, and_, as_bytes, bit, choose, eq, from_bits, known, lanes, ones, or_, part, sar, shl, shr, slt, sub, term,
    ult, xor,
)

LEGACY = Semantics()
SIZE = 16  # bytes of a register


def _put(state: State, instruction: Instruction, new: list[Any]) -> None:
    index, _ = VECTOR_REGISTERS[instruction.op_register(0)]
    state.vectors[index] = new + state.vectors[index][SIZE:]


def _binary(name: str, width: int, operation: Callable[[list[Word], list[Word]], list[Word]], result: int) -> None:
    """Defines an instruction by what it makes of the lanes of two sources: lanes of `result` bits."""

    def run(state: State, instruction: Instruction) -> None:
        operands = [lanes(read_vector(state, instruction, index), width) for index in (0, 1)]
        _put(state, instruction, as_bytes(operation(*operands), result))

    LEGACY[name] = run


def _lanewise(name: str, width: int, operation: Callable[[int, Word, Word], Word]) -> None:
    _binary(name, width, lambda a, b: [operation(width, *pair) for pair in zip(a, b, strict=True)], width)


for _name, _operation in {"pand": and_, "por": or_, "pxor": xor}.items():
    _lanewise(_name, 64, _operation)
for _suffix, _width in WIDTHS.items():
    _lanewise(f"padd{_suffix}", _width, add)
    _lanewise(f"psub{_suffix}", _width, sub)
_lanewise("pcmpeqb", 8, lambda width, a, b: choose(width, eq(width, a, b), ones(width), 0))
_lanewise("pminub", 8, lambda width, a, b: choose(width, ult(width, a, b), a, b))


@LEGACY.defines("pmovmskb")
def _top_bits(state: State, instruction: Instruction) -> None:
    bits = [bit(8, byte if known(byte) else term(byte, 8), 7) for byte in read_vector(state, instruction, 1)]
    write(state, instruction, 0, from_bits(bits + [False] * (64 - SIZE)))



def _saturated(word: Word, width: int, least: int, most: int) -> Word:
    """Returns the half of a signed word, or the least or greatest number that it can be."""
    above, below = slt(width, most, word), slt(width, word, least & ones(width))
    return part(choose(width, above, most, choose(width, below, least & ones(width), word)), 0, width // 2)


def _packing(name: str, width: int, least: int, most: int) -> None:
    _binary(name, width, lambda a, b: [_saturated(word, width, least, most) for word in a + b], width // 2)


_packing("packssdw", 32, -0x8000, 0x7FFF)
_packing("packuswb", 16, 0, 0xFF)


def _interleaving(name: str, width: int, high: bool) -> None:
    def halves(a: list[Word], b: list[Word]) -> list[Word]:
        start = len(a) // 2 * high
        return [word for pair in list(zip(a, b, strict=True))[start : start + len(a) // 2] for word in pair]

    _binary(name, width, halves, width)


for _pair, _width in {"bw": 8, "wd": 16, "dq": 32, "qdq": 64}.items():
    _interleaving(f"punpckl{_pair}", _width, False)
    _interleaving(f"punpckh{_pair}", _width, True)


def _shifting(name: str, width: int, operation: Callable[[int, Word, Word], Word]) -> None:
    def run(state: State, instruction: Instruction) -> None:
        words = lanes(read_vector(state, instruction, 0), width)
        _put(state, instruction, as_bytes([operation(width, one, instruction.immediate8) for one in words], width))

    LEGACY[name] = run


for _suffix in "wdq":
    for _name, _operation in {"psll": shl, "psrl": shr, "psra": sar}.items():
        _shifting(_name + _suffix, WIDTHS[_suffix], _operation)


@LEGACY.defines("pshufd", "shufps")
def _shuffle(state: State, instruction: Instruction) -> None:
    """Chooses lanes of 4 bytes: PSHUFD all of its source, SHUFPS two of each operand."""
    sources = [lanes(read_vector(state, instruction, index), 32) for index in (0, 1)]
    first = sources[mnemonic(instruction) == "pshufd"]
    order = [instruction.immediate8 >> 2 * index & 3 for index in range(4)]
    chosen = [(first if index < 2 else sources[1])[at] for index, at in enumerate(order)]
    _put(state, instruction, as_bytes(chosen, 32))


@LEGACY.defines("movq", "movd")
def _move_lane(state: State, instruction: Instruction) -> None:
    size = WIDTHS[mnemonic(instruction)[-1]] // 8
    lane = read_vector(state, instruction, 1)[:size]
    if is_register(instruction, 0) and instruction.op_register(0) in VECTOR_REGISTERS:
        _put(state, instruction, lane + [0] * (SIZE - size))
    else:
        write(state, instruction, 0, lanes(lane, 8 * size)[0])


@LEGACY.defines("movaps", "movups", "movdqa", "movdqu")
def _move(state: State, instruction: Instruction) -> None:
    source = read_vector(state, instruction, 1)
    if is_register(instruction, 0):
        _put(state, instruction, source)
    else:
        write_vector(state, instruction, source)
