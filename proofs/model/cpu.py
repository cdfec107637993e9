"""Runs single instructions on this CPU, with given registers and memory."""

import ctypes
import mmap
import subprocess
import tempfile
from dataclasses import dataclass
from pathlib import Path

from .machine import GENERAL, State

PAGE = 4096
DATA = 2 * PAGE  # bytes of memory for operands; a page follows that nothing may access
FLAGS = {"cf": 0, "zf": 6, "sf": 7, "of": 11}
NEEDED = {"avx512f", "avx512bw", "avx512cd", "avx512vl", "avx512dq", "avx512vbmi", "avx512_vbmi2", "bmi1", "bmi2"}
# The layout of the registers in `registers` below.
MASKS, WORDS, EFLAGS, SIZE = 2048, 2112, 2240, 2248


def missing_features() -> set[str]:
    """Returns the features that this CPU does not have."""
    for line in Path("/proc/cpuinfo").read_text().splitlines():
        if line.startswith("flags"):
            return NEEDED - set(line.split())
    return NEEDED


def _assembly() -> str:
    """Returns a function that loads all registers, jumps to the code, and stores all registers."""
    saved = "rbx rbp r12 r13 r14 r15".split()
    general = [name.lower() for name in GENERAL]

    def at(offset: int) -> str:
        return f"[rip + registers + {offset}]"

    lines = [".intel_syntax noprefix", ".data", ".balign 64", ".globl registers, code, back, run"]
    lines += [f"registers: .skip {SIZE}", "code: .quad 0", "saved: .quad 0", "back: .quad return_here"]
    lines += [".text", "run:", *[f"push {name}" for name in saved], "mov [rip + saved], rsp"]
    lines += [f"vmovdqu64 zmm{index}, {at(64 * index)}" for index in range(32)]
    lines += [f"kmovq k{index}, {at(MASKS + 8 * index)}" for index in range(8)]
    lines += [f"push qword ptr {at(EFLAGS)}", "popfq"]
    lines += [f"mov {name}, {at(WORDS + 8 * index)}" for index, name in enumerate(general)]
    lines += ["jmp [rip + code]", "return_here:"]
    lines += [f"mov {at(WORDS + 8 * index)}, {name}" for index, name in enumerate(general)]
    lines += ["mov rsp, [rip + saved]", "pushfq", f"pop qword ptr {at(EFLAGS)}"]
    lines += [f"vmovdqu64 {at(64 * index)}, zmm{index}" for index in range(32)]
    lines += [f"kmovq {at(MASKS + 8 * index)}, k{index}" for index in range(8)]
    lines += ["vzeroupper", *[f"pop {name}" for name in reversed(saved)], "ret"]
    return "\n".join([*lines, '.section .note.GNU-stack,"",@progbits', ""])


@dataclass(frozen=True)
class After:
    """The registers, flags and memory after an instruction."""

    vectors: list[list[int]]
    masks: list[int]
    general: list[int]
    flags: dict[str, bool]
    memory: bytes


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

    def run(self, code: bytes, state: State, memory: bytes) -> After:
        """Runs the code from a state of which everything is known."""
        self._map[: len(code) + len(self._jump_back)] = code + self._jump_back
        self._map[PAGE : PAGE + DATA] = memory
        flags = 0x202 | sum(bool(state.flags[name]) << bit for name, bit in FLAGS.items())
        masks = [sum(bool(bit) << index for index, bit in enumerate(mask)) for mask in state.masks]
        words = b"".join(word.to_bytes(8, "little") for word in [*masks, *state.general, flags])
        ctypes.memmove(self._registers, b"".join(map(bytes, state.vectors)) + words, SIZE)
        self._library.run()
        after = ctypes.string_at(self._registers, SIZE)
        words_after = [int.from_bytes(after[at : at + 8], "little") for at in range(MASKS, SIZE, 8)]
        return After(
            [list(after[64 * index : 64 * index + 64]) for index in range(32)],
            words_after[:8],
            words_after[8:24],
            {name: bool(words_after[24] >> bit & 1) for name, bit in FLAGS.items()},
            self._map[PAGE : PAGE + DATA],
        )
