"""Compares the model of every instruction with this CPU: on known registers, and on unknown ones,
of which the CPU's registers are then solutions."""

import time
from collections.abc import Iterable, Iterator
from typing import Any

import z3
from iced_x86 import Instruction, OpKind, Register

from .cpu import Cpu, After, missing_features
from .cpu_cases import Case, KnownMemory
from .instructions import SEMANTICS, execute
from .machine import (
    GENERAL_REGISTERS, STACK_POINTER, VECTOR_REGISTERS, State, Unsupported, has_memory, is_register, mnemonic,
)
from .terms import Bits, Byte, as_bytes, choose, concat, from_bits, known, plain, same_bits, same_bytes, term, to_bits

Form = tuple[Any, ...]


class Disagreement(Exception):
    """The model and the CPU have different results."""


def check(instructions: Iterable[tuple[Instruction, bytes]], cases: int) -> bool:
    """Compares the forms of these instructions, prints the result, and returns whether the model and the CPU
    agree."""
    if missing := missing_features():
        print(f"CPU model  not checked here: this CPU has no {', '.join(sorted(missing))}")
        return True
    started, cpu, found = time.monotonic(), Cpu(), _forms(instructions)
    failures, counts = [], [0, 0, 0]
    for instruction, code in found.values():
        for kind, compare in enumerate((_on_numbers, _on_terms, _at_edge)):
            try:
                counts[kind] += compare(cpu, instruction, code, cases)
            except Exception as error:  # any exception means that the model is not confirmed
                failures.append(f"{instruction} [{code.hex()}]: {type(error).__name__}: {error}")
    print(
        f"CPU model  {len(found)} forms of instructions: {counts[0]} cases with known and {counts[1]} with unknown"
        f" registers, {counts[2]} at the edge of a page, {len(failures)} forms disagree,"
        f" {time.monotonic() - started:.0f} s"
    )
    for failure in failures:
        print(f"  {failure}")
    return not failures


def _forms(instructions: Iterable[tuple[Instruction, bytes]]) -> dict[Form, tuple[Instruction, bytes]]:
    """Returns an example of each form of instruction: those of one form differ only in registers,
    addresses and the values of long immediates."""
    found: dict[Form, tuple[Instruction, bytes]] = {}
    for one, code in instructions:
        if mnemonic(one) in SEMANTICS:
            found.setdefault(_form(one), (one, code))
    return found


def _form(one: Instruction) -> Form:
    operands = range(one.op_count)
    kinds = tuple(one.op_kind(operand) for operand in operands)
    repeated = tuple(
        one.op_register(operand) == one.op_register(0)
        for operand in operands
        if is_register(one, operand) and is_register(one, 0)
    )
    immediate = next((one.immediate8 for operand in operands if one.op_kind(operand) == OpKind.IMMEDIATE8), None)
    return one.code, kinds, repeated, immediate, bool(one.op_mask), one.zeroing_masking, one.is_broadcast


def _on_numbers(cpu: Cpu, instruction: Instruction, code: bytes, cases: int, at_edge: bool = False) -> int:
    for _ in range(cases):
        case = Case(cpu, instruction, code, at_edge)
        after = cpu.run(case.code, case.state, case.memory)
        execute(case.state, case.instruction)
        for what, modelled, actual in _results(case.state, after):
            if not known(modelled) or int(modelled) != actual:
                raise Disagreement(f"{what} is {actual:#x} on the CPU, {modelled} in the model")
    return cases


def _at_edge(cpu: Cpu, instruction: Instruction, code: bytes, cases: int) -> int:
    """Masked accesses of bytes of which some are in a page that is not mapped."""
    if not (instruction.op_mask and has_memory(instruction) and mnemonic(instruction) == "vmovdqu8"):
        return 0
    return _on_numbers(cpu, instruction, code, cases, at_edge=True)


def _results(state: State, after: After, before: State | None = None) -> Iterator[tuple[str, Any, int]]:
    """Yields each register, defined flag and the memory, by the model and on the CPU. Registers that
    the model left as they were are not yielded if the state before is given."""
    for index, (modelled, actual) in enumerate(zip(state.vectors, after.vectors, strict=True)):
        if before is None or not same_bytes(modelled, before.vectors[index]):
            yield f"zmm{index}", _number(modelled), int.from_bytes(bytes(actual), "little")
    for index, (bits, mask) in enumerate(zip(state.masks, after.masks, strict=True)):
        if before is None or not same_bits(bits, before.masks[index]):
            yield f"k{index}", plain(from_bits(bits)), mask
    for index, (word, register) in enumerate(zip(state.general, after.general, strict=True)):
        if before is None or word is not before.general[index]:
            yield f"general register {index}", plain(word), register
    for name, flag in after.flags.items():
        if state.flags[name] is not None:
            yield name, choose(1, state.flag(name), 1, 0), int(flag)
    for at, (modelled, actual) in enumerate(zip(state.memory.data, after.memory, strict=True)):
        if not known(modelled) or modelled != actual:
            yield f"byte {at} of the memory", modelled if known(modelled) else term(modelled, 8), actual


def _number(source: list[Any]) -> Any:
    """Returns bytes as one number or term."""
    if all(known(byte) for byte in source):
        return int.from_bytes(bytes(source), "little")
    return concat([(8, byte if known(byte) else term(byte, 8)) for byte in reversed(source)])


class _Unknown(State):
    """A state of unknown registers, except for one operand that may be known. The bits of general
    registers may be `separate`, as those of masks are. Notes are kept of what new names stand for."""

    def __init__(self, case: Case, known_operand: tuple[str, int] | None, separate: bool) -> None:
        super().__init__(case.state.memory)
        self.packs: list[tuple[list[Any], list[Any], list[Byte]]] = []
        self.counts: list[tuple[Any, z3.BitVecRef]] = []
        self.moves: list[tuple[bool, list[Any], list[Any], list[z3.BoolRef]]] = []
        self.words = [z3.BitVec(f"r{index}", 64) for index in range(16)]
        self.quadwords = [[z3.BitVec(f"v{index}_{lane}", 64) for lane in range(8)] for index in range(32)]
        self.bits = [[z3.Bool(f"k{index}_{at}") for at in range(64)] for index in range(8)]
        self.conditions = {name: z3.Bool(name) for name in self.flags}
        self.fixed = {("general", index) for index in (*case.address_registers, STACK_POINTER)} | {known_operand}
        self.general = [
            case.state.general[index] if ("general", index) in self.fixed else Bits(to_bits(word)) if separate else word
            for index, word in enumerate(self.words)
        ]
        self.vectors = [
            list(case.state.vectors[index]) if ("vector", index) in self.fixed else as_bytes(words, 64)
            for index, words in enumerate(self.quadwords)
        ]
        self.masks, self.flags = [list(bits) for bits in self.bits], dict(self.conditions)
        self.before = State(None)
        self.before.vectors, self.before.general = list(self.vectors), list(self.general)
        self.before.masks = list(self.masks)

    def copy_fixed(self, source: State, target: State) -> None:
        """Copies the operands that are known from one state to another."""
        for kind, index in filter(None, self.fixed):
            registers = (target.general, source.general) if kind == "general" else (target.vectors, source.vectors)
            registers[0][index] = registers[1][index]

    def compressed(self, bits: list[Any], source: list[Any]) -> list[Any]:
        new = [Byte(z3.BitVec(f"pack_{index}", 8)) for index in range(64)]
        self.packs.append((bits, source, new))
        return list(new)

    def number_of_ones(self, value: Any, width: int) -> z3.BitVecRef:
        count = z3.BitVec("count", width)
        self.counts.append((plain(value), count))
        return count

    def extracted(self, source: list[Any], mask: list[Any]) -> list[Any]:
        return self._moved(True, source, mask)

    def deposited(self, source: list[Any], mask: list[Any]) -> list[Any]:
        return self._moved(False, source, mask)

    def _moved(self, extracts: bool, source: list[Any], mask: list[Any]) -> list[Any]:
        new = [z3.Bool(f"moved_{index}") for index in range(64)]
        self.moves.append((extracts, source, mask, new))
        return list(new)

    def solution(self, case: Case) -> list[tuple[Any, Any]]:
        """Returns the values of all unknowns in a case."""
        state = case.state
        words = [(word, z3.BitVecVal(state.general[index], 64)) for index, word in enumerate(self.words)]
        for index, quadwords in enumerate(self.quadwords):
            source = bytes(state.vectors[index])
            for lane, word in enumerate(quadwords):
                words.append((word, z3.BitVecVal(int.from_bytes(source[8 * lane : 8 * lane + 8], "little"), 64)))
        bits = [
            (bit, z3.BoolVal(state.masks[index][at]))
            for index, mask in enumerate(self.bits)
            for at, bit in enumerate(mask)
        ]
        pairs = [*words, *bits, *((bit, z3.BoolVal(state.flags[name])) for name, bit in self.conditions.items())]

        def value(unknown: Any) -> int:
            return z3.simplify(z3.substitute(term(unknown, 8), *pairs)).as_long()

        def bits_of(unknown: list[Any]) -> list[bool]:
            return [one if known(one) else z3.is_true(z3.simplify(z3.substitute(one, *pairs))) for one in unknown]

        for extracts, source, mask, new in self.moves:
            moved, given = [False] * 64, bits_of(source)
            for rank, place in enumerate(index for index, bit in enumerate(bits_of(mask)) if bit):
                to, from_ = (rank, place) if extracts else (place, rank)
                moved[to] = given[from_]
            pairs += [(one, z3.BoolVal(bit)) for one, bit in zip(new, moved, strict=True)]
        for mask, source, new in self.packs:
            selected = bits_of(mask)
            kept = [value(byte) for byte, bit in zip(source, selected, strict=True) if bit]
            pairs += [(byte.term, z3.BitVecVal(one, 8)) for byte, one in zip(new, kept + [0] * 64, strict=False)]
        pairs += [(count, z3.BitVecVal(value(word).bit_count(), count.size())) for word, count in self.counts]
        return pairs


def _on_terms(cpu: Cpu, instruction: Instruction, code: bytes, cases: int) -> int:
    first, each = Case(cpu, instruction, code), max(1, cases // 8)
    models = _executed(first)
    for model in models:
        for _ in range(each):
            case = Case(cpu, instruction, first.code)
            case.memory = first.memory
            model.copy_fixed(first.state, case.state)
            after = cpu.run(first.code, case.state, case.memory)
            pairs = model.solution(case)
            for what, modelled, actual in _results(model, after, model.before):
                value = modelled if known(modelled) else z3.simplify(z3.substitute(modelled, *pairs)).as_long()
                if value != actual:
                    raise Disagreement(f"{what} is {actual:#x} on the CPU, {value:#x} by the terms of the model")
    return each * len(models)


def _executed(case: Case) -> list[_Unknown]:
    """Executes the instruction on unknown registers, with each operand known in turn and with none. The
    model may need a known source, such as the indices of a permutation."""
    instruction, memory, models = case.instruction, list(case.state.memory.data), []
    variants: list[tuple[tuple[str, int] | None, bool]] = [(None, False), (None, True)]
    for operand in range(instruction.op_count):
        register = instruction.op_register(operand) if is_register(instruction, operand) else Register.NONE
        if register in VECTOR_REGISTERS:
            variants.append((("vector", VECTOR_REGISTERS[register][0]), False))
        elif register in GENERAL_REGISTERS:
            variants.append((("general", GENERAL_REGISTERS[register][0]), False))
    for known_operand, separate in variants:
        case.state.memory = KnownMemory(case.state.memory.start, bytes(memory))
        state = _Unknown(case, known_operand, separate)
        try:
            execute(state, instruction)
            models.append(state)
        except Unsupported as error:
            reason = error
    if not models:
        raise reason
    return models
