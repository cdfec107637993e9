"""The functions of the C library that the code may call. Calls of other functions, and lengths with
several solutions, end the proof."""

from typing import Any

import angr
import claripy

from .failures import Inconclusive, Refuted


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


class External(angr.SimProcedure):
    """Any other function outside the artefact."""

    def run(self, *_: Any, name: str) -> None:
        raise Inconclusive(f"calls {name}, which is outside the artefact")


class Panic(angr.SimProcedure):
    """The first function of a panic."""

    def run(self, *_: Any) -> None:
        raise Refuted("panics")


KNOWN = {"memcpy": Copy, "memmove": Copy, "memset": Fill, "bcmp": Equal}


def install(project: angr.Project, panics: list[int]) -> None:
    """Replaces the imports of the artefact, and the functions of panics, by these procedures."""
    main = project.loader.main_object
    for name, relocation in main.imports.items():
        target = relocation.resolvedby
        if target is None or target.owner is main:
            continue  # a weak symbol without a definition, or a function of the artefact
        procedure = KNOWN[name]() if name in KNOWN else External(name=name)
        project.hook(target.rebased_addr, procedure, replace=True)
    for address in panics:
        project.hook(address, Panic(), replace=True)
