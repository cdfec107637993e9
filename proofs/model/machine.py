"""The state of a CPU, and how instructions read and write their operands."""

from collections.abc import Callable
from typing import Any

import iced_x86
import z3
from iced_x86 import EncodingKind, Instruction, MemorySizeExt, OpKind, Register, RegisterExt

from .failures import Inconclusive

from .terms import (
    Bit, Bits, Byte, Word, add, as_bytes, choose, concat, differ, either, known, lanes, leading_zeros, mul, negate, none, ones,
    part, plain, term, trailing_zeros, zero_extend,
)

GENERAL = "RAX RCX RDX RBX RSP RBP RSI RDI R8 R9 R10 R11 R12 R13 R14 R15".split()
STACK_POINTER = GENERAL.index("RSP")


def _names(enumeration: object) -> dict[int, str]:
    """Returns the names of an enumeration of iced-x86 by number."""
    numbers = {name: getattr(enumeration, name) for name in dir(enumeration) if name[0].isupper()}
    return {number: name.lower() for name, number in numbers.items() if isinstance(number, int)}


MNEMONICS = _names(iced_x86.Mnemonic)
CONDITIONS = _names(iced_x86.ConditionCode)
REGISTERS = _names(Register)
# Registers by number: (index, size in bytes, lowest bit), (index, size in bytes), and index.
GENERAL_REGISTERS = {
    number: (
        GENERAL.index(REGISTERS[RegisterExt.full_register(number)].upper()),
        RegisterExt.size(number),
        8 * (name in ("ah", "bh", "ch", "dh")),
    )
    for number, name in REGISTERS.items()
    if RegisterExt.is_gpr(number)
}
VECTOR_REGISTERS = {
    number: (RegisterExt.number(number), RegisterExt.size(number))
    for number in REGISTERS
    if RegisterExt.is_vector_register(number)
}
MASK_REGISTERS = {number: RegisterExt.number(number) for number in REGISTERS if RegisterExt.is_k(number)}


class Unsupported(Inconclusive):
    """The model has no such instruction or operand."""


class State:
    """Registers, flags and memory. A flag is a bit, a function that calculates it, or None if it is
    undefined."""

    def __init__(self, memory: Any) -> None:
        self.general: list[Any] = [0] * 16
        self.vectors: list[list[Any]] = [[0] * 64 for _ in range(32)]
        self.masks: list[list[Bit]] = [[False] * 64 for _ in range(8)]
        self.flags: dict[str, Bit | Callable[[], Bit] | None] = dict.fromkeys(("cf", "zf", "sf", "of"), False)
        self.address = 0
        self.memory = memory

    def flag(self, name: str) -> Bit:
        flag = self.flags[name]
        if callable(flag) and not isinstance(flag, z3.ExprRef):
            flag = self.flags[name] = flag()
        if flag is None:
            raise Inconclusive(f"at {self.address:#x}: reads the undefined flag {name}")
        return flag

    # What a mask with unknown bits makes of other bits. A proof gives the results new names.

    def compressed(self, bits: list[Bit], source: list[Any]) -> list[Any]:
        """Returns the bytes of `source` that the mask selects, one after another, then zeros."""
        raise Unsupported("VPCOMPRESSB with an unknown mask")

    def number_of_ones(self, value: Word | Bits, width: int) -> Word:
        raise Unsupported("POPCNT of an unknown value")

    def extracted(self, source: list[Bit], mask: list[Bit]) -> list[Bit]:
        """Returns the bits of `source` that the mask selects, one after another, then zeros."""
        raise Unsupported("PEXT with an unknown mask")

    def deposited(self, source: list[Bit], mask: list[Bit]) -> list[Bit]:
        """Returns the first bits of `source` at the places that the mask selects, and zeros elsewhere."""
        raise Unsupported("PDEP with an unknown mask")

    def shuffled(self, source: list[Any], control: Any) -> Any:
        """Returns the byte of 16 that an unknown byte selects, or zero if its bit 7 is set."""
        raise Unsupported("a shuffle with an unknown control")

    def selected(self, table: list[Any], index: z3.BitVecRef) -> Any:
        """Returns the byte of a table at an unknown index of which the low bits count."""
        width = 8 * len(table)
        whole = z3.Concat(*[term(byte, 8) for byte in reversed(table)])
        return Byte(z3.Extract(7, 0, z3.LShR(whole, z3.ZeroExt(width - 8, index & (len(table) - 1)) << 3)))

    def number_of_zeros(self, value: Word | Bits, width: int, leading: bool) -> Word:
        return (leading_zeros if leading else trailing_zeros)(width, plain(value))


def mnemonic(instruction: Instruction) -> str:
    return MNEMONICS[instruction.mnemonic]


def is_register(instruction: Instruction, operand: int) -> bool:
    return instruction.op_kind(operand) == OpKind.REGISTER


def has_memory(instruction: Instruction) -> bool:
    return any(instruction.op_kind(operand) == OpKind.MEMORY for operand in range(instruction.op_count))


# General registers and memory.


def read_general(state: State, register: int) -> Any:
    index, size, low = GENERAL_REGISTERS[register]
    value = state.general[index]
    return value if size == 8 else part(plain(value), low, 8 * size)


def write_general(state: State, register: int, value: Any) -> None:
    index, size, low = GENERAL_REGISTERS[register]
    if size == 8 or (size == 4 and isinstance(value, Bits)):  # Of a mask, the upper half is zero.
        state.general[index] = value
    elif size == 4:
        state.general[index] = zero_extend(value, 32, 64)
    else:
        old, width = plain(state.general[index]), 8 * size
        parts = [(64 - low - width, part(old, low + width, 64 - low - width)), (width, value)]
        state.general[index] = concat([*parts, (low, part(old, 0, low))] if low else parts)


def address_of(state: State, instruction: Instruction) -> Word:
    """Returns the address of the memory operand."""
    if instruction.is_ip_rel_memory_operand:
        return instruction.ip_rel_memory_address
    if instruction.segment_prefix != Register.NONE:
        raise Unsupported(f"{instruction}: a segment")
    address = instruction.memory_displacement & ones(64)
    if instruction.memory_base != Register.NONE:
        address = add(64, plain(read_general(state, instruction.memory_base)), address)
    if instruction.memory_index != Register.NONE:
        index = plain(read_general(state, instruction.memory_index))
        address = add(64, address, mul(64, index, instruction.memory_index_scale))
    return address


def operand_width(instruction: Instruction, operand: int) -> int:
    """Returns the width of a scalar operand in bits."""
    if is_register(instruction, operand):
        return 8 * RegisterExt.size(instruction.op_register(operand))
    return 8 * MemorySizeExt.size(instruction.memory_size)


def read(state: State, instruction: Instruction, operand: int, width: int = 64) -> Any:
    """Returns a scalar operand. An immediate has the given width."""
    if is_register(instruction, operand):
        return read_general(state, instruction.op_register(operand))
    if instruction.op_kind(operand) == OpKind.MEMORY:
        width = operand_width(instruction, operand)
        return lanes(state.memory.load(state, address_of(state, instruction), width // 8), width)[0]
    return instruction.immediate(operand) & ones(width)


def write(state: State, instruction: Instruction, operand: int, value: Any) -> None:
    if is_register(instruction, operand):
        write_general(state, instruction.op_register(operand), value)
    else:
        width = operand_width(instruction, operand)
        state.memory.store(state, address_of(state, instruction), as_bytes([plain(value)], width))


# Vectors and masks.


def vector_size(instruction: Instruction) -> int:
    """Returns the size of the widest vector register among the operands."""
    return max(
        VECTOR_REGISTERS[instruction.op_register(operand)][1]
        for operand in range(instruction.op_count)
        if is_register(instruction, operand) and instruction.op_register(operand) in VECTOR_REGISTERS
    )


def read_vector(state: State, instruction: Instruction, operand: int) -> list[Any]:
    """Returns the bytes of an operand. A general register has those of its value."""
    if is_register(instruction, operand):
        register = instruction.op_register(operand)
        if register in GENERAL_REGISTERS:
            return as_bytes([plain(read_general(state, register))], operand_width(instruction, operand))
        index, size = VECTOR_REGISTERS[register]
        return state.vectors[index][:size]
    address = address_of(state, instruction)
    if instruction.is_broadcast:
        size = MemorySizeExt.element_size(instruction.memory_size)
        return state.memory.load(state, address, size) * (vector_size(instruction) // size)
    return state.memory.load(state, address, MemorySizeExt.size(instruction.memory_size))


def read_last(state: State, instruction: Instruction, count: int) -> list[list[Any]]:
    """Returns the bytes of the last operands. With two operands, as in SSE2, the first is a source too."""
    return [read_vector(state, instruction, instruction.op_count - count + index) for index in range(count)]


def write_mask_of(state: State, instruction: Instruction) -> list[Bit]:
    return state.masks[MASK_REGISTERS[instruction.op_mask]]


def write_vector(state: State, instruction: Instruction, new: list[Any], element: int = 1) -> None:
    """Writes bytes to the first operand, under the write mask with a bit for each `element` bytes.
    The rest of a register becomes zero. SSE2 keeps it."""
    masked = instruction.op_mask != Register.NONE
    if instruction.op_kind(0) == OpKind.MEMORY:
        address = address_of(state, instruction)
        if masked:
            bits = [bit for bit in write_mask_of(state, instruction) for _ in range(element)][: len(new)]
            state.memory.store_masked(state, address, new, bits)
        else:
            state.memory.store(state, address, new)
        return
    index, size = VECTOR_REGISTERS[instruction.op_register(0)]
    if len(new) != size:
        raise Unsupported(f"{instruction}: {len(new)} bytes for a register of {size}")
    if masked:
        old = [0] * size if instruction.zeroing_masking else state.vectors[index][:size]
        new = select(write_mask_of(state, instruction), new, old, element)
    keeps_rest = instruction.encoding == EncodingKind.LEGACY
    state.vectors[index] = new + (state.vectors[index][size:] if keeps_rest else [0] * (64 - size))


def select(bits: list[Bit], new: list[Any], old: list[Any], element: int) -> list[Any]:
    """Returns the elements of `new` whose bit is set, and the others of `old`."""
    result: list[Any] = []
    for at in range(0, len(new), element):
        bit, chosen, other = bits[at // element], new[at : at + element], old[at : at + element]
        if known(bit):
            result += chosen if bit else other
        else:
            width = 8 * element
            result += as_bytes([choose(width, bit, lanes(chosen, width)[0], lanes(other, width)[0])], width)
    return result


def read_mask(state: State, instruction: Instruction, operand: int) -> list[Bit]:
    return state.masks[MASK_REGISTERS[instruction.op_register(operand)]]


def write_mask(state: State, instruction: Instruction, bits: list[Bit]) -> None:
    state.masks[MASK_REGISTERS[instruction.op_register(0)]] = bits + [False] * (64 - len(bits))


def set_flags(state: State, width: int, result: Word, cf: Any = False, of: Any = False) -> None:
    """Sets ZF and SF by the result, and the others as given."""
    state.flags = {
        "cf": cf,
        "of": of,
        "zf": lambda: term(result, width) == 0 if not known(result) else result == 0,
        "sf": lambda: part(result, width - 1, 1) == 1,
    }


def set_flags_of_bits(state: State, result: Any, width: int = 64) -> None:
    """The same for a result of which the bits are separate."""
    bits = result.bits if isinstance(result, Bits) else [bool(result >> index & 1) for index in range(64)]
    state.flags = {"cf": False, "of": False, "zf": lambda: none(bits), "sf": lambda: bits[width - 1]}


def condition(state: State, name: str) -> Bit:
    """Returns a condition of branches, by the name of its condition code."""
    flag = state.flag
    conditions = {
        "o": lambda: flag("of"),
        "b": lambda: flag("cf"),
        "e": lambda: flag("zf"),
        "be": lambda: either(flag("cf"), flag("zf")),
        "s": lambda: flag("sf"),
        "l": lambda: differ(flag("sf"), flag("of")),
        "le": lambda: either(flag("zf"), differ(flag("sf"), flag("of"))),
    }
    opposites = {"no": "o", "ae": "b", "ne": "e", "a": "be", "ns": "s", "ge": "l", "g": "le"}
    return negate(conditions[opposites[name]]()) if name in opposites else conditions[name]()
