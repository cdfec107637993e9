"""The CPUs that the code runs on. The answers of CPUID decide which code of the crate is used."""

from dataclasses import dataclass
from typing import Any

import claripy
from angr.engines.vex.heavy import dirty

INTEL = (0x756E_6547, 0x6C65_746E, 0x4965_6E69)  # "Genu" "ntel" "ineI": EBX, ECX, EDX of leaf 0
SSE2 = 1 << 25 | 1 << 26  # leaf 1, EDX: SSE and SSE2, which every x86-64 CPU has
POPCNT, XSAVE_AND_AVX = 1 << 23, 1 << 26 | 1 << 27 | 1 << 28  # leaf 1, ECX
BMI1, AVX2, BMI2 = 1 << 3, 1 << 5, 1 << 8  # leaf 7, EBX
LZCNT = 1 << 5  # leaf 0x8000_0001, ECX
XMM_AND_YMM = 0b111  # XCR0: the registers that the operating system saves


@dataclass(frozen=True)
class Cpu:
    """A CPU and its features."""

    name: str
    bmi2: bool
    avx2: bool

    def leaf(self, leaf: int, subleaf: int) -> tuple[int, int, int, int]:
        """Returns EAX, EBX, ECX and EDX of a CPUID leaf (Intel SDM, volume 2A, CPUID)."""
        match leaf, subleaf:
            case 0, _:
                ebx, ecx, edx = INTEL
                return 7, ebx, ecx, edx
            case 1, _:
                return 0, 0, (POPCNT | XSAVE_AND_AVX) * self.bmi2, SSE2
            case 7, 0:
                return 0, (BMI1 | BMI2) * self.bmi2 | AVX2 * self.avx2, 0, 0
            case 0x8000_0000, _:
                return 0x8000_0001, 0, 0, 0
            case 0x8000_0001, _:
                return 0, 0, LZCNT * self.bmi2, 0
        return 0, 0, 0, 0


BASELINE = Cpu("baseline", bmi2=False, avx2=False)
WITH_BMI2 = Cpu("bmi2", bmi2=True, avx2=False)
WITH_AVX2 = Cpu("avx2", bmi2=True, avx2=True)


def answer_as(cpu: Cpu) -> None:
    """Makes CPUID and XGETBV answer as on this CPU, for the rest of this process."""

    def cpuid(state: Any, _: Any) -> tuple[None, list[Any]]:
        leaf, subleaf = (state.solver.eval_one(register) for register in (state.regs.eax, state.regs.ecx))
        for register, word in zip(("rax", "rbx", "rcx", "rdx"), cpu.leaf(leaf, subleaf), strict=True):
            state.registers.store(register, claripy.BVV(word, 64))
        return None, []

    def xgetbv(_state: Any, _register: Any) -> tuple[claripy.ast.BV, list[Any]]:
        return claripy.BVV(XMM_AND_YMM, 64), []

    for kind in ("baseline", "avx_and_cx16", "avx2"):
        setattr(dirty, f"amd64g_dirtyhelper_CPUID_{kind}", cpuid)
    dirty.amd64g_dirtyhelper_XGETBV = xgetbv
