"""Runs exported functions on all inputs at once. A call returns all paths, which are shown to cover
all inputs."""

from collections.abc import Sequence
from typing import Any

import angr
import claripy

from . import bit_fields, cpu, libc
from .artefact import Artefact
from .memory import Region, allow, watch
from .failures import Inconclusive

State = Any  # angr.SimState: type checkers do not know its plugins
Argument = int | claripy.ast.BV

ARGUMENTS = ("rdi", "rsi", "rdx", "rcx", "r8", "r9")  # System V ABI, AMD64, section 3.2.3
RETURN = 0x7000_0000  # the return address of calls, where nothing is mapped
STACK = Region("the stack", 0x7FFE_0000_0000, 0x1_0000, writable=True)
STEPS = 20_000  # limit of basic blocks in a call; the greatest proof takes a tenth


class Machine:
    """An artefact on a CPU, after the detection of the CPU's features."""

    def __init__(self, artefact: Artefact, processor: cpu.Cpu) -> None:
        bit_fields.install()
        cpu.answer_as(processor)
        self.artefact = artefact
        self._project = artefact.project
        self.paths = 0
        libc.install(self._project, artefact.panics())
        main = self._project.loader.main_object
        self._image = Region("the image", main.min_addr, main.max_addr - main.min_addr + 1)
        self.start = self._started()
        self.paths = 0

    def call(self, state: State, name: str, arguments: Sequence[Argument], regions: Sequence[Region]) -> list[State]:
        """Returns the states in which the function returns. It may access the regions and the
        stack, and read the constants of the artefact."""
        call_state = state.copy()
        allow(call_state, [*regions, STACK, self._image])
        for register, argument in zip(ARGUMENTS, arguments, strict=False):
            setattr(call_state.regs, register, argument)
        call_state.regs.rsp = STACK.start + STACK.size - 8
        call_state.memory.store(call_state.regs.rsp, claripy.BVV(RETURN, 64), endness="Iend_LE", inspect=False)
        call_state.regs.rip = self.artefact.address(name)
        try:
            returned = self._explore(call_state)
        except angr.errors.AngrError as error:
            raise Inconclusive(f"{name}: {type(error).__name__}: {error}") from error
        self._assert_covered(state, returned, name)
        self.paths += len(returned)
        return returned

    def _explore(self, state: State) -> list[State]:
        pending, returned = [state], []
        for _ in range(STEPS):
            if not pending:
                return returned
            step = self._project.factory.successors(pending.pop())
            if step.unconstrained_successors:
                raise Inconclusive("a path jumps to an unbounded address")
            if not step.flat_successors:
                raise Inconclusive(f"a path ends at {step.addr:#x} without returning")
            for successor in step.flat_successors:
                (returned if successor.addr == RETURN else pending).append(successor)
        raise Inconclusive(f"more than {STEPS} steps")

    def _assert_covered(self, before: State, after: Sequence[State], name: str) -> None:
        """Raises Inconclusive if an input takes none of the paths."""
        known = {constraint.hash() for constraint in before.solver.constraints}
        conditions = [
            claripy.And(*(one for one in state.solver.constraints if one.hash() not in known), claripy.true())
            for state in after
        ]
        if before.solver.satisfiable(extra_constraints=[claripy.Not(claripy.Or(claripy.false(), *conditions))]):
            raise Inconclusive(f"the {len(after)} paths of {name} do not cover its inputs")

    def _started(self) -> State:
        """Returns a state after the detection of the CPU's features, which the first call of a
        process does."""
        state = self._project.factory.blank_state(
            addr=self.artefact.address("kernel"),
            add_options={
                angr.options.SYMBOL_FILL_UNCONSTRAINED_MEMORY,
                angr.options.SYMBOL_FILL_UNCONSTRAINED_REGISTERS,
                angr.options.SIMPLIFY_EXIT_GUARD,  # so that most conditions need no solver
            },
        )
        watch(state)
        name, out, memory = (
            Region("the name", 0x1000_0000, 6),
            Region("the kernel", 0x1001_0000, 16, True),
            Region("the encoded value", 0x1002_0000, 16, True),
        )
        state.memory.store(name.start, b"scalar", inspect=False)
        image = Region("the image", self._image.start, self._image.size, True)
        [state] = self.call(state, "kernel", [name.start, name.size, out.start], [name, out, image])
        [state] = self.call(state, "encode_u64", [1, memory.start, out.start], [memory, out, image])
        return state
