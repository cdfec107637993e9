"""Vector instructions of SSE2 and AVX2 that AVX-512 does not have in this form."""

from collections.abc import Callable
from typing import Any

import z3
from iced_x86 import Instruction, Mnemonic, OpKind

from .machine import State, Unsupported, read_last, read_vector, write, write_vector
from .semantics import Semantics
from .terms import Bit, Word, and_, as_bytes, bit, choose, from_bits, known, lanes, not_, ones, part, simplified_bit, slt, term

LEGACY = Semantics()


def _saturated(word: Word, width: int, least: int, most: int) -> Word:
    """Returns the half of a signed word, or the least or greatest number that it can be."""
    above, below = slt(width, most, word), slt(width, word, least & ones(width))
    return part(choose(width, above, most, choose(width, below, least & ones(width), word)), 0, width // 2)


def _packing(name: str, width: int, least: int, most: int) -> None:
    """Defines an instruction that halves words, those of each 16 bytes of both operands together."""

    def run(state: State, instruction: Instruction) -> None:
        first, second = (lanes(source, width) for source in read_last(state, instruction, 2))
        count, words = 128 // width, list[Word]()
        for at in range(0, len(first), count):
            words += first[at : at + count] + second[at : at + count]
        halves = [_saturated(word, width, least, most) for word in words]
        write_vector(state, instruction, as_bytes(halves, width // 2))

    LEGACY.defines(name, f"v{name}")(run)


_packing("packssdw", 32, -0x8000, 0x7FFF)
_packing("packusdw", 32, 0, 0xFFFF)
_packing("packsswb", 16, -0x80, 0x7F)
_packing("packuswb", 16, 0, 0xFF)


@LEGACY.defines("shufps", "vshufps")
def _shuffle(state: State, instruction: Instruction) -> None:
    """Chooses two lanes of 4 bytes of each operand, in each 16 bytes."""
    sources, result = [lanes(source, 32) for source in _sources(state, instruction)], list[Word]()
    for at in range(0, len(sources[0]), 4):
        result += [sources[index // 2][at + (instruction.immediate8 >> 2 * index & 3)] for index in range(4)]
    write_vector(state, instruction, as_bytes(result, 32))


@LEGACY.defines("vpblendw")
def _blend(state: State, instruction: Instruction) -> None:
    sources, which = [lanes(source, 16) for source in _sources(state, instruction)], instruction.immediate8
    words = [pair[which >> index % 8 & 1] for index, pair in enumerate(zip(*sources, strict=True))]
    write_vector(state, instruction, as_bytes(words, 16))


def _sources(state: State, instruction: Instruction) -> list[list[Any]]:
    """Returns the two operands before an immediate. With two operands, the first is a source too."""
    last = instruction.op_count - 2
    return [read_vector(state, instruction, operand) for operand in (max(last - 1, 0), last)]


@LEGACY.defines("vpshufb")
def _shuffle_bytes(state: State, instruction: Instruction) -> None:
    source, control = read_last(state, instruction, 2)
    result = []
    for index, which in enumerate(control):
        half = source[index // 16 * 16 : index // 16 * 16 + 16]
        if known(which):
            result.append(0 if which >> 7 else half[which & 15])
        else:
            result.append(state.shuffled(half, which))
    write_vector(state, instruction, result)


@LEGACY.defines("vpermd")
def _permute(state: State, instruction: Instruction) -> None:
    order, source = (lanes(operand, 32) for operand in read_last(state, instruction, 2))
    if not all(known(index) for index in order):
        raise Unsupported(f"{instruction}: an unknown order")
    write_vector(state, instruction, as_bytes([source[index & 7] for index in order], 32))


@LEGACY.defines("vptest")
def _test(state: State, instruction: Instruction) -> None:
    def empty(first: list[Word], second: list[Word]) -> Callable[[], Bit]:
        both = [and_(64, a, b) for a, b in zip(first, second, strict=True)]
        return lambda: simplified_bit(z3.And(*[term(one, 64) == 0 for one in both]))

    a, b = (lanes(source, 64) for source in read_last(state, instruction, 2))
    state.flags = {"zf": empty(a, b), "cf": empty([not_(64, one) for one in a], b), "sf": False, "of": False}


@LEGACY.defines("pmovmskb", "vpmovmskb")
def _top_bits(state: State, instruction: Instruction) -> None:
    source = [byte if known(byte) else term(byte, 8) for byte in read_vector(state, instruction, 1)]
    bits = [simplified_bit(bit(8, byte, 7)) for byte in source]
    write(state, instruction, 0, from_bits(bits + [False] * (64 - len(bits))))


@LEGACY.defines("movss", "movsd")
def _load_lane(state: State, instruction: Instruction) -> None:
    """From memory, the rest of the register becomes zero."""
    if instruction.op_kind(1) != OpKind.MEMORY:
        raise Unsupported(f"{instruction}: not a load")
    lane = read_vector(state, instruction, 1)[: 4 if instruction.mnemonic == Mnemonic.MOVSS else 8]
    write_vector(state, instruction, lane + [0] * (16 - len(lane)))
