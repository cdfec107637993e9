"""The compiled library: its hash, the addresses of its functions, and faults that are injected into
it."""

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

import angr


@dataclass(frozen=True)
class Patch:
    """A fault in the loaded image: every occurrence of `find` is replaced by `replace`."""

    find: bytes
    replace: bytes


@dataclass(frozen=True)
class Fault:
    """The change that makes a mutant: exports replaced by others, or bytes of the image."""

    renamed: Mapping[str, str] = field(default_factory=dict)
    patch: Patch | None = None


class Artefact:
    """A shared library, loaded unchanged or with one fault."""

    def __init__(self, path: Path, fault: Fault = Fault()) -> None:
        self.project = angr.Project(str(path), auto_load_libs=False)
        self._renamed: Mapping[str, str] = {}
        for export in fault.renamed:
            self.address(export)  # a fault in an export that does not exist would have no effect
        self._renamed = fault.renamed
        if fault.patch is not None:
            self._apply(fault.patch)

    def address(self, name: str) -> int:
        """Returns the address of an exported function."""
        name = self._renamed.get(name, name)
        symbol = self.project.loader.main_object.get_symbol(name)
        if symbol is None:
            raise LookupError(f"the artefact exports no {name}")
        return symbol.rebased_addr

    def panics(self) -> list[int]:
        """Returns the functions that every panic calls, found by a part of their names that
        mangling keeps."""
        found = [
            symbol.rebased_addr
            for symbol in self.project.loader.main_object.symbols
            if symbol.is_function and symbol.size and "4core9panicking" in symbol.name
        ]
        if not found:
            raise LookupError("the artefact has no symbols of the panic functions: is it stripped?")
        return found

    def _apply(self, patch: Patch) -> None:
        main = self.project.loader.main_object
        image = self.project.loader.memory.load(main.min_addr, main.max_addr - main.min_addr)
        at = image.find(patch.find)
        if at < 0:
            raise LookupError("the bytes to patch are not in the artefact")
        while at >= 0:
            self.project.loader.memory.store(main.min_addr + at, patch.replace)
            at = image.find(patch.find, at + 1)


def sha256(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()
