"""The functions of the C library that the code may call. Calls to others end the proof, and so do
lengths with more than one solution."""

from typing import Any

import angr
import claripy

from .outcome import Inconclusive, Refuted


class Copy(angr.SimProcedure):
    """`memcpy` and `memmove`."""

    def run(self, dst: Any, src: Any, size: Any) -> Any:
        size = self.state.solver.eval_one(size)
        if size:
            self.state.memory.store(dst, self.state.memory.load(src, size), size=size)
        return dst


class Fill(angr.SimProcedure):
    """`memset`."""

    def run(self, dst: Any, byte: Any, size: Any) -> Any:
        size = self.state.solver.eval_one(size)
        if size:
            self.state.memory.store(dst, claripy.Concat(*[byte[7:0]] * size), size=size)
        return dst


class Equal(angr.SimProcedure):
    """`bcmp`."""

    def run(self, some: Any, others: Any, size: Any) -> Any:
        size = self.state.solver.eval_one(size)
        if not size:
            return claripy.BVV(0, 64)
        same = self.state.memory.load(some, size) == self.state.memory.load(others, size)
        return claripy.If(same, claripy.BVV(0, 64), claripy.BVV(1, 64))


class Foreign(angr.SimProcedure):
    """Any other function that is not part of the artefact."""

    def run(self, *_: Any, name: str) -> None:
        raise Inconclusive(f"calls {name}, which is outside the artefact")


class Panic(angr.SimProcedure):
    """What a panic enters first."""

    def run(self, *_: Any) -> None:
        raise Refuted("panics")


KNOWN = {"memcpy": Copy, "memmove": Copy, "memset": Fill, "bcmp": Equal}


def install(project: angr.Project, panics: list[int]) -> None:
    """Puts these in the place of what the artefact imports, and of the functions that a panic enters."""
    main = project.loader.main_object
    for name, relocation in main.imports.items():
        target = relocation.resolvedby
        if target is None or target.owner is main:
            continue  # a weak symbol that is not there, at address 0; or its own
        procedure = KNOWN[name]() if name in KNOWN else Foreign(name=name)
        project.hook(target.rebased_addr, procedure, replace=True)
    for address in panics:
        project.hook(address, Panic(), replace=True)
