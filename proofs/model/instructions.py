"""Executes one instruction."""

from iced_x86 import Instruction, OpKind

from .comparisons import COMPARISONS
from .general import WORDS
from .lanewise import LANEWISE
from .legacy import LEGACY
from .machine import CONDITIONS, STACK_POINTER, State, Unsupported, condition, mnemonic, read, write
from .masks import MASKS
from .moves import MOVES
from .terms import Bit, add, as_bytes, known, lanes, plain, sub

SEMANTICS = LANEWISE | LEGACY | MOVES | COMPARISONS | MASKS | WORDS


def execute(state: State, instruction: Instruction) -> Bit | None:
    """Changes the state. Returns the condition of a conditional branch, which is not taken yet."""
    name = mnemonic(instruction)
    state.address = instruction.next_ip
    if name in SEMANTICS:
        SEMANTICS[name](state, instruction)
    elif name in ("nop", "endbr64"):
        pass
    elif name == "jmp":
        state.address = target(state, instruction)
    elif name[0] == "j" and instruction.op0_kind == OpKind.NEAR_BRANCH64:
        return condition(state, CONDITIONS[instruction.condition_code])
    elif name == "call":
        called = target(state, instruction)
        _push(state, instruction.next_ip)
        state.address = called
    elif name == "ret":
        state.address = pop(state)
    elif name == "push":
        _push(state, plain(read(state, instruction, 0)))
    elif name == "pop":
        write(state, instruction, 0, pop(state))
    else:
        raise Unsupported(f"at {instruction.ip:#x}: {instruction}: an instruction that is not modelled")
    return None


def target(state: State, instruction: Instruction) -> int:
    if instruction.op0_kind == OpKind.NEAR_BRANCH64:
        return instruction.near_branch_target
    target = plain(read(state, instruction, 0))
    if not known(target):
        raise Unsupported(f"at {instruction.ip:#x}: a jump to an unknown address")
    return target


def _push(state: State, value: object) -> None:
    state.general[STACK_POINTER] = sub(64, state.general[STACK_POINTER], 8)
    state.memory.store(state, state.general[STACK_POINTER], as_bytes([value], 64))


def pop(state: State) -> object:
    """Returns the word on top of the stack, and removes it."""
    [value] = lanes(state.memory.load(state, state.general[STACK_POINTER], 8), 64)
    state.general[STACK_POINTER] = add(64, state.general[STACK_POINTER], 8)
    return value
