"""Vector instructions of SSE2 of which the model does not have the form with a VEX prefix."""

from iced_x86 import Instruction, Mnemonic, OpKind

from .machine import State, Unsupported, read_last, read_vector, write, write_vector
from .semantics import Semantics
from .terms import Word, as_bytes, bit, choose, eq, from_bits, known, lanes, ones, part, slt, term

LEGACY = Semantics()


def _saturated(word: Word, width: int, least: int, most: int) -> Word:
    """Returns the half of a signed word, or the least or greatest number that it can be."""
    above, below = slt(width, most, word), slt(width, word, least & ones(width))
    return part(choose(width, above, most, choose(width, below, least & ones(width), word)), 0, width // 2)


def _packing(name: str, width: int, least: int, most: int) -> None:
    def run(state: State, instruction: Instruction) -> None:
        words = [word for source in read_last(state, instruction, 2) for word in lanes(source, width)]
        halves = [_saturated(word, width, least, most) for word in words]
        write_vector(state, instruction, as_bytes(halves, width // 2))

    LEGACY[name] = run


_packing("packssdw", 32, -0x8000, 0x7FFF)
_packing("packuswb", 16, 0, 0xFF)


@LEGACY.defines("shufps")
def _shuffle(state: State, instruction: Instruction) -> None:
    """Chooses two lanes of 4 bytes of each operand."""
    sources = [lanes(read_vector(state, instruction, operand), 32) for operand in (0, 1)]
    order = [instruction.immediate8 >> 2 * index & 3 for index in range(4)]
    write_vector(state, instruction, as_bytes([sources[index // 2][at] for index, at in enumerate(order)], 32))


@LEGACY.defines("pcmpeqb")
def _equal(state: State, instruction: Instruction) -> None:
    pairs = zip(*read_last(state, instruction, 2), strict=True)
    equal = [eq(8, *(byte if known(byte) else term(byte, 8) for byte in pair)) for pair in pairs]
    write_vector(state, instruction, as_bytes([choose(8, one, 0xFF, 0) for one in equal], 8))


@LEGACY.defines("pmovmskb")
def _top_bits(state: State, instruction: Instruction) -> None:
    bits = [bit(8, byte if known(byte) else term(byte, 8), 7) for byte in read_vector(state, instruction, 1)]
    write(state, instruction, 0, from_bits(bits + [False] * (64 - len(bits))))


@LEGACY.defines("movss", "movsd")
def _load_lane(state: State, instruction: Instruction) -> None:
    """From memory, the rest of the register becomes zero."""
    if instruction.op_kind(1) != OpKind.MEMORY:
        raise Unsupported(f"{instruction}: not a load")
    lane = read_vector(state, instruction, 1)[: 4 if instruction.mnemonic == Mnemonic.MOVSS else 8]
    write_vector(state, instruction, lane + [0] * (16 - len(lane)))
