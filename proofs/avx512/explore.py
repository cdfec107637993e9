"""Runs code from one state along all paths, up to given addresses."""

from collections.abc import Callable, Mapping

import z3
from iced_x86 import FlowControl, Instruction, Mnemonic

from model.failures import Inconclusive, Refuted

from model.image import Image
from model.instructions import execute, pop
from model.machine import (
    CONDITIONS, GENERAL_REGISTERS, condition, is_register, mnemonic, operand_width, read, write,
)
from .path import Path
from .solver import COUNTS
from model.terms import bit, eq, known, plain, shr, term

RETURN = 0xFFFF_FFFF_0000_0000  # the return address of the function, where no code is
STEPS = 40_000  # limit of instructions in one exploration
FEW = 8  # a number that is at most this much is replaced by each of its values

Contract = Callable[[Path], list[Path]]


def run(image: Image, start: Path, stops: Callable[[Path], bool], calls: Mapping[int, Contract]) -> list[Path]:
    """Returns all states that arrive where the run `stops`, or return. Calls are replaced by
    contracts."""
    pending, arrived = _step(image, start.copy(), calls), []
    for _ in range(STEPS):
        if not pending:
            COUNTS.paths += len(arrived)
            return arrived
        path = pending.pop()
        if path.address == RETURN or stops(path):
            arrived.append(path)
        else:
            pending += _step(image, path, calls)
    raise Inconclusive(f"more than {STEPS} steps")


def _step(image: Image, path: Path, calls: Mapping[int, Contract]) -> list[Path]:
    """Executes one instruction, or a function to which this one jumps. Returns the states after it."""
    if path.address in calls:
        contract, path.address = calls[path.address], pop(path)
        return contract(path)
    instruction = image.instruction(path.address)
    COUNTS.instructions += 1
    if instruction.flow_control == FlowControl.CALL and instruction.near_branch_target in calls:
        path.address = instruction.next_ip
        return calls[instruction.near_branch_target](path)
    if instruction.flow_control == FlowControl.INDIRECT_CALL and image.panics(read(path, instruction, 0)):
        if path.memory.checked:
            raise Refuted(f"at {instruction.ip:#x}: panics")
        return []
    if (states := path.executed(instruction)) is not None:
        return states
    if mnemonic(instruction).startswith("cmov"):
        chosen = _conditional_move(path, instruction)
        if chosen:
            return chosen
    if instruction.mnemonic in (Mnemonic.BSR, Mnemonic.LZCNT):
        return _each_highest_bit(path, instruction)
    taken = execute(path, instruction)
    if taken is None:
        return [path]
    return _branch(path, instruction, taken)


def _branch(path: Path, instruction: Instruction, taken: object) -> list[Path]:
    if z3.is_expr(taken):
        simple = z3.simplify(taken)
        if z3.is_true(simple) or z3.is_false(simple):
            taken = z3.is_true(simple)
        elif path.is_length(simple) and not path.is_length(taken):
            taken = simple  # Parts of registers that have no effect are left out.
    if known(taken):
        path.address = instruction.near_branch_target if taken else instruction.next_ip
        return [path]
    other = path.copy()
    other.address = instruction.near_branch_target
    other.assume(taken)
    path.assume(z3.Not(taken))
    if not path.is_length(taken):
        return [path, other]
    return [one for one in (path, other) if one.is_feasible()]


def _conditional_move(path: Path, instruction: Instruction) -> list[Path] | None:
    """A conditional move that depends on lengths becomes a state for each choice, so that what is
    known stays known."""
    wanted = condition(path, CONDITIONS[instruction.condition_code])
    if known(wanted) or not path.is_length(wanted):
        return None
    width, results = operand_width(instruction, 0), []
    for choice, source in ((wanted, 1), (z3.Not(wanted), 0)):
        one = path.copy()
        one.assume(choice)
        if one.is_feasible():
            one.address = instruction.next_ip
            moved = plain(read(one, instruction, source))
            for value, state in _each_value(one, moved):
                write(state, instruction, 0, value if width == 64 or known(value) else term(value, width))
                results.append(state)
    return results


def _each_value(path: Path, number: object) -> list[tuple[object, Path]]:
    """Returns a state for each value of a length, if there are few."""
    if known(number) or number.size() != 64 or not path.is_length(number):
        return [(number, path)]
    if not path.follows(z3.ULE(number, FEW)):
        return [(number, path)]
    results: list[tuple[object, Path]] = []
    for value in range(FEW + 1):
        one = path.copy()
        one.assume(number == value)
        if one.is_feasible():
            replace(one, number, value)
            results.append((value, one))
    return results


def replace(path: Path, number: z3.BitVecRef, value: int) -> None:
    """Replaces a number by its known value in the general registers. If it is a difference of
    two unknowns, the first is replaced in other terms too."""
    pairs = [(number, z3.BitVecVal(value, 64))]
    if number.decl().kind() in (z3.Z3_OP_BADD, z3.Z3_OP_BSUB):
        for unknown in [one for one in _unknowns(number) if path.is_length(one)]:
            rest = z3.simplify(number - unknown)
            if not any(one.eq(unknown) for one in _unknowns(rest)):
                pairs = [(unknown, z3.simplify(value - rest))]
                break
    for index, word in enumerate(path.general):
        if z3.is_expr(word):
            new = z3.simplify(z3.substitute(word, *pairs))
            path.general[index] = new.as_long() if z3.is_bv_value(new) else new


def _unknowns(expression: z3.ExprRef) -> list[z3.ExprRef]:
    if expression.num_args() == 0:
        return [] if z3.is_bv_value(expression) else [expression]
    return [one for child in expression.children() for one in _unknowns(child)]


def _each_highest_bit(path: Path, instruction: Instruction) -> list[Path]:
    """The search for the highest bit becomes a state for each result. Lengths of encodings, and
    addresses in tables, then are known."""
    width, value = operand_width(instruction, 1), plain(read(path, instruction, 1))
    if known(value):
        execute(path, instruction)
        return [path]
    if not is_register(instruction, 1):
        raise Inconclusive(f"at {instruction.ip:#x}: {instruction} of memory")
    source, results = instruction.op_register(1), []
    for bits in range(width + 1):  # the number of bits of the value
        one = path.copy()
        is_this = eq(width, shr(width, value, bits), 0)
        if bits:
            is_this = z3.And(bit(width, value, bits - 1), is_this)
        if z3.is_false(z3.simplify(is_this)):
            continue
        one.assume(is_this)
        # The result is the same for all values of so many bits, so one of them is executed.
        index = GENERAL_REGISTERS[source][0]
        kept = one.general[index]
        one.general[index] = 1 << bits >> 1
        execute(one, instruction)
        keeps = bits == 0 and instruction.mnemonic == Mnemonic.BSR
        if keeps or GENERAL_REGISTERS[instruction.op_register(0)][0] != index:
            one.general[index] = kept
        results.append(one)
    return results


