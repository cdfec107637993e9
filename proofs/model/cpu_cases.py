"""Random registers and memory for the comparison of instructions with the CPU."""

import random
from typing import Any

from iced_x86 import Decoder, Instruction, MemorySizeExt, Mnemonic, OpKind, Register

from .cpu import DATA, FLAGS, Cpu
from .machine import (
    GENERAL_REGISTERS, MASK_REGISTERS, STACK_POINTER, VECTOR_REGISTERS, State, has_memory, mnemonic, select,
)
from .terms import Bit

RANDOM = random.Random(1)
NEAR = 1024  # offset of memory operands in the data


class KnownMemory:
    """Memory at known addresses. Its bytes may be unknown."""

    def __init__(self, start: int, data: bytes) -> None:
        self.start, self.data = start, list[Any](data)

    def load(self, state: State, address: int, size: int) -> list[Any]:
        at = address - self.start
        if not 0 <= at <= len(self.data) - size:
            raise IndexError(f"reads {size} bytes at {at}")
        return self.data[at : at + size]

    def store(self, state: State, address: int, new: list[Any]) -> None:
        at = address - self.start
        if not 0 <= at <= len(self.data) - len(new):
            raise IndexError(f"writes {len(new)} bytes at {at}")
        self.data[at : at + len(new)] = new

    def load_masked(self, state: State, address: int, bits: list[bool]) -> list[Any]:
        at = address - self.start
        return [_selected(bit, self.data[at + index], 0) if bit is not False else 0 for index, bit in enumerate(bits)]

    def store_masked(self, state: State, address: int, new: list[Any], bits: list[bool]) -> None:
        for index, bit in enumerate(bits):
            if bit is not False:
                at = address - self.start + index
                self.data[at] = _selected(bit, new[index], self.data[at])


def _selected(bit: Bit, then: Any, otherwise: Any) -> Any:
    return select([bit], [then], [otherwise], 1)[0]


def random_bytes(size: int) -> list[int]:
    """Returns bytes of which many are at the edge of something."""
    match RANDOM.randrange(6):
        case 0:
            return [RANDOM.choice((0, 1, 0x7F, 0x80, 0xFF)) for _ in range(size)]
        case 1:
            return [RANDOM.choice((0, 0, 0, RANDOM.randrange(256))) for _ in range(size)]
        case 2:  # Quadwords of different lengths.
            words = [RANDOM.getrandbits(64) >> RANDOM.randrange(64) for _ in range(size // 8)]
            return [byte for word in words for byte in word.to_bytes(8, "little")]
        case 3:
            return [RANDOM.randrange(64) for _ in range(size)]
    return list(RANDOM.randbytes(size))


def random_word() -> int:
    match RANDOM.randrange(5):
        case 0:
            return RANDOM.randrange(130)
        case 1:
            return RANDOM.getrandbits(64) >> RANDOM.randrange(64)
        case 2:
            return -RANDOM.randrange(1, 130) & (1 << 64) - 1
        case 3:
            return RANDOM.choice((0, 1 << 63, (1 << 64) - 1, 1 << 31, (1 << 32) - 1, (1 << 63) - 1))
    return RANDOM.getrandbits(64)


def random_mask() -> list[bool]:
    if RANDOM.randrange(8) == 0:
        return [bool(RANDOM.getrandbits(1))] * 64
    return [bool(RANDOM.getrandbits(1)) for _ in range(64)]


class Case:
    """An instruction, placed in the memory of the CPU, and a state before it."""

    def __init__(self, cpu: Cpu, instruction: Instruction, code: bytes, at_edge: bool = False) -> None:
        data = RANDOM.randbytes(NEAR - 64) + bytes(random_bytes(320)) + bytes(DATA - NEAR - 256)
        self.memory = data if not at_edge else RANDOM.randbytes(DATA)
        self.state = State(KnownMemory(cpu.data, self.memory))
        self.state.vectors = [random_bytes(64) for _ in range(32)]
        self.state.masks = [random_mask() for _ in range(8)]
        self.state.general = [random_word() for _ in range(16)]
        self.state.general[STACK_POINTER] = cpu.data + DATA // 2
        self.state.flags = {name: bool(RANDOM.getrandbits(1)) for name in FLAGS}
        self.address_registers: set[int] = set()
        if instruction.mnemonic in (Mnemonic.VPSLLW, Mnemonic.VPSLLD, Mnemonic.VPSLLQ):
            count = RANDOM.randrange(80)
            if instruction.op_kind(2) == OpKind.REGISTER:
                self.state.vectors[VECTOR_REGISTERS[instruction.op_register(2)][0]][:8] = count.to_bytes(8, "little")
        self.code = code
        if has_memory(instruction) and instruction.mnemonic != Mnemonic.LEA:
            self._place_operand(cpu, instruction, at_edge)
        self.instruction = next(iter(Decoder(64, self.code, ip=cpu.code)))

    def _place_operand(self, cpu: Cpu, instruction: Instruction, at_edge: bool) -> None:
        aligned = mnemonic(instruction) in ("vmovdqa", "vmovdqa64", "vmovdqa32", "vmovaps", "movaps", "movdqa")
        address = cpu.data + NEAR + (0 if aligned else RANDOM.randrange(64))
        if at_edge:  # Only the first bytes are in the page, and the mask selects none of the others.
            inside = RANDOM.randrange(MemorySizeExt.size(instruction.memory_size) + 1)
            address = cpu.data + DATA - inside
            mask = self.state.masks[MASK_REGISTERS[instruction.op_mask]]
            mask[:] = [index < inside and bool(RANDOM.getrandbits(1)) for index in range(64)]
        if instruction.is_ip_rel_memory_operand:
            decoder = Decoder(64, self.code, ip=0)
            at = decoder.get_constant_offsets(next(iter(decoder))).displacement_offset
            displacement = (address - cpu.code - len(self.code)).to_bytes(4, "little", signed=True)
            self.code = self.code[:at] + displacement + self.code[at + 4 :]
            return
        self._point(instruction, address - instruction.memory_displacement)

    def _point(self, instruction: Instruction, address: int) -> None:
        """Sets the registers of the memory operand."""
        base, index, scale = instruction.memory_base, instruction.memory_index, instruction.memory_index_scale
        registers = [GENERAL_REGISTERS[one][0] for one in (base, index) if one != Register.NONE]
        self.address_registers = set(registers)
        factors = [1] * (base != Register.NONE) + [scale] * (index != Register.NONE)
        if len(set(registers)) == 1:
            factors = [sum(factors)]
        if len(factors) == 2:
            self.state.general[registers[1]] = RANDOM.randrange(17)
            address -= scale * self.state.general[registers[1]]
        # The address is rounded to a multiple of the factor, which stays within the data.
        self.state.general[registers[0]] = address % (1 << 64) // factors[0] if factors[0] != 1 else address % (1 << 64)
