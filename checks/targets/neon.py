#!/usr/bin/env python3
"""Estimates how many cycles the NEON kernel takes on CPUs of which none is at hand, beside the scalar and the
SWAR kernel. Each kernel encodes and decodes each set of values once under an emulator. llvm-mca then estimates
the time of the executed instructions, with a model of the CPU in which every branch is predicted and every
access to memory hits the first cache.

Prints cycles per value of the three kernels, and exits with 1 if the NEON kernel is estimated slower than the
scalar one for some set. Needs a Rust toolchain with
library sources, and for example Debian's gcc-aarch64-linux-gnu, qemu-user and llvm-22."""

import os
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

CPUS = ["neoverse-n1", "neoverse-v2", "apple-m1"]
KERNELS = ["scalar", "swar", "neon"]
SETS = ["1B", "2B", "mix", "skew", "tile", "log", "rand", "1e8", "MIN"]
VALUES = 1024  # SHORT of benches/src/corpus.rs
ROOT = Path(__file__).resolve().parents[2]


def output(*command: object, **options: object) -> str:
    return subprocess.run(list(map(str, command)), check=True, text=True, stdout=subprocess.PIPE, **options).stdout


def newest(tool: str) -> str:
    """Returns the newest version of an LLVM tool, which knows most CPUs."""
    names = [f"{tool}-{version}" for version in range(40, 14, -1)] + [tool]
    found = next(filter(shutil.which, names), None)
    return found or sys.exit(f"neon: no {tool} 15 or newer; on Debian: apt install llvm-22")


def build() -> Path:
    rustc = output("bash", "-c", "source checks/toolchain.sh; echo $rustc", cwd=ROOT).strip()
    if not rustc:
        sys.exit("neon: no Rust toolchain with library sources; rustup component add rust-src")
    target = Path(os.environ.get("CARGO_TARGET_DIR", ROOT / "target")).resolve() / "neon"
    setting = {
        "RUSTC": rustc, "RUSTC_BOOTSTRAP": "1", "CARGO_TARGET_DIR": str(target),
        "CARGO_TARGET_AARCH64_UNKNOWN_LINUX_GNU_LINKER": "aarch64-linux-gnu-gcc",
        "RUSTFLAGS": "-Crelocation-model=static", "EXPECTED_MACHINE": "aarch64 little-endian 64-bit",
    }  # fmt: skip
    cargo = Path(rustc).with_name("cargo")
    manifest = ROOT / "checks/targets/bare/Cargo.toml"
    output(
        cargo, "build", "--quiet", "--locked", "--manifest-path", manifest, "--bin", "kernels", "--profile", "bench",
        "--target", "aarch64-unknown-linux-gnu", "-Zbuild-std=std,panic_abort", env=os.environ | setting,
    )  # fmt: skip
    return target / "aarch64-unknown-linux-gnu/release/kernels"


def executed(program: Path, listing: dict[int, str], mark: int, case: list[str]) -> list[str]:
    """Returns the instructions of one call in the order of their execution."""
    single = "-one-insn-per-tb" if "one-insn-per-tb" in output("qemu-aarch64", "-help") else "-singlestep"
    with tempfile.NamedTemporaryFile("r") as log:
        ends = f"{min(listing):#x}..{max(listing):#x}"
        output(
            "qemu-aarch64", "-L", "/usr/aarch64-linux-gnu", single, "-d", "exec,nochain", "-dfilter", ends, "-D", log.name,
            program, *case,
        )  # fmt: skip
        trace = [int(pc, 16) for pc in re.findall(r"^Trace \d+: \S+ \[[0-9a-f]+/([0-9a-f]+)/", log.read(), re.M)]
    first, last = [index for index, pc in enumerate(trace) if pc == mark]
    return [listing[pc] for pc in trace[first:last]]


def cycles(mca: str, cpu: str, code: list[str]) -> float:
    report = output(
        mca, "-mtriple=aarch64", f"-mcpu={cpu}", "-iterations=1", "-all-views=false", "-summary-view",
        input="\n".join(code) + "\n", stderr=subprocess.DEVNULL,
    )  # fmt: skip
    return int(re.search(r"Total Cycles: +(\d+)", report)[1]) / VALUES


def main() -> None:
    mca, objdump, program = newest("llvm-mca"), newest("llvm-objdump"), build()
    text = output(objdump, "-d", "--no-show-raw-insn", "--no-print-imm-hex", program)
    lines = re.findall(r"^ *([0-9a-f]+): +(.*?)(?: +<.*)?$", text, re.M)
    # An assembler takes no address as the target of a branch, but a symbol.
    listing = {int(pc, 16): re.sub(r"(?<!#)\b0x[0-9a-f]+$", "target", re.sub(r"\s*//.*", "", code)) for pc, code in lines}
    mark = int(re.search(r"^([0-9a-f]+) <mark>:$", text, re.M)[1], 16)
    slower = 0
    for direction in ("encode", "decode"):
        for integer in ("u64", "u32"):
            for values in SETS:
                cells = []
                codes = [executed(program, listing, mark, [kernel, integer, direction, values]) for kernel in KERNELS]
                for cpu in CPUS:
                    times = [cycles(mca, cpu, code) for code in codes]
                    slower += times[2] > times[0]
                    cells.append(f"{cpu}={' / '.join(f'{time:.2f}' for time in times)}")
                print(f"figure: {direction} {integer}={values};", "; ".join(cells), flush=True)
    print(f"the NEON kernel is estimated slower than the scalar one in {slower} cases")
    sys.exit(slower > 0)


main()
