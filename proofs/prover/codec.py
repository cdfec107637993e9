"""The exports for single values, as functions on symbolic values."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

import claripy

from .machine import Machine, State
from .memory import Region
from .failures import Refuted
from .wire import BV, Bool, Integer, Outcome

# The addresses of buffers, far from one another.
SOURCE, DESTINATION, ENCODED, RESULT = 0x1000_0000, 0x1100_0000, 0x1200_0000, 0x1300_0000
TOO_SMALL = (1 << 64) - 1  # the exports return this in place of a length


@dataclass(frozen=True)
class Encoded:
    """The bytes of the longest encoding, of which the first `len` are the encoding."""

    bytes: list[BV]
    len: BV


def encode(
    machine: Machine, state: State, integer: Integer, value: BV, function: str = "encode"
) -> Iterator[tuple[State, Encoded]]:
    """Yields the encoding by `encode` or `encode_const` on every path."""
    memory, result = Region("the encoded value", ENCODED, 16, True), Region("the result", RESULT, 16, True)
    for end in machine.call(
        state, f"{function}_{integer.name}", [_register(value), memory.start, result.start], [memory, result]
    ):
        start = end.solver.eval_one(word(end, RESULT))
        yield end, Encoded(load(end, start, integer.longest), word(end, RESULT + 8))


def encode_to_slice(
    machine: Machine, state: State, integer: Integer, value: BV, dst: Sequence[BV]
) -> Iterator[tuple[State, list[BV], BV]]:
    """Yields the destination after `encode_to_slice`, and its result, on every path. `dst` is the
    content before."""
    call_state = state.copy()
    destination = Region("the destination", DESTINATION, len(dst), True)
    store(call_state, DESTINATION, dst)
    arguments = [_register(value), destination.start, destination.size]
    for end in machine.call(call_state, f"encode_to_slice_{integer.name}", arguments, [destination]):
        yield end, load(end, DESTINATION, len(dst)), end.regs.rax


def decode(
    machine: Machine, state: State, integer: Integer, src: Sequence[BV], function: str = "decode"
) -> Iterator[tuple[State, Outcome]]:
    """Yields the outcome of `decode`, `read` or their canonical variants on every path."""
    call_state = state.copy()
    source, result = Region("the input", SOURCE, len(src)), Region("the result", RESULT, 24, True)
    store(call_state, SOURCE, src)
    for end in machine.call(
        call_state, f"{function}_{integer.name}", [source.start, source.size, result.start], [source, result]
    ):
        value = word(end, RESULT + 16)[integer.bits - 1 : 0]
        yield end, Outcome(word(end, RESULT), word(end, RESULT + 8), value)


def store(state: State, address: int, src: Sequence[BV | int]) -> None:
    """Stores bytes in memory."""
    for index, byte in enumerate(src):
        state.memory.store(address + index, claripy.BVV(byte, 8) if isinstance(byte, int) else byte, inspect=False)


def load(state: State, address: int, size: int) -> list[BV]:
    """Returns bytes of the memory."""
    return [state.memory.load(address + index, 1, inspect=False) for index in range(size)]


def prove(state: State, claim: Bool, what: str, **inputs: BV | Sequence[BV]) -> None:
    """Raises Refuted with an example if the claim can be wrong."""
    wrong = claripy.Not(claim)
    if not state.solver.satisfiable(extra_constraints=[wrong]):
        return
    raise Refuted(f"{what}: {_example(state, wrong, inputs)}")


def _register(value: BV) -> BV:
    """Returns the value in a register whose upper bits are unspecified (System V ABI)."""
    return value if len(value) == 64 else claripy.Concat(claripy.BVS("unspecified", 64 - len(value)), value)


def word(state: State, address: int) -> BV:
    """Returns eight bytes of the memory as a number."""
    return state.memory.load(address, 8, endness="Iend_LE", inspect=False)


def _example(state: State, wrong: Bool, inputs: Mapping[str, BV | Sequence[BV]]) -> str:
    """Returns inputs for which the claim is wrong. They are evaluated as one number, because
    evaluating byte by byte makes each query harder than the one before."""
    parts = [part for value in inputs.values() for part in ([value] if isinstance(value, claripy.ast.Base) else value)]
    whole = state.solver.eval(claripy.Concat(*parts, claripy.BVV(0, 8)), extra_constraints=[wrong]) >> 8
    numbers = []
    for part in reversed(parts):
        numbers.append(whole & ((1 << len(part)) - 1))
        whole >>= len(part)
    shown = []
    for name, value in inputs.items():
        if isinstance(value, claripy.ast.Base):
            shown.append(f"{name} = {numbers.pop():#x}")
        else:
            shown.append(f"{name} = {' '.join(f'{numbers.pop():02x}' for _ in value) or 'no bytes'}")
    return ", ".join(shown)
