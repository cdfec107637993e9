"""The compiled library: its hash, its bytes by address, and its functions."""

import functools
import hashlib
import io
import subprocess
from bisect import bisect_right
from collections import Counter
from collections.abc import Mapping
from pathlib import Path
from typing import Any, NamedTuple

from elftools.elf.elffile import ELFFile
from elftools.elf.relocation import RelocationSection
from iced_x86 import Decoder, FlowControl, Instruction, OpKind

# R_X86_64_GLOB_DAT, R_X86_64_JUMP_SLOT, R_X86_64_RELATIVE
IMPORTED, RELATIVE = (6, 7), 8
ELSEWHERE = 1 << 62  # where functions of other libraries are, each at an address that nothing else has
LEAVING = (FlowControl.RETURN, FlowControl.UNCONDITIONAL_BRANCH, FlowControl.INDIRECT_BRANCH)


# What is known of a result: the lowest byte of a register, and a word in memory.
Outcome = tuple[int | None, int | None]


class Refuted(Exception):
    """The property is false. The message names an input or an access."""


class Inconclusive(Exception):
    """Nothing is proved: a path could not be run, an input is not covered, or the solver has no answer."""


class Function(NamedTuple):
    """A symbol of the library: a function or a variable. `kind` is as `nm` names it. `label` is the name before it is
    demangled, which functions of one name and several types do not share."""

    address: int
    size: int
    kind: str
    name: str
    label: str

    @property
    def end(self) -> int:
        return self.address + self.size


class Image:
    """A shared library that is loaded at address zero, unchanged or with other bytes at some
    addresses."""

    def __init__(self, path: Path, patches: Mapping[int, bytes] | None = None) -> None:
        self.path = path
        self.pointers: dict[int, int] = {}  # addresses in the library, by where they are
        imported: dict[str, int] = {}
        try:
            content = path.read_bytes()
            elf = _library(content)
            self.sha256, self.compiler = hashlib.sha256(content).hexdigest(), _compiler(elf)
            self._read(elf, imported)
            symbols = [*_symbols(path), *(Function(at, 1, "U", name, name) for name, at in imported.items())]
        except OSError as error:
            raise Inconclusive(f"{path}: cannot be read ({error.strerror})") from error
        except Inconclusive as error:
            raise Inconclusive(f"{path}: {error}") from error
        except Exception as error:  # what pyelftools raises depends on where the file is damaged
            raise Inconclusive(f"{path}: truncated or damaged ({type(error).__name__}: {error}); build it again") from error
        for address, new in (patches or {}).items():
            self._put(address, new)
        self._decoded: dict[int, Instruction] = {}
        self.read_constants: set[int] = set()  # addresses that a proof has used
        self.results: dict[int, set[Outcome]] = {}  # of functions that a proof has run, by address
        self.ignored: set[int] = set()  # those of them of whose ends the proof has read and proved nothing
        self.contracts: dict[int, set[Outcome]] = {}  # the results of functions in the contracts that a proof has used
        self._symbols = sorted(symbols)
        labels = Counter(one.label for one in self._symbols)
        self._labels = {one.label: one for one in self._symbols if labels[one.label] == 1}
        self._functions = {one.address: one for one in self._symbols if one.kind in "tT"}

    def _read(self, elf: ELFFile, imported: dict[str, int]) -> None:
        """Reads the segments, the pointers in them, and the names of functions of other libraries."""
        loaded = [one for one in elf.iter_segments() if one["p_type"] == "PT_LOAD"]
        relocated = [one for one in elf.iter_segments() if one["p_type"] == "PT_GNU_RELRO"]
        self._segments = [(one["p_vaddr"], bytearray(one.data()), bool(one["p_flags"] & 2)) for one in loaded]
        self._code = [range(one["p_vaddr"], one["p_vaddr"] + one["p_memsz"]) for one in loaded if one["p_flags"] & 1]
        self._relocated = [range(one["p_vaddr"], one["p_vaddr"] + one["p_memsz"]) for one in relocated]
        for section in elf.iter_sections():
            for one in section.iter_relocations() if isinstance(section, RelocationSection) else ():
                if one["r_info_type"] == RELATIVE:
                    self.pointers[one["r_offset"]] = one["r_addend"]
                elif one["r_info_type"] in IMPORTED:
                    name = elf.get_section(section["sh_link"]).get_symbol(one["r_info_sym"]).name
                    self.pointers[one["r_offset"]] = imported.setdefault(name, ELSEWHERE + len(imported))
        for address, pointer in self.pointers.items():
            self._put(address, pointer.to_bytes(8, "little"))

    def _put(self, address: int, new: bytes) -> None:
        start, data, _ = self._segment(address)
        data[address - start : address - start + len(new)] = new

    def _segment(self, address: int) -> tuple[int, bytearray, bool]:
        for segment in self._segments:
            if segment[0] <= address < segment[0] + len(segment[1]):
                return segment
        raise Inconclusive(f"{address:#x} is not in the library")

    def read(self, address: int, size: int) -> bytes:
        start, data, _ = self._segment(address)
        if address + size > start + len(data):
            raise Inconclusive(f"{address:#x} is at the end of a segment")
        return bytes(data[address - start : address - start + size])

    def constant(self, address: int, size: int) -> bytes:
        """Returns constants that a proof uses."""
        self.read_constants.update(range(address, address + size))
        return self.read(address, size)

    def is_code(self, address: int) -> bool:
        """Whether the address is in a segment that can be executed."""
        return any(address in one for one in self._code)

    def is_constant(self, address: int) -> bool:
        """Whether the address is in a segment that nothing writes, or in the relocated pointers,
        which nothing writes after the library was loaded."""
        return not self._segment(address)[2] or any(address in one for one in self._relocated)

    def constants(self, address: int) -> range:
        """Returns the constants around an address."""
        start, data, is_written = self._segment(address)
        around = [one for one in self._relocated if address in one] if is_written else [range(start, start + len(data))]
        if not around:
            raise Refuted(f"reads a variable at {address:#x}")
        return around[0]

    def instruction(self, address: int) -> Instruction:
        if address not in self._decoded:
            start, data, _ = self._segment(address)
            code = bytes(data[address - start : address - start + 15])
            self._decoded[address] = next(iter(Decoder(64, code, ip=address)))
        return self._decoded[address]

    def code(self, function: Function) -> list[Instruction]:
        """Returns the instructions of a function."""
        return list(Decoder(64, self.read(function.address, function.size), ip=function.address))

    def executed(self) -> list[Instruction]:
        """Returns the instructions that were asked for so far, by address."""
        return [self._decoded[address] for address in sorted(self._decoded)]

    # Symbols.

    def function(self, name: str) -> int:
        """Returns the address of the only function of this name, here or in another library."""
        return self._only(name, "tTU").address

    def functions(self) -> list[Function]:
        """Returns all functions, by address. Of several names for one function it has the last."""
        return list(self._functions.values())

    def borders(self) -> set[int]:
        """Returns where symbols begin and end, and segments end."""
        ends = {start + len(data) for start, data, _ in self._segments}
        return ends | {border for one in self._symbols for border in (one.address, one.end)}

    def variable(self, name: str) -> range:
        """Returns where the only variable of this name is."""
        one = self._only(name, "bBdDrR")
        return range(one.address, one.end)

    def _only(self, name: str, kinds: str) -> Function:
        found = [one for one in self._symbols if one.kind in kinds and one.name == name]
        if len(found) != 1:
            raise Inconclusive(f"the library has {len(found)} symbols {name}")
        return found[0]

    def named(self, label: str) -> Function:
        """Returns the symbol of a label."""
        if label not in self._labels:
            raise Inconclusive(f"the library has no symbol {label}")
        return self._labels[label]

    def around(self, address: int) -> Function | None:
        """Returns the symbol that has an address, if no other has its label."""
        index = bisect_right(self._symbols, address, key=lambda one: one.address)
        one = self._symbols[index - 1] if index else None
        return one if one and address < one.end and one.label in self._labels else None

    def panics(self, address: Any) -> bool:
        """Whether an address is that of a function that neither returns nor jumps to another one."""
        function = self._functions.get(address) if isinstance(address, int) else None
        if function is None:
            return False
        ends = [one for one in self.code(function) if one.flow_control in LEAVING]
        within = range(function.address, function.end)
        return all(one.op0_kind == OpKind.NEAR_BRANCH64 and one.near_branch_target in within for one in ends)


def _library(content: bytes) -> ELFFile:
    """Returns the shared library, or says why it is none that can be proved."""
    if content[:4] != b"\x7fELF":
        raise Inconclusive("not an ELF file; give the .so of a cdylib")
    elf = ELFFile(io.BytesIO(content))
    machine = f"{elf.get_machine_arch()}, {elf.elfclass}-bit"
    if machine != "x64, 64-bit" or not elf.little_endian:
        raise Inconclusive(f"built for {machine}; the proofs are about x86-64")
    if elf["e_type"] != "ET_DYN":
        raise Inconclusive(f"not a shared library ({elf['e_type']}); give the .so of a cdylib")
    if elf.get_section_by_name(".symtab") is None:
        raise Inconclusive("no symbols; build it without `strip`")
    return elf


def _compiler(elf: ELFFile) -> str:
    """Returns the version of rustc that is noted in the library."""
    noted = section.data() if (section := elf.get_section_by_name(".comment")) else b""
    versions = [one.decode() for one in noted.split(b"\0") if one.startswith(b"rustc ")]
    return versions[0] if versions else "unknown"


@functools.cache
def _symbols(path: Path) -> list[Function]:
    """Returns the symbols of a library, of which each fault that is tried makes an image."""
    command = ["nm", "--no-sort", "--print-size"]
    tables = [
        subprocess.run([*command, *options, path], text=True, capture_output=True, check=True).stdout.splitlines()
        for options in ([], ["--demangle"])
    ]
    symbols = list[Function]()
    for label, line in zip(*tables, strict=True):
        fields = line.split(None, 3)
        if len(fields) == 4 and len(fields[2]) == 1:
            name = label.split()[-1].split(".llvm.")[0]
            symbols.append(Function(int(fields[0], 16), int(fields[1], 16), *fields[2:], name))
    return symbols
