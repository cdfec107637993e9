"""Compares the model of every instruction with this CPU: on numbers, and on named registers, whose names then stand
for the numbers that the CPU has."""

import random
import time
from collections.abc import Iterable, Iterator
from typing import Any

import z3
from iced_x86 import Decoder, Instruction, MemorySizeExt, Mnemonic, OpKind, Register

from .cpu import DATA, FLAGS, After, Cpu, missing_features
from .instructions import execute
from .machine import (
    GENERAL_REGISTERS, MASK_REGISTERS, SEMANTICS, STACK_POINTER, VECTOR_REGISTERS, Operands, State, Unsupported,
    has_memory, mnemonic, select,
)
from .moves import ALIGNED
from .terms import as_bytes, joined, known, lanes, ones, simplified, split, term

RANDOM = random.Random(1)
NEAR = 1024  # offset of memory operands in the data
EVERYTHING = None  # all registers are numbers


class Disagreement(Exception):
    """The model and the CPU have different results."""


def check(instructions: Iterable[tuple[Instruction, bytes]], cases: int) -> bool:
    """Compares the forms of these instructions, prints the result, and returns whether the model and the CPU
    agree. The forms differ in more than registers, addresses and the values of long immediates."""
    if missing := missing_features():
        print(f"CPU model  not checked here: this CPU has no {', '.join(sorted(missing))}")
        return True
    started, cpu, failures, counts = time.monotonic(), Cpu(), list[str](), [0, 0, 0]
    forms = {_form(one): (one, code) for one, code in instructions if mnemonic(one) in SEMANTICS}
    for instruction, code in forms.values():
        try:
            for _ in range(cases):
                _compare(cpu, instruction, code, EVERYTHING)
                counts[0] += 1
            counts[1] += _compare_names(cpu, instruction, code)
            if instruction.op_mask and has_memory(instruction) and mnemonic(instruction) == "vmovdqu8":
                for _ in range(cases):
                    _compare(cpu, instruction, code, EVERYTHING, at_edge=True)
                    counts[2] += 1
        except Exception as error:  # any exception means that the model is not confirmed
            failures.append(f"{instruction} [{code.hex()}]: {type(error).__name__}: {error}")
    print(
        f"CPU model  {len(forms)} forms of instructions: {counts[0]} cases with known and {counts[1]} with unknown"
        f" registers, {counts[2]} at the edge of a page, {len(failures)} forms disagree,"
        f" {time.monotonic() - started:.0f} s"
    )
    for failure in failures:
        print(f"  {failure}")
    return not failures


def _form(one: Instruction) -> tuple[Any, ...]:
    registers = [one.op_register(at) for at in range(one.op_count) if one.op_kind(at) == OpKind.REGISTER]
    kinds = tuple(one.op_kind(operand) for operand in range(one.op_count))
    immediate = one.immediate8 if OpKind.IMMEDIATE8 in kinds else None
    repeated = tuple(register == registers[0] for register in registers)
    return one.code, kinds, repeated, immediate, bool(one.op_mask), one.zeroing_masking, one.is_broadcast


def _compare_names(cpu: Cpu, instruction: Instruction, code: bytes) -> int:
    """Compares with names, with each operand known in turn and with none. The model may need one that is known,
    such as the indices of a permutation."""
    compared, registers = 0, {instruction.op_register(at) for at in range(instruction.op_count)}
    for one in (Register.NONE, *registers & (GENERAL_REGISTERS.keys() | VECTOR_REGISTERS.keys())):
        try:
            _compare(cpu, instruction, code, one)
            compared += 1
        except Unsupported as error:
            reason = error
    if not compared:
        raise reason
    return compared


def _compare(cpu: Cpu, instruction: Instruction, code: bytes, fixed: int | None, at_edge: bool = False) -> None:
    case = _Case(cpu, instruction, code, fixed, at_edge)
    after = cpu.run(case.code, case.numbers, bytes(case.memory.data))
    execute(case, case.instruction)
    for what, modelled, actual in case.results(after):
        if modelled != actual:
            raise Disagreement(f"{what} is {actual:#x} on the CPU, {modelled:#x} in the model")


class _Memory:
    """Memory at known addresses. What is stored there may be unknown."""

    def __init__(self, start: int, data: bytes) -> None:
        self.start, self.data = start, list[Any](data)

    def _range(self, address: int, size: int) -> slice:
        at = address - self.start
        if not 0 <= at <= len(self.data) - size:
            raise IndexError(f"accesses {size} bytes at {at}")
        return slice(at, at + size)

    def load(self, state: State, address: int, size: int) -> list[Any]:
        return self.data[self._range(address, size)]

    def store(self, state: State, address: int, new: list[Any]) -> None:
        self.data[self._range(address, len(new))] = new

    def load_masked(self, state: State, address: int, bits: list[Any]) -> list[Any]:
        old = [bit is not False and self.load(state, address + at, 1)[0] for at, bit in enumerate(bits)]
        return select(bits, old, [0] * len(bits), 1)

    def store_masked(self, state: State, address: int, new: list[Any], bits: list[Any]) -> None:
        for at, bit in enumerate(bits):
            if bit is not False:
                self.store(state, address + at, select([bit], [new[at]], self.load(state, address + at, 1), 1))


class _Case(State):
    """An instruction in the memory of the CPU, and the state before it: its numbers, and names for them, except for
    the registers of the address and one more, or all."""

    def __init__(self, cpu: Cpu, instruction: Instruction, code: bytes, fixed: int | None, at_edge: bool) -> None:
        data = RANDOM.randbytes(NEAR - 64) + bytes(_random_bytes(320)) + bytes(DATA - NEAR - 256)
        super().__init__(_Memory(cpu.data, RANDOM.randbytes(DATA) if at_edge else data))
        self.numbers, self.code, self.fixed = State(None), code, {("general", STACK_POINTER)}
        self.numbers.vectors = [_random_bytes(64) for _ in range(32)]
        self.numbers.masks = [split(_random(64), 64) for _ in range(8)]
        self.numbers.general = [_random(64) for _ in range(16)]
        self.numbers.general[STACK_POINTER] = cpu.data + DATA // 2
        self.numbers.flags = {name: bool(RANDOM.getrandbits(1)) for name in FLAGS}
        count = Operands(self.numbers, instruction).register(2) if instruction.op_count > 2 else Register.NONE
        if instruction.mnemonic in (Mnemonic.VPSLLW, Mnemonic.VPSLLD, Mnemonic.VPSLLQ) and count != Register.NONE:
            self.numbers.vectors[VECTOR_REGISTERS[count][0]][:8] = RANDOM.randrange(80).to_bytes(8, "little")
        if has_memory(instruction) and instruction.mnemonic != Mnemonic.LEA:
            self._place_operand(cpu, instruction, at_edge)
        self.instruction = next(iter(Decoder(64, self.code, ip=cpu.code)))
        for kind, numbers in (("general", GENERAL_REGISTERS), ("vector", VECTOR_REGISTERS)):
            self.fixed |= {(kind, numbers[fixed][0])} if fixed in numbers else set()
        self._name(everything=fixed is EVERYTHING)

    def _name(self, everything: bool) -> None:
        """Makes the names, and remembers the registers that have them."""
        self.pairs: list[tuple[Any, Any]] = []
        for index, word in enumerate(self.numbers.general):
            self.general[index] = word if everything or ("general", index) in self.fixed else self._word(f"r{index}", word)
        for index, vector in enumerate(self.numbers.vectors):
            words = [self._word(f"v{index}.{at}", word) for at, word in enumerate(lanes(vector, 64))]
            self.vectors[index] = vector if everything or ("vector", index) in self.fixed else as_bytes(words, 64)
        if everything:
            self.masks, self.flags = [list(one) for one in self.numbers.masks], dict(self.numbers.flags)
        else:
            self.masks = [
                [self._bit(f"k{index}.{at}", bit) for at, bit in enumerate(mask)]
                for index, mask in enumerate(self.numbers.masks)
            ]
            self.flags = {name: self._bit(name, bool(bit)) for name, bit in self.numbers.flags.items()}
        self.before = list(self.general), list(self.vectors), list(self.masks)

    def _word(self, name: str, number: int) -> Any:
        self.pairs.append((z3.BitVec(name, 64), z3.BitVecVal(number, 64)))
        return self.pairs[-1][0]

    def _bit(self, name: str, number: bool) -> Any:
        self.pairs.append((z3.Bool(name), z3.BoolVal(number)))
        return self.pairs[-1][0]

    def value(self, word: Any, width: int) -> int:
        return word if known(word) else simplified(z3.substitute(term(word, width), *self.pairs), width)

    def bits(self, bits: list[Any]) -> list[bool]:
        return [bool(one if known(one) else self.value(joined([one]), 1)) for one in bits]

    # What an unknown mask makes of other bits: the case has the numbers.

    def compressed(self, bits: list[Any], source: list[Any]) -> list[Any]:
        kept = [byte for byte, bit in zip(source, self.bits(bits), strict=True) if bit]
        return kept + [0] * (64 - len(kept))

    def number_of_ones(self, value: Any, width: int) -> int:
        return self.value(value, width).bit_count()

    def extracted(self, source: list[Any], mask: list[Any]) -> list[Any]:
        kept = [one for one, bit in zip(source, self.bits(mask), strict=True) if bit]
        return kept + [False] * (64 - len(kept))

    def deposited(self, source: list[Any], mask: list[Any]) -> list[Any]:
        left = iter(source)
        return [bit and next(left) for bit in self.bits(mask)]

    def shuffled(self, source: list[Any], control: Any) -> Any:
        which = self.value(control, 8)
        return 0 if which >> 7 else source[which & 15]

    def results(self, after: After) -> Iterator[tuple[str, int, int]]:
        """Yields each register, defined flag and changed byte of the memory, by the model and on the CPU."""
        for index, word in enumerate(self.general):
            same = word is self.before[0][index]
            modelled = self.numbers.general[index] if same else self.value(word, 64)
            yield f"general register {index}", modelled, after.general[index]
        for index, vector in enumerate(self.vectors):
            same = vector is self.before[1][index]
            [modelled] = lanes(self.numbers.vectors[index] if same else vector, 512)
            yield f"zmm{index}", self.value(modelled, 512), int.from_bytes(bytes(after.vectors[index]), "little")
        for index, mask in enumerate(self.masks):
            bits = self.numbers.masks[index] if mask is self.before[2][index] else self.bits(mask)
            yield f"k{index}", joined(bits), after.masks[index]
        for name, flag in after.flags.items():
            if self.flags[name] is not None:
                yield name, joined(self.bits([self.flag(name)])), int(flag)
        for at, (modelled, actual) in enumerate(zip(self.memory.data, after.memory, strict=True)):
            if not known(modelled) or modelled != actual:
                yield f"byte {at} of the memory", self.value(modelled, 8), actual

    # The memory operand.

    def _place_operand(self, cpu: Cpu, instruction: Instruction, at_edge: bool) -> None:
        address = cpu.data + NEAR + (0 if mnemonic(instruction) in ALIGNED else RANDOM.randrange(64))
        if at_edge:  # Only the first bytes are in the page, and the mask selects none of the others.
            inside = RANDOM.randrange(MemorySizeExt.size(instruction.memory_size) + 1)
            address, mask = cpu.data + DATA - inside, self.numbers.masks[MASK_REGISTERS[instruction.op_mask]]
            mask[:] = [index < inside and bool(RANDOM.getrandbits(1)) for index in range(64)]
        if instruction.is_ip_rel_memory_operand:
            decoder = Decoder(64, self.code, ip=0)
            at = decoder.get_constant_offsets(next(iter(decoder))).displacement_offset
            displacement = (address - cpu.code - len(self.code)).to_bytes(4, "little", signed=True)
            self.code = self.code[:at] + displacement + self.code[at + 4 :]
            return
        base, index, scale = instruction.memory_base, instruction.memory_index, instruction.memory_index_scale
        registers = [GENERAL_REGISTERS[one][0] for one in (base, index) if one != Register.NONE]
        self.fixed |= {("general", one) for one in registers}
        factors = [1] * (base != Register.NONE) + [scale] * (index != Register.NONE)
        if len(set(registers)) == 1:
            factors = [sum(factors)]
        address -= instruction.memory_displacement
        if len(factors) == 2:
            self.numbers.general[registers[1]] = RANDOM.randrange(17)
            address -= scale * self.numbers.general[registers[1]]
        # The address is rounded to a multiple of the factor, which stays within the data.
        self.numbers.general[registers[0]] = address % (1 << 64) // factors[0]


def _random(width: int) -> int:
    """Returns a number that is often at the edge of something."""
    match RANDOM.randrange(5):
        case 0:
            return RANDOM.randrange(130) & ones(width)
        case 1:
            return RANDOM.getrandbits(width) >> RANDOM.randrange(width)
        case 2:
            return -RANDOM.randrange(1, 130) & ones(width)
        case 3:
            return RANDOM.choice((0, 1 << width - 1, ones(width), ones(width // 2), ones(width - 1)))
    return RANDOM.getrandbits(width)


def _random_bytes(size: int) -> list[int]:
    width = RANDOM.choice((8, 64))
    return as_bytes([_random(width) for _ in range(8 * size // width)], width)
