"""The exports as functions on symbolic values."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

import claripy

from .machine import Machine, State
from .memory import Region
from .outcome import Refuted
from .wire import BV, Bool, Integer, Verdict

# Buffers, far from one another.
SOURCE, DESTINATION, ENCODED, RESULT = 0x1000_0000, 0x1100_0000, 0x1200_0000, 0x1300_0000
NO_ROOM = (1 << 64) - 1  # what the exports give out in place of a length


@dataclass(frozen=True)
class Encoded:
    """Ten bytes, of which the first `len` count; the others are of no meaning."""

    bytes: list[BV]
    len: BV


def encode(
    machine: Machine, state: State, integer: Integer, value: BV, door: str = "encode"
) -> Iterator[tuple[State, Encoded]]:
    """The encoding by `encode` or by `encode_const`, on every path."""
    room, result = Region("the encoded value", ENCODED, 16, True), Region("the result", RESULT, 16, True)
    for end in machine.call(
        state, f"{door}_{integer.name}", [_register(value), room.start, result.start], [room, result]
    ):
        start = end.solver.eval_one(word(end, RESULT))
        yield end, Encoded(load(end, start, integer.longest), word(end, RESULT + 8))


def encode_to_slice(
    machine: Machine, state: State, integer: Integer, value: BV, dst: Sequence[BV]
) -> Iterator[tuple[State, list[BV], BV]]:
    """What `encode_to_slice` makes of these bytes, and what it returns, on every path."""
    begun = state.copy()
    room = Region("the destination", DESTINATION, len(dst), True)
    store(begun, DESTINATION, dst)
    for end in machine.call(
        begun, f"encode_to_slice_{integer.name}", [_register(value), room.start, room.size], [room]
    ):
        yield end, load(end, DESTINATION, len(dst)), end.regs.rax


def decode(
    machine: Machine, state: State, integer: Integer, src: Sequence[BV], door: str = "decode"
) -> Iterator[tuple[State, Verdict]]:
    """The verdict of `decode`, `decode_canonical`, `read` or `read_canonical`, on every path."""
    begun = state.copy()
    source, result = Region("the input", SOURCE, len(src)), Region("the result", RESULT, 24, True)
    store(begun, SOURCE, src)
    for end in machine.call(
        begun, f"{door}_{integer.name}", [source.start, source.size, result.start], [source, result]
    ):
        value = word(end, RESULT + 16)[integer.bits - 1 : 0]
        yield end, Verdict(word(end, RESULT), word(end, RESULT + 8), value)


def store(state: State, address: int, src: Sequence[BV | int]) -> None:
    """Puts bytes into memory."""
    for index, byte in enumerate(src):
        state.memory.store(address + index, claripy.BVV(byte, 8) if isinstance(byte, int) else byte, inspect=False)


def load(state: State, address: int, size: int) -> list[BV]:
    """Bytes out of memory."""
    return [state.memory.load(address + index, 1, inspect=False) for index in range(size)]


def prove(state: State, claim: Bool, what: str, **inputs: BV | Sequence[BV]) -> None:
    """Refutes the run where the claim can be wrong, with inputs that show it."""
    wrong = claripy.Not(claim)
    if not state.solver.satisfiable(extra_constraints=[wrong]):
        return
    raise Refuted(f"{what}: {_example(state, wrong, inputs)}")


def _register(value: BV) -> BV:
    """The value in a register whose upper bits may hold anything (System V ABI)."""
    return value if len(value) == 64 else claripy.Concat(claripy.BVS("unspecified", 64 - len(value)), value)


def word(state: State, address: int) -> BV:
    """Eight bytes as a number."""
    return state.memory.load(address, 8, endness="Iend_LE", inspect=False)


def _example(state: State, wrong: Bool, inputs: Mapping[str, BV | Sequence[BV]]) -> str:
    """The inputs in one model. All are asked for as one number: byte by byte, each answer makes the next question harder."""
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
