"""Executes one instruction."""

from iced_x86 import Instruction, OpKind

from . import general, lanewise, moves  # noqa: F401, of which each adds rows to SEMANTICS
from .machine import CONDITIONS, SEMANTICS, STACK_POINTER, Operands, State, Unsupported
from .terms import Bit, Word, add, as_bytes, known, lanes, sub


def execute(state: State, instruction: Instruction) -> Bit | None:
    """Changes the state. Returns the condition of a conditional branch, which is not taken yet."""
    o = Operands(state, instruction)
    state.address = instruction.next_ip
    if o.name in SEMANTICS:
        SEMANTICS[o.name](o)
    elif o.name == "jmp":
        state.address = target(o)
    elif o.name[0] == "j" and instruction.op0_kind == OpKind.NEAR_BRANCH64:
        return general.condition(state, CONDITIONS[instruction.condition_code])
    elif o.name == "call":
        called = target(o)
        _push(state, instruction.next_ip)
        state.address = called
    elif o.name == "ret":
        state.address = _pop(state)
    elif o.name == "push":
        _push(state, o.read(0))
    elif o.name == "pop":
        o.write(0, _pop(state))
    elif o.name not in ("nop", "endbr64"):
        raise Unsupported(f"at {instruction.ip:#x}: {instruction}: an instruction that is not modelled")
    return None


def target(o: Operands) -> int:
    """Returns the address to which an instruction jumps."""
    if o.instruction.op0_kind == OpKind.NEAR_BRANCH64:
        return o.instruction.near_branch_target
    address = o.read(0)
    if not known(address):
        raise Unsupported(f"at {o.instruction.ip:#x}: {o.instruction}: a jump to an unknown address")
    return address


def _push(state: State, value: Word) -> None:
    state.general[STACK_POINTER] = sub(64, state.general[STACK_POINTER], 8)
    state.memory.store(state, state.general[STACK_POINTER], as_bytes([value], 64))


def _pop(state: State) -> Word:
    """Returns the word on top of the stack, and removes it."""
    [value] = lanes(state.memory.load(state, state.general[STACK_POINTER], 8), 64)
    state.general[STACK_POINTER] = add(64, state.general[STACK_POINTER], 8)
    return value
