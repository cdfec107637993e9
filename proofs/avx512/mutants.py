"""Faults in the machine code and its tables, each of which a property must refute. They are found by
instructions, not by addresses or registers."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass

from iced_x86 import Instruction, OpKind

from model.failures import Inconclusive
from steps.wire import U16, U32, U64, Integer

from . import encode
from model.image import Function, Image
from model.machine import mnemonic

Patch = Mapping[int, bytes]
Patcher = Callable[[Image], Patch]
Find = Callable[[Image], Function]


@dataclass(frozen=True)
class Mutant:
    """A fault, and the property that must be refuted."""

    name: str
    caught_by: str
    patch: Patcher

    @property
    def title(self) -> str:
        return f"{self.caught_by}: {self.name}"


def mutants() -> Iterator[Mutant]:
    """Yields all mutants."""
    # They use the patches below.
    from .decode_mutants import decoder_mutants
    from .words_mutants import words_mutants

    yield from decoder_mutants()
    yield from words_mutants()
    for fault in (_mixed(), _bytes(), _vectors(), _tail(), _scalar(), _entry(), _short_lanes(), _few()):
        yield from fault


def _of(part: str, integer: Integer = U64, nth: int = 0) -> Find:
    def find(image: Image) -> Function:
        found = getattr(encode.functions(image, integer), part)
        return list(found)[nth] if isinstance(found, dict) else found

    return find


# The faults of each function. "Counter", "bound" and "invariant" are those of its loop.


def _mixed() -> Iterator[Mutant]:
    by, function = "u64 mixed", _of("mixed")
    yield Mutant("counter: the capacity is not reduced", by, without(function, "sub", 0))
    yield Mutant("counter: the destination does not advance", by, without(function, "add", 0))
    yield Mutant("bound: a store with space for 63 bytes", by, immediate(function, "cmp", 0x40, 0x3F, 2))
    yield Mutant("invariant: a block of 31 values", by, immediate(function, "cmp", 0x20, 0x1F, 1))
    yield Mutant("a mask: a byte that equals the least is dropped", by, immediate(function, "vpcmpub", 2, 1))
    yield Mutant("a function of three bits", by, immediate(function, "vpternlogq", 0x2E, 0x2F))
    yield Mutant("a ninth byte from bit 55 on", by, immediate(function, "vpsrlq", 0x38, 0x37))
    yield Mutant("a table: a group begins one bit early", by, table(function, GROUPS, 19, -1))
    yield Mutant("a table: a bit of a group of nine bytes", by, table(function, LONG_BITS, 3, -0x40))


def _bytes() -> Iterator[Mutant]:
    by, function = "u64 bytes", _of("bytes")
    yield Mutant("counter: one value too few is left", by, immediate(function, "add", 0xC0, 0xBF))
    yield Mutant("bound: a store with space for 63 bytes", by, immediate(function, "cmp", 0x40, 0x3F, 1))
    yield Mutant("invariant: a block of 63 values", by, immediate(function, "cmp", 0x3F, 0x3E))
    yield Mutant("a shift by one bit less", by, immediate(function, "vpsllq", 0x18, 0x17))
    yield Mutant("a table: two bytes of the order", by, table(function, ORDER, 9, 1))
    yield Mutant("a mask: values of eight bits pass", by, table(function, SEVEN_BITS, 0, 0x80))


def _vectors() -> Iterator[Mutant]:
    by, function = "u64 vectors", _of("vectors")
    yield Mutant("bound: a store with space for 63 bytes", by, immediate(function, "cmp", 0x40, 0x3F))
    yield Mutant("invariant: a block of 31 values", by, immediate(function, "cmp", 0x20, 0x1F, 1))
    yield Mutant("counter: the capacity is not reduced", by, without(function, "sub", 2))
    yield Mutant("a function of three bits", by, immediate(function, "vpternlogq", 0xD8, 0xD0))
    yield Mutant("a table: a group begins one bit early", by, table(function, GROUPS, 19, -1))
    yield Mutant("some values are not compared", by, immediate(function, "vpternlogq", 0xFE, 0xFA))


def _tail() -> Iterator[Mutant]:
    by, function = "u64 encode", _of("loop")
    yield Mutant("counter: the source does not advance", by, without(function, "add", 2))
    yield Mutant("bound: a store with space for 63 bytes", by, immediate(function, "cmp", 0x40, 0x3F))
    yield Mutant("invariant: eight values where seven are left", by, immediate(function, "cmp", 0x08, 0x07))
    yield Mutant("the capacity of a masked store", by, without(function, "sub", 5))


def _scalar() -> Iterator[Mutant]:
    by, function = "u64 scalar", _of("scalar")
    yield Mutant("counter: a value is skipped", by, immediate(function, "add", 0x08, 0x10))
    yield Mutant("bound: space for nine bytes is enough", by, immediate(function, "cmp", 0x0A, 0x09))
    yield Mutant("invariant: no length is measured", by, immediate(function, "add", 0x49, 0x40))
    yield Mutant("a shift by one bit less", by, immediate(function, "shr", 0x15, 0x14))


def _entry() -> Iterator[Mutant]:
    yield Mutant("an argument is lost", "u64 Slices::encode", without(_of("entry"), "xor", 0))


def _short_lanes() -> Iterator[Mutant]:
    """Faults in lanes of 4 bytes, which 64-bit values do not have."""
    mixed, vectors, words = _of("mixed", U32), _of("vectors", U32, 1), _of("mixed", U16)
    yield Mutant("a table: a group begins one bit early", "u32 mixed", table(mixed, SHORT_GROUPS, 19, -1))
    yield Mutant("bound: a store with space for 63 bytes", "u32 mixed", immediate(mixed, "cmp", 0x40, 0x3F))
    yield Mutant("a table: a group begins one bit early", "u32 vectors", table(vectors, SHORT_GROUPS, 19, -1))
    yield Mutant("bound: a store with space for 63 bytes", "u32 vectors", immediate(vectors, "cmp", 0x40, 0x3F))
    yield Mutant("a table: a group begins one bit early", "u16 mixed", table(words, SHORT_GROUPS, 18, -1))


def _few() -> Iterator[Mutant]:
    """Faults in the code for up to four values."""
    by, function = "u32 Slices::encode", _of("entry", U32)
    yield Mutant("five values are taken for four", by, immediate(function, "cmp", 4, 5))
    yield Mutant("bound: space for four bytes is enough", by, immediate(function, "cmp", 5, 4, 1))
    yield Mutant("a shift by one bit less", by, immediate(function, "shr", 0x15, 0x14, 2))
    yield Mutant("the capacity is not reduced", by, without(function, "sub", 1))


# Patches.


def _nth(image: Image, function: Function, name: str, nth: int, fits: Callable[[Instruction], bool]) -> Instruction:
    found = [one for one in image.instructions(function) if mnemonic(one) == name and fits(one)]
    if nth >= len(found):
        raise Inconclusive(f"{function.name} has {len(found)} of {name}")
    return found[nth]


def immediate(find: Find, name: str, old: int, new: int, nth: int = 0) -> Patcher:
    """Changes the last byte of an instruction with that immediate."""

    def patch(image: Image) -> Patch:
        def fits(one: Instruction) -> bool:
            return _has_immediate(one) and image.read(one.next_ip - 1, 1)[0] == old

        one = _nth(image, find(image), name, nth, fits)
        return {one.next_ip - 1: bytes([new])}

    return patch


def _has_immediate(one: Instruction) -> bool:
    byte_kinds = (OpKind.IMMEDIATE8, OpKind.IMMEDIATE8TO16, OpKind.IMMEDIATE8TO32, OpKind.IMMEDIATE8TO64)
    return any(one.op_kind(operand) in byte_kinds for operand in range(one.op_count))


def without(find: Find, name: str, nth: int) -> Patcher:
    """Removes an instruction of two registers."""

    def patch(image: Image) -> Patch:
        registers = (OpKind.REGISTER, OpKind.REGISTER)
        one = _nth(image, find(image), name, nth, lambda one: (one.op0_kind, one.op1_kind) == registers)
        return {one.ip: b"\x90" * one.len}

    return patch


def table(find: Find, start: bytes, at: int, change: int) -> Patcher:
    """Adds a number to a byte of the table that begins with these bytes, in each copy that the function
    uses, itself or by a pointer."""

    def patch(image: Image) -> Patch:
        found = {one.ip_rel_memory_address for one in image.instructions(find(image)) if one.is_ip_rel_memory_operand}
        pointers = {int.from_bytes(image.read(one, 8), "little") for one in found}
        tables = {one for one in found | pointers if image.holds(one, start)}
        if not tables:
            raise Inconclusive(f"the function uses no table that begins with {start.hex()}")
        return {one + at: bytes([(image.read(one + at, 1)[0] + change) & 0xFF]) for one in tables}

    return patch


# The beginnings of tables.
GROUPS = bytes([0, 7, 14, 21, 28, 35, 42, 49]) * 8  # the first bit of each group, in eight lanes
SHORT_GROUPS = bytes([0, 7, 14, 21, 32, 39, 46, 53]) * 8  # the same in sixteen lanes
LONG_BITS = b"\x7f" * 8 + b"\xff\x01"  # of each byte of an encoding of nine or ten bytes
ORDER = bytes(range(0, 64, 8))  # of bytes that were merged from eight vectors
SEVEN_BITS = (0x7F).to_bytes(8, "little")  # the greatest value of one byte
