"""The state of a CPU, and how instructions read and write their operands."""

from collections.abc import Callable
from typing import Any

import iced_x86
import z3
from iced_x86 import EncodingKind, Instruction, MemorySizeExt, OpKind, Register, RegisterExt

from .image import Inconclusive
from .terms import Bit, Word, add, as_bytes, choose, concat, known, lanes, mul, number_of_zeros, ones, part, zero_extend

GENERAL = "RAX RCX RDX RBX RSP RBP RSI RDI R8 R9 R10 R11 R12 R13 R14 R15".split()
STACK_POINTER = GENERAL.index("RSP")
WIDTHS = {"b": 8, "w": 16, "d": 32, "q": 64}  # of operands or lanes, by the last letter of a mnemonic


def _names(enumeration: object) -> dict[int, str]:
    """Returns the names of an enumeration of iced-x86 by number."""
    numbers = {name: getattr(enumeration, name) for name in dir(enumeration) if name[0].isupper()}
    return {number: name.lower() for name, number in numbers.items() if isinstance(number, int)}


MNEMONICS = _names(iced_x86.Mnemonic)
CONDITIONS = _names(iced_x86.ConditionCode)
HIGH = (Register.AH, Register.CH, Register.DH, Register.BH)
# Registers by number: (index, size in bytes, lowest bit), (index, size in bytes), and index.
GENERAL_REGISTERS = {
    one: (RegisterExt.number(RegisterExt.full_register(one)), RegisterExt.size(one), 8 * (one in HIGH))
    for one in _names(Register)
    if RegisterExt.is_gpr(one)
}
VECTOR_REGISTERS = {
    one: (RegisterExt.number(one), RegisterExt.size(one)) for one in _names(Register) if RegisterExt.is_vector_register(one)
}
MASK_REGISTERS = {one: RegisterExt.number(one) for one in _names(Register) if RegisterExt.is_k(one)}


class Unsupported(Inconclusive):
    """The model has no such instruction or operand."""


class State:
    """Registers, flags and memory. A flag is a bit, a function that calculates it, or None if it is
    undefined."""

    def __init__(self) -> None:
        self.general: list[Word] = [0] * 16
        self.vectors: list[list[Any]] = [[0] * 64 for _ in range(32)]
        self.masks: list[list[Bit]] = [[False] * 64 for _ in range(8)]
        self.flags: dict[str, Bit | Callable[[], Bit] | None] = dict.fromkeys(("cf", "zf", "sf", "of"), False)
        self.address = 0

    def flag(self, name: str) -> Bit:
        flag = self.flags[name]
        if callable(flag) and not isinstance(flag, z3.ExprRef):
            flag = self.flags[name] = flag()
        if flag is None:
            raise Inconclusive(f"at {self.address:#x}: reads the undefined flag {name}")
        return flag

    def load(self, address: Word, size: int) -> list[Any]:
        return self.load_masked(address, [True] * size)

    def store(self, address: Word, new: list[Any]) -> None:
        self.store_masked(address, new, [True] * len(new))

    def load_masked(self, address: Word, bits: list[Bit]) -> list[Any]:
        """Returns the bytes that the mask selects, and zeros for the others, which are not accessed."""
        raise NotImplementedError

    def store_masked(self, address: Word, new: list[Any], bits: list[Bit]) -> None:
        """Stores the bytes that the mask selects."""
        raise NotImplementedError

    def chosen(self, name: str, source: Any, by: Any) -> Any:
        """Returns what this instruction makes of a source by a mask, an index or a width, if not all of it is
        known. A proof gives the result a new name."""
        raise Unsupported(f"{name} of unknown operands")

    def number_of_zeros(self, value: Word, width: int, leading: bool) -> Word:
        return number_of_zeros(width, value, leading)

    def high_product(self, a: Word, b: Word, width: int) -> Word:
        """Returns the high half of a product."""
        return part(mul(2 * width, *[zero_extend(one, width, 2 * width) for one in (a, b)]), width, width)


def mnemonic(instruction: Instruction) -> str:
    return MNEMONICS[instruction.mnemonic]


def has_memory(instruction: Instruction) -> bool:
    return any(instruction.op_kind(operand) == OpKind.MEMORY for operand in range(instruction.op_count))


def address_of(state: State, instruction: Instruction) -> Word:
    """Returns the address of the memory operand."""
    if instruction.is_ip_rel_memory_operand:
        return instruction.ip_rel_memory_address
    if instruction.segment_prefix != Register.NONE:
        raise Unsupported(f"{instruction}: a segment")
    address = instruction.memory_displacement & ones(64)
    if instruction.memory_base != Register.NONE:
        address = add(64, state.general[GENERAL_REGISTERS[instruction.memory_base][0]], address)
    if instruction.memory_index != Register.NONE:
        index = state.general[GENERAL_REGISTERS[instruction.memory_index][0]]
        address = add(64, address, mul(64, index, instruction.memory_index_scale))
    return address


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


class Operands:
    """The operands of an instruction that a state executes."""

    def __init__(self, state: State, instruction: Instruction) -> None:
        self.state, self.instruction, self.name = state, instruction, mnemonic(instruction)
        immediates = [at for at in range(instruction.op_count) if instruction.op_kind(at) == OpKind.IMMEDIATE8]
        self.has_immediate = bool(immediates)
        self.immediate: int = instruction.immediate8 if immediates else 0
        self.count = instruction.op_count - len(immediates)  # of the others

    def unsupported(self, what: str) -> Unsupported:
        return Unsupported(f"at {self.instruction.ip:#x}: {self.instruction}: {what}")

    def register(self, operand: int) -> int:
        """Returns the register of an operand, or none."""
        is_register = self.instruction.op_kind(operand) == OpKind.REGISTER
        return self.instruction.op_register(operand) if is_register else Register.NONE

    def address(self) -> Word:
        return address_of(self.state, self.instruction)

    # General registers and memory.

    def width(self, operand: int) -> int:
        """Returns the width of a scalar operand in bits."""
        register = self.register(operand)
        return 8 * (RegisterExt.size(register) if register else MemorySizeExt.size(self.instruction.memory_size))

    def read(self, operand: int, width: int = 64) -> Word:
        """Returns a scalar operand. An immediate has the given width."""
        if (register := self.register(operand)) != Register.NONE:
            index, size, low = GENERAL_REGISTERS[register]
            return part(self.state.general[index], low, 8 * size)
        if self.instruction.op_kind(operand) == OpKind.MEMORY:
            width = self.width(operand)
            return lanes(self.state.load(self.address(), width // 8), width)[0]
        return self.instruction.immediate(operand) & ones(width)

    def write(self, operand: int, value: Word) -> None:
        width = self.width(operand)
        if self.register(operand) == Register.NONE:
            self.state.store(self.address(), as_bytes([value], width))
            return
        index, size, low = GENERAL_REGISTERS[self.register(operand)]
        if size < 4:  # The others make the rest of the register zero.
            old = self.state.general[index]
            parts = [(64 - low - width, part(old, low + width, 64 - low - width)), (width, value)]
            value = concat([*parts, (low, part(old, 0, low))] if low else parts)
        self.state.general[index] = zero_extend(value, width, 64) if size == 4 else value

    # Vectors.

    def vector_size(self) -> int:
        """Returns the size of the widest vector register among the operands."""
        registers = [self.register(operand) for operand in range(self.instruction.op_count)]
        return max(VECTOR_REGISTERS[one][1] for one in registers if one in VECTOR_REGISTERS)

    def vector(self, operand: int) -> list[Any]:
        """Returns the bytes of an operand. A general register has those of its value."""
        register = self.register(operand)
        if register in GENERAL_REGISTERS:
            return as_bytes([self.read(operand)], self.width(operand))
        if register != Register.NONE:
            index, size = VECTOR_REGISTERS[register]
            return self.state.vectors[index][:size]
        repeats = self.instruction.is_broadcast
        size = (MemorySizeExt.element_size if repeats else MemorySizeExt.size)(self.instruction.memory_size)
        return self.state.load(self.address(), size) * (self.vector_size() // size if repeats else 1)

    def last(self, count: int) -> list[list[Any]]:
        """Returns the bytes of the last operands before an immediate. With as many operands, as in SSE2, the
        first is a source too."""
        return [self.vector(self.count - count + index) for index in range(count)]

    def write_vector(self, new: list[Any], element: int = 1) -> None:
        """Writes bytes to the first operand, under the write mask with a bit for each `element` bytes.
        The rest of a register becomes zero. SSE2 keeps it."""
        masked, state = self.instruction.op_mask != Register.NONE, self.state
        if self.register(0) == Register.NONE:
            bits = self.byte_mask(element, len(new)) if masked else [True] * len(new)
            state.store_masked(self.address(), new, bits)
            return
        index, size = VECTOR_REGISTERS[self.register(0)]
        if len(new) != size:
            raise self.unsupported(f"{len(new)} bytes for a register of {size}")
        if masked:
            old = [0] * size if self.instruction.zeroing_masking else state.vectors[index][:size]
            new = select(self.write_mask(), new, old, element)
        keeps_rest = self.instruction.encoding == EncodingKind.LEGACY
        state.vectors[index] = new + (state.vectors[index][size:] if keeps_rest else [0] * (64 - size))

    # Masks.

    def write_mask(self) -> list[Bit]:
        return self.state.masks[MASK_REGISTERS[self.instruction.op_mask]]

    def byte_mask(self, element: int, size: int) -> list[Bit]:
        """Returns the write mask with a bit for each byte."""
        return [bit for bit in self.write_mask() for _ in range(element)][:size]

    def mask(self, operand: int) -> list[Bit]:
        return self.state.masks[MASK_REGISTERS[self.register(operand)]]

    def set_mask(self, bits: list[Bit]) -> None:
        self.state.masks[MASK_REGISTERS[self.register(0)]] = bits + [False] * (64 - len(bits))


SEMANTICS: dict[str, Callable[[Operands], Any]] = {}  # what instructions do, by mnemonic (Intel SDM, volume 2)


def defines(*names: str) -> Callable[[Callable[[Operands], object]], None]:
    """Adds what the instructions of these names do, and those of SSE, which have no "v"."""
    both = {*names, *(name.removeprefix("v") for name in names)}
    return lambda run: SEMANTICS.update(dict.fromkeys(both, run))


def execute(state: State, instruction: Instruction) -> Bit | None:
    """Executes an instruction. Returns the condition of a conditional branch, which is not taken yet."""
    o = Operands(state, instruction)
    state.address = instruction.next_ip
    if o.name not in SEMANTICS:
        raise o.unsupported("an instruction that is not modelled")
    return SEMANTICS[o.name](o)
