"""Compares the model of every instruction with this CPU: on numbers, and on registers of which some have names, that
then stand for the numbers that the CPU has."""

import ctypes
import mmap
import random
import subprocess
import tempfile
import time
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

import z3
from iced_x86 import CpuidFeature, Decoder, Encoder, Instruction, MemorySizeExt, Mnemonic, OpKind, Register

from . import general, lanewise, moves  # noqa: F401, of which each adds rows to SEMANTICS
from .image import Refuted
from .machine import (
    GENERAL, MASK_REGISTERS, SEMANTICS, STACK_POINTER, State, Unsupported, execute, has_memory, mnemonic, select,
)
from .terms import as_bytes, deposited, joined, kept, known, lanes, ones, simplified, split, term

RANDOM = random.Random(1)
PAGE = 4096
DATA = 2 * PAGE  # bytes of memory for operands; a page follows that nothing may access
NEAR = 1024  # offset of memory operands in the data
FLAGS = {"cf": 0, "zf": 6, "sf": 7, "of": 11}
# What iced calls a feature, by the flag of Linux. Every CPU of 64 bits has those that are not named here, and `lm`.
FLAG_OF = {"lzcnt": "abm", "sse3": "pni", "avx512_vbmi": "avx512vbmi"}
FLAG_OF |= dict.fromkeys(("intel8086", "intel186", "intel286", "intel386", "intel486", "x64", "multibytenop"), "lm")
FEATURES = {number: FLAG_OF.get(name.lower(), name.lower()) for name, number in vars(CpuidFeature).items() if name.isupper()}
LINES = [line for line in Path("/proc/cpuinfo").read_text().splitlines() if line.startswith("flags")]
HAS = set(LINES[0].split()) if LINES else set[str]()
WIDE = {"avx512f", "avx512bw"} <= HAS  # Otherwise the masks of AVX-512 cannot be loaded, and none of it is compared.
HAS = HAS if WIDE else {one for one in HAS if not one.startswith("avx512")}
NAME, WIDTH, COUNT = ("zmm", 64, 32) if WIDE else ("ymm", 32, 16) if "avx" in HAS else ("xmm", 16, 16)
MOVE = "vmovdqu64" if WIDE else "vmovdqu" if "avx" in HAS else "movdqu"
MASKS, WORDS, EFLAGS, SIZE = 2048, 2112, 2240, 2248  # the layout of the registers in `registers` below


class Comparison(NamedTuple):
    """How many forms of instructions agree with this CPU, how many do not, and how many were not compared with it."""

    agreeing: int
    disagreeing: int
    left_out: int


def compare(instructions: Iterable[tuple[Instruction, bytes]], cases: int) -> Comparison:
    """Compares the forms of these instructions, unless the CPU lacks them, and prints the result. The forms differ in more
    than registers, addresses and the values of long immediates."""
    started, cpu, failures, compared = time.monotonic(), Cpu(), list[str](), 0
    forms = {_form(one): (one, code) for one, code in instructions if mnemonic(one) in SEMANTICS.keys() - general.FLOW}
    lacking = {form: {FEATURES[at] for at in one.cpuid_features()} - HAS for form, (one, _) in forms.items()}
    chosen = [one for form, one in forms.items() if cases and not lacking[form]]
    for instruction, code in chosen:
        try:
            compared += _compare_cases(cpu, instruction, code, cases)
        except Exception as error:  # any exception means that the model is not confirmed
            failures.append(f"{instruction} [{code.hex()}]: {type(error).__name__}: {error}")
    print(
        f"\nCPU model  {len(chosen)} forms of instructions: {compared} cases with known and unknown registers,"
        f" {len(failures)} forms disagree, {time.monotonic() - started:.0f} s"
    )
    for failure in failures:
        print(f"           {failure}")
    if left_out := len(forms) - len(chosen):
        why = f"this CPU has no {', '.join(sorted(set().union(*lacking.values())))}" if cases else "--cases 0"
        print(f"           {left_out} forms not compared: {why}")
    return Comparison(len(chosen) - len(failures), len(failures), left_out)


def _form(one: Instruction) -> tuple[Any, ...]:
    registers = [one.op_register(at) for at in range(one.op_count) if one.op_kind(at) == OpKind.REGISTER]
    kinds = tuple(one.op_kind(operand) for operand in range(one.op_count))
    immediate = one.immediate8 if OpKind.IMMEDIATE8 in kinds else None
    repeated = tuple(register == registers[0] for register in registers)
    return one.code, kinds, repeated, immediate, bool(one.op_mask), one.zeroing_masking, one.is_broadcast


def _compare_cases(cpu: "Cpu", instruction: Instruction, code: bytes, cases: int) -> int:
    """Compares this number of cases in which everything is known, the same with names, and at the edge of a page. The
    model may need registers that are known, such as the indices of a permutation."""
    has_edge = instruction.op_mask and has_memory(instruction) and mnemonic(instruction) == "vmovdqu8"
    compared = 0
    for named, at_edge in [(0.0, False), (1.0, False), (0.5, False), *[(0.0, True)] * bool(has_edge)] * cases:
        case = _Case(cpu, instruction, code, named, at_edge)
        after, memory = cpu.run(case.code, case.numbers, bytes(case.data))
        try:
            execute(case, case.instruction)
        except Unsupported:
            if not named:
                raise
            continue
        compared += 1
        for what, modelled, actual in case.results(after, memory):
            if modelled != actual:
                raise Refuted(f"{what} is {actual:#x} on the CPU, {modelled:#x} in the model")
    return compared


def _assembly() -> str:
    """Returns a function that loads all registers, jumps to the code, and stores all registers."""
    saved = "rbx rbp r12 r13 r14 r15".split()
    general = [name.lower() for name in GENERAL]

    def at(offset: int) -> str:
        return f"[rip + registers + {offset}]"

    lines = [".intel_syntax noprefix", ".data", ".balign 64", ".globl registers, code, back, run"]
    lines += [f"registers: .skip {SIZE}", "code: .quad 0", "saved: .quad 0", "back: .quad return_here"]
    lines += [".text", "run:", *[f"push {name}" for name in saved], "mov [rip + saved], rsp"]
    lines += [f"{MOVE} {NAME}{index}, {at(64 * index)}" for index in range(COUNT)]
    lines += [f"kmovq k{index}, {at(MASKS + 8 * index)}" for index in range(8 * WIDE)]
    lines += [f"push qword ptr {at(EFLAGS)}", "popfq"]
    lines += [f"mov {name}, {at(WORDS + 8 * index)}" for index, name in enumerate(general)]
    lines += ["jmp [rip + code]", "return_here:"]
    lines += [f"mov {at(WORDS + 8 * index)}, {name}" for index, name in enumerate(general)]
    lines += ["mov rsp, [rip + saved]", "pushfq", f"pop qword ptr {at(EFLAGS)}"]
    lines += [f"{MOVE} {at(64 * index)}, {NAME}{index}" for index in range(COUNT)]
    lines += [f"kmovq {at(MASKS + 8 * index)}, k{index}" for index in range(8 * WIDE)]
    lines += [*["vzeroupper"] * ("avx" in HAS), *[f"pop {name}" for name in reversed(saved)], "ret"]
    return "\n".join([*lines, '.section .note.GNU-stack,"",@progbits', ""])


class Cpu:
    """This CPU."""

    def __init__(self) -> None:
        with tempfile.TemporaryDirectory() as folder:
            source, library = Path(folder, "cpu.s"), Path(folder, "cpu.so")
            source.write_text(_assembly())
            subprocess.run(["cc", "-shared", "-Wl,-Bsymbolic", "-o", library, source], check=True)
            self._library = ctypes.CDLL(str(library))
        self._registers = (ctypes.c_ubyte * SIZE).in_dll(self._library, "registers")
        self._map = mmap.mmap(-1, PAGE + DATA + PAGE, prot=mmap.PROT_READ | mmap.PROT_WRITE | mmap.PROT_EXEC)
        self.code = ctypes.addressof(ctypes.c_ubyte.from_buffer(self._map))
        self.data = self.code + PAGE
        if ctypes.CDLL(None).mprotect(ctypes.c_void_p(self.data + DATA), PAGE, 0) != 0:
            raise OSError("mprotect failed")
        ctypes.c_uint64.in_dll(self._library, "code").value = self.code
        back = ctypes.c_uint64.in_dll(self._library, "back").value
        self._jump_back = b"\xff\x25\0\0\0\0" + back.to_bytes(8, "little")  # jmp [rip]

    def run(self, code: bytes, state: State, memory: bytes) -> tuple[State, bytes]:
        """Runs the code from a state of which everything is known, and returns the state and memory after it."""
        self._map[: len(code) + len(self._jump_back)] = code + self._jump_back
        self._map[PAGE : PAGE + DATA] = memory
        flags = 0x202 | sum(bool(state.flags[name]) << bit for name, bit in FLAGS.items())
        words = [*map(joined, state.masks), *state.general, flags]
        ctypes.memmove(self._registers, bytes([*sum(state.vectors, []), *as_bytes(words, 64)]), SIZE)
        self._library.run()
        registers = ctypes.string_at(self._registers, SIZE)
        after, words = State(), lanes(registers[MASKS:], 64)
        after.vectors = [list(registers[64 * index : 64 * index + 64]) for index in range(32)]
        after.masks, after.general = [split(word, 64) for word in words[:8]], words[8:24]
        after.flags = {name: bool(words[24] >> bit & 1) for name, bit in FLAGS.items()}
        return after, self._map[PAGE : PAGE + DATA]


class _Case(State):
    """An instruction in the memory of the CPU, and the state before it: its numbers, and for a share of the
    registers names for them. The memory operand is at the address in R15."""

    def __init__(self, cpu: Cpu, instruction: Instruction, code: bytes, named: float, at_edge: bool) -> None:
        data = RANDOM.randbytes(NEAR - 64) + bytes(_random_bytes(320)) + bytes(DATA - NEAR - 256)
        super().__init__()
        self.start, self.data = cpu.data, list[Any](RANDOM.randbytes(DATA) if at_edge else data)
        self.numbers, self.code = State(), code
        self.numbers.vectors = [_random_bytes(64) for _ in range(32)]
        self.numbers.masks = [split(_random(64), 64) for _ in range(8)]
        self.numbers.general = [_random(64) for _ in GENERAL]
        self.numbers.general[STACK_POINTER] = cpu.data + DATA // 2
        self.numbers.flags = {name: bool(RANDOM.getrandbits(1)) for name in FLAGS}
        if instruction.mnemonic == Mnemonic.DIV:  # of which the quotient is a byte
            self.numbers.general = [word | 1 for word in self.numbers.general]
            self.numbers.general[0] &= 0xFF
        if has_memory(instruction) and instruction.mnemonic != Mnemonic.LEA:
            self._place_operand(cpu, instruction, at_edge)
        self.instruction = next(iter(Decoder(64, self.code, ip=cpu.code)))
        self._name(named)
        self.before = list(_registers(self))

    def _place_operand(self, cpu: Cpu, instruction: Instruction, at_edge: bool) -> None:
        address = cpu.data + NEAR + (0 if moves.needs_alignment(instruction) else RANDOM.randrange(64))
        if at_edge:  # Only the first bytes are in the page, and the mask selects none of the others.
            inside = RANDOM.randrange(MemorySizeExt.size(instruction.memory_size) + 1)
            address, mask = cpu.data + DATA - inside, self.numbers.masks[MASK_REGISTERS[instruction.op_mask]]
            mask[:] = [index < inside and bool(RANDOM.getrandbits(1)) for index in range(64)]
        self.numbers.general[GENERAL.index("R15")] = address
        placed, encoder = instruction.copy(), Encoder(64)
        placed.memory_base, placed.memory_index, placed.memory_index_scale = Register.R15, Register.NONE, 1
        placed.memory_displacement = placed.memory_displ_size = 0
        encoder.encode(placed, cpu.code)
        self.code = encoder.take_buffer()

    def _name(self, share: float) -> None:
        """Makes the names of some registers and perhaps of all flags, and keeps what they stand for."""
        self.pairs: list[tuple[Any, Any]] = []
        self.general, self.vectors = list(self.numbers.general), list(self.numbers.vectors)
        self.masks, self.flags = list(self.numbers.masks), dict(self.numbers.flags)
        for index, word in enumerate(self.general[:15]):
            if index != STACK_POINTER and RANDOM.random() < share:
                self.general[index] = self._named(z3.BitVec(f"r{index}", 64), word)
        for index, vector in enumerate(self.vectors):
            if RANDOM.random() < share:
                words = [self._named(z3.BitVec(f"v{index}.{at}", 64), word) for at, word in enumerate(lanes(vector, 64))]
                self.vectors[index] = as_bytes(words, 64)
        for index, mask in enumerate(self.masks):
            if RANDOM.random() < share:
                self.masks[index] = [self._named(z3.Bool(f"k{index}.{at}"), bool(bit)) for at, bit in enumerate(mask)]
        if RANDOM.random() < share:
            self.flags = {name: self._named(z3.Bool(name), bit) for name, bit in self.numbers.flags.items()}

    def _named(self, name: Any, number: Any) -> Any:
        self.pairs.append((name, z3.BoolVal(number) if isinstance(number, bool) else z3.BitVecVal(number, 64)))
        return name

    def number(self, value: Any, width: int) -> int:
        """Returns a word, or bytes, or bits, as a number."""
        if isinstance(value, list):
            value = lanes(value, width)[0] if width > 64 else joined(value)
        return value if known(value) else int(simplified(z3.substitute(term(value, width), *self.pairs), width))

    def load_masked(self, address: int, bits: list[Any]) -> list[Any]:
        places = range(address - self.start, address - self.start + len(bits))
        old = [0 if bit is False else self.data[at] for at, bit in zip(places, bits, strict=True)]
        return select(bits, old, [0] * len(bits), 1)

    def store_masked(self, address: int, new: list[Any], bits: list[Any]) -> None:
        for at, (one, bit) in enumerate(zip(new, bits, strict=True), address - self.start):
            if bit is not False:
                self.data[at] = select([bit], [one], [self.data[at]], 1)[0]

    def chosen(self, name: str, source: Any, by: Any) -> Any:
        if name == "popcnt":
            return self.number(source, by).bit_count()
        if name not in ("vpcompressb", "pext", "pdep"):
            which = self.number(by, 8)
            return 0 if "pshufb" in name and which >> 7 else source[which % len(source)]
        return (deposited if name == "pdep" else kept)(source, [bool(self.number(bit, 1)) for bit in by])

    def results(self, after: State, memory: bytes) -> Iterator[tuple[str, int, int]]:
        """Yields each register, defined flag and changed byte of the memory, by the model and on the CPU."""
        states = _registers(self), self.before, _registers(self.numbers), _registers(after)
        for now, before, numbers, actual in zip(*states, strict=True):
            value = numbers[1] if now[1] is before[1] else now[1]
            yield now[0], self.number(value, now[2]), self.number(actual[1], now[2])
        for name, flag in after.flags.items():
            if self.flags[name] is not None:
                yield name, self.number(self.flag(name), 1), int(flag)
        for at, (modelled, actual) in enumerate(zip(self.data, memory, strict=True)):
            if not known(modelled) or modelled != actual:
                yield f"byte {at} of the memory", self.number(modelled, 8), actual


def _registers(state: State) -> Iterator[tuple[str, Any, int]]:
    """Yields the registers with their widths, those of vectors up to the width that the CPU has."""
    for name, registers, width in (("", state.general, 64), ("zmm", state.vectors, 8 * WIDTH), ("k", state.masks, 64)):
        for index, one in enumerate(registers):
            yield f"{name}{index}" if name else GENERAL[index], one, width


def _random(width: int) -> int:
    """Returns a number that is often at the edge of something."""
    edges = 0, 1 << width - 1, -1, ones(width // 2), ones(width - 1)
    shorter, any_ = RANDOM.getrandbits(width) >> RANDOM.randrange(width), RANDOM.getrandbits(width)
    small = RANDOM.randrange(130)
    return RANDOM.choice((small, -small, shorter, any_, RANDOM.choice(edges))) & ones(width)


def _random_bytes(size: int) -> list[int]:
    width = RANDOM.choice((8, 64))
    return as_bytes([_random(width) for _ in range(8 * size // width)], width)
