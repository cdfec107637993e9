"""Vector instructions that move bytes: permutations, loads, stores, and conversions, also of SSE2."""

from collections.abc import Callable
from typing import Any

from iced_x86 import Instruction, OpKind

from .machine import (
    VECTOR_REGISTERS, State, Unsupported, address_of, is_register, mnemonic, read_last, read_vector, vector_size,
    write, write_mask_of, write_vector,
)
from .semantics import WIDTHS, Semantics
from .terms import Word, as_bytes, known, lanes, sign_extend, term, zero_extend

MOVES = Semantics()


# Permutations.


def _entry(state: State, table: list[Any], index: Any) -> Any:
    """Returns the byte of a table at an index of which the low bits count."""
    if known(index):
        return table[index % len(table)]
    if all(known(byte) and byte == table[0] for byte in table):
        return table[0]
    return state.selected(table, term(index, 8))


@MOVES.defines("vpermb")
def _permute_bytes(state: State, instruction: Instruction) -> None:
    table = read_vector(state, instruction, 2)
    write_vector(state, instruction, [_entry(state, table, index) for index in read_vector(state, instruction, 1)])


def _word_at(table: list[Word], index: Word) -> Word:
    if not known(index):
        raise Unsupported("a permutation of words with unknown indices")
    return table[index % len(table)]


@MOVES.defines("vpermt2q", "vpermi2q")
def _permute_two(state: State, instruction: Instruction) -> None:
    first, order = (0, 1) if mnemonic(instruction) == "vpermt2q" else (1, 0)
    table = lanes(read_vector(state, instruction, first), 64) + lanes(read_vector(state, instruction, 2), 64)
    indices = lanes(read_vector(state, instruction, order), 64)
    write_vector(state, instruction, as_bytes([_word_at(table, index) for index in indices], 64), 8)


@MOVES.defines("vpshufd", "pshufd", "vpermq")
def _permute_in_fours(state: State, instruction: Instruction) -> None:
    if instruction.op_kind(2) != OpKind.IMMEDIATE8:
        raise Unsupported(f"{instruction}: an order in a register")
    size = 8 if mnemonic(instruction) == "vpermq" else 4
    source, order, results = read_vector(state, instruction, 1), instruction.immediate8, []
    for index in range(len(source) // size):
        chosen = size * (index // 4 * 4 + (order >> 2 * (index % 4) & 3))
        results += source[chosen : chosen + size]
    write_vector(state, instruction, results, size)


@MOVES.defines("vpshuflw")
def _permute_low_words(state: State, instruction: Instruction) -> None:
    source, order, results = read_vector(state, instruction, 1), instruction.immediate8, []
    for at in range(0, len(source), 16):
        words = [at + 2 * (order >> 2 * index & 3) for index in range(4)]
        results += [byte for word in words for byte in source[word : word + 2]] + source[at + 8 : at + 16]
    write_vector(state, instruction, results, 2)


@MOVES.defines("valignq")
def _align(state: State, instruction: Instruction) -> None:
    source = read_vector(state, instruction, 2) + read_vector(state, instruction, 1)
    size = len(source) // 2
    start = instruction.immediate8 % (size // 8) * 8
    write_vector(state, instruction, source[start : start + size], 8)


@MOVES.defines("vpalignr")
def _align_bytes(state: State, instruction: Instruction) -> None:
    high, low, results = read_vector(state, instruction, 1), read_vector(state, instruction, 2), list[Any]()
    for at in range(0, len(low), 16):
        pair = low[at : at + 16] + high[at : at + 16] + [0] * 16
        results += pair[min(instruction.immediate8, 32) :][:16]
    write_vector(state, instruction, results)


@MOVES.defines("vpsrldq", "vpslldq", "psrldq", "pslldq")
def _shift_bytes(state: State, instruction: Instruction) -> None:
    last, results = instruction.op_count - 1, list[Any]()
    source, count = read_vector(state, instruction, last - 1), min(instruction.immediate8, 16)
    for at in range(0, len(source), 16):
        kept = source[at : at + 16]
        left = "l" in mnemonic(instruction).removesuffix("ldq")
        results += [0] * count + kept[: 16 - count] if left else kept[count:] + [0] * count
    write_vector(state, instruction, results)


@MOVES.defines("vextracti128", "vextracti32x4", "vextracti64x4")
def _extract(state: State, instruction: Instruction) -> None:
    size, element = (32, 8) if mnemonic(instruction) == "vextracti64x4" else (16, 4)
    source = read_vector(state, instruction, 1)
    start = instruction.immediate8 % (len(source) // size) * size
    write_vector(state, instruction, source[start : start + size], element)


@MOVES.defines("vinserti128")
def _insert(state: State, instruction: Instruction) -> None:
    into, half = read_vector(state, instruction, 1), read_vector(state, instruction, 2)
    size = len(into) // 2
    write_vector(state, instruction, into[:size] + half if instruction.immediate8 % 2 else half + into[size:], 8)


@MOVES.defines("vpextrd", "vpextrq")
def _extract_lane(state: State, instruction: Instruction) -> None:
    width = WIDTHS[mnemonic(instruction)[-1]]
    source = lanes(read_vector(state, instruction, 1), width)
    write(state, instruction, 0, source[instruction.immediate8 % len(source)])


def _interleaving(name: str, size: int, half: int) -> None:
    """Defines an instruction that takes elements from the lower or upper half of each 16 bytes."""

    def run(state: State, instruction: Instruction) -> None:
        sources, results = read_last(state, instruction, 2), []
        for at in range(0, len(sources[0]), 16):
            for index in range(at + 8 * half, at + 8 * half + 8, size):
                results += sources[0][index : index + size] + sources[1][index : index + size]
        write_vector(state, instruction, results, size)

    MOVES.defines(name, f"v{name}")(run)


for _pair in ("bw", "wd", "dq", "qdq"):
    _interleaving(f"punpckl{_pair}", WIDTHS[_pair[0]] // 8, 0)
    _interleaving(f"punpckh{_pair}", WIDTHS[_pair[0]] // 8, 1)


_SIZES = {"vbroadcasti32x4": 16, "vbroadcasti128": 16, "vbroadcastss": 4, "vbroadcastsd": 8}


@MOVES.defines(*_SIZES, "vpbroadcastb", "vpbroadcastw", "vpbroadcastd", "vpbroadcastq")
def _broadcast(state: State, instruction: Instruction) -> None:
    name = mnemonic(instruction)
    size = _SIZES.get(name) or WIDTHS[name[-1]] // 8
    front = read_vector(state, instruction, 1)[:size]
    write_vector(state, instruction, front * (vector_size(instruction) // size), min(size, 4) if size == 16 else size)


# Moves and conversions.

_ELEMENTS = {"vmovdqu8": 1, "vmovdqu16": 2, "vmovdqu32": 4, "vmovdqu64": 8, "vmovdqa64": 8, "vmovdqa32": 4}


@MOVES.defines(*_ELEMENTS, "vmovdqu", "vmovdqa", "vmovups", "vmovaps", "movdqu", "movdqa", "movups", "movaps")
def _move(state: State, instruction: Instruction) -> None:
    element = _ELEMENTS.get(mnemonic(instruction), 4)
    if instruction.op_mask and instruction.op_kind(1) == OpKind.MEMORY:
        if not instruction.zeroing_masking:
            raise Unsupported(f"{instruction}: a masked load that merges")
        index, size = VECTOR_REGISTERS[instruction.op_register(0)]
        bits = [bit for bit in write_mask_of(state, instruction) for _ in range(element)][:size]
        loaded = state.memory.load_masked(state, address_of(state, instruction), bits)
        state.vectors[index] = loaded + [0] * (64 - size)
    else:
        write_vector(state, instruction, read_vector(state, instruction, 1), element)


@MOVES.defines("vmovd", "vmovq", "movd", "movq")
def _move_lane(state: State, instruction: Instruction) -> None:
    width = WIDTHS[mnemonic(instruction)[-1]]
    lane = read_vector(state, instruction, 1)[: width // 8]
    if is_register(instruction, 0) and instruction.op_register(0) in VECTOR_REGISTERS:
        write_vector(state, instruction, lane + [0] * (16 - width // 8))
    else:
        write(state, instruction, 0, lanes(lane, width)[0])


def _extending(name: str, extend: Callable[[Word, int, int], Word], width: int, to: int) -> None:
    def run(state: State, instruction: Instruction) -> None:
        count = VECTOR_REGISTERS[instruction.op_register(0)][1] // (to // 8)
        source = lanes(read_vector(state, instruction, 1)[: count * width // 8], width)
        write_vector(state, instruction, as_bytes([extend(lane, width, to) for lane in source], to), to // 8)

    MOVES[name] = run


for _kind, _extend in {"zx": zero_extend, "sx": sign_extend}.items():
    for _pair in ("bw", "bd", "bq", "wd", "wq", "dq"):
        _extending(f"vpmov{_kind}{_pair}", _extend, WIDTHS[_pair[0]], WIDTHS[_pair[1]])


@MOVES.defines("vpcompressb")
def _compress(state: State, instruction: Instruction) -> None:
    if not is_register(instruction, 0) or not instruction.zeroing_masking or vector_size(instruction) != 64:
        raise Unsupported(f"{instruction}: another form of VPCOMPRESSB")
    bits, source = write_mask_of(state, instruction), read_vector(state, instruction, 1)
    if all(known(bit) for bit in bits):
        kept = [byte for byte, bit in zip(source, bits, strict=True) if bit]
        result = kept + [0] * (64 - len(kept))
    else:
        result = state.compressed(bits, source)
    state.vectors[VECTOR_REGISTERS[instruction.op_register(0)][0]] = result


@MOVES.defines("vzeroupper")
def _zero_upper(state: State, instruction: Instruction) -> None:
    for index in range(16):
        state.vectors[index] = state.vectors[index][:16] + [0] * 48
