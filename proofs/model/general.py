"""Instructions on general registers. A mask in a general register keeps its bits separate as long as
instructions only move, mask or invert them."""

from collections.abc import Callable
from typing import Any

from iced_x86 import Instruction, Mnemonic, Register

from .machine import (
    CONDITIONS, GENERAL_REGISTERS, State, Unsupported, address_of, condition, is_register,
    operand_width, read, read_general, set_flags, set_flags_of_bits, write,
)
from .semantics import Semantics
from .terms import (
    Bits, Word, add, and_, bit, both, choose, concat, differ, either, eq, from_bits, known, mul, negate,
    not_, or_, part, plain, sar, shl, shr, sign_extend, sub, to_bits, trailing_zeros, ult, xor, zero_extend,
)

WORDS = Semantics()


def _same_register(instruction: Instruction, first: int = 0) -> bool:
    """Whether an operand and the next are the same register."""
    return (
        is_register(instruction, first)
        and is_register(instruction, first + 1)
        and instruction.op_register(first) == instruction.op_register(first + 1)
    )


def _read_bits(state: State, instruction: Instruction, operand: int, width: int) -> Any:
    """Returns an operand. The bits of a mask stay separate, in the lower half of a register too."""
    if width == 32 and is_register(instruction, operand):
        whole = state.general[GENERAL_REGISTERS[instruction.op_register(operand)][0]]
        if isinstance(whole, Bits):
            return from_bits(whole.bits[:32] + [False] * 32)
    return read(state, instruction, operand, width)


# Logic.


def _logical(name: str, on_words: Callable[..., Word], on_bits: Callable[..., Any], first: int = 0) -> None:
    def run(state: State, instruction: Instruction) -> None:
        width = operand_width(instruction, 0)
        a, b = (_read_bits(state, instruction, operand, width) for operand in (first, first + 1))
        if name == "xor" and _same_register(instruction):
            result: Any = 0
        elif isinstance(a, Bits) or isinstance(b, Bits):
            whole = [to_bits(word if isinstance(word, Bits) else zero_extend(word, width, 64)) for word in (a, b)]
            bits = [on_bits(p, q) for p, q in zip(*whole, strict=True)]
            result = from_bits(bits[:width] + [False] * (64 - width))
        else:
            result = on_words(width, plain(a), plain(b))
        if name != "test":
            write(state, instruction, 0, result)
        if isinstance(result, Bits):
            set_flags_of_bits(state, result, width)
        else:
            set_flags(state, width, result)

    WORDS[name] = run


_logical("and", and_, both)
_logical("or", or_, either)
_logical("xor", xor, differ)
_logical("test", and_, lambda a, b: a if a is b else both(a, b))
_logical("andn", lambda width, a, b: and_(width, not_(width, a), b), lambda a, b: both(negate(a), b), 1)


@WORDS.defines("not")
def _not(state: State, instruction: Instruction) -> None:
    width = operand_width(instruction, 0)
    value = _read_bits(state, instruction, 0, width)
    if isinstance(value, Bits):
        bits = [negate(bit) for bit in value.bits[:width]]
        write(state, instruction, 0, Bits(bits + [False] * (64 - width)))
    else:
        write(state, instruction, 0, not_(width, plain(value)))


@WORDS.defines("blsr")
def _reset_lowest(state: State, instruction: Instruction) -> None:
    width, value = operand_width(instruction, 0), plain(read(state, instruction, 1))
    result = and_(width, value, sub(width, value, 1))
    write(state, instruction, 0, result)
    set_flags(state, width, result, cf=lambda: eq(width, value, 0))


# Arithmetic.


def _set_flags_of_sum(state: State, width: int, a: Word, b: Word, result: Word, carry: Any, subtracts: bool) -> None:
    def overflow() -> Any:
        signs = [part(word, width - 1, 1) for word in (a, b, result)]
        operands_differ, changed = xor(1, signs[0], signs[1]), xor(1, signs[0], signs[2])
        return eq(1, and_(1, operands_differ if subtracts else not_(1, operands_differ), changed), 1)

    set_flags(state, width, result, carry, overflow)


@WORDS.defines("add")
def _add(state: State, instruction: Instruction) -> None:
    width, a = operand_width(instruction, 0), read(state, instruction, 0)
    if width == 64 and isinstance(a, Bits) and _same_register(instruction):
        result = Bits([False, *a.bits[:63]])
        write(state, instruction, 0, result)
        set_flags_of_bits(state, result)
        state.flags |= {"cf": a.bits[63], "of": None}
        return
    a, b = plain(a), plain(read(state, instruction, 1, width))
    total = add(width, a, b)
    write(state, instruction, 0, total)
    _set_flags_of_sum(state, width, a, b, total, lambda: ult(width, total, a), subtracts=False)


@WORDS.defines("sub", "cmp")
def _sub(state: State, instruction: Instruction) -> None:
    width = operand_width(instruction, 0)
    a, b = plain(read(state, instruction, 0)), plain(read(state, instruction, 1, width))
    difference = sub(width, a, b)
    if instruction.mnemonic == Mnemonic.SUB:
        write(state, instruction, 0, difference)
    _set_flags_of_sum(state, width, a, b, difference, lambda: ult(width, a, b), subtracts=True)


@WORDS.defines("adc", "sbb")
def _with_carry(state: State, instruction: Instruction) -> None:
    width, subtracts = operand_width(instruction, 0), instruction.mnemonic == Mnemonic.SBB
    a, b = plain(read(state, instruction, 0)), plain(read(state, instruction, 1, width))
    operation, wide = sub if subtracts else add, width + 1
    extended = [zero_extend(word, width, wide) for word in (a, b)]
    total = operation(wide, operation(wide, *extended), choose(wide, state.flag("cf"), 1, 0))
    result = part(total, 0, width)
    write(state, instruction, 0, result)
    _set_flags_of_sum(state, width, a, b, result, lambda: bit(wide, total, width), subtracts)


@WORDS.defines("inc", "dec")
def _by_one(state: State, instruction: Instruction) -> None:
    width, carry, subtracts = operand_width(instruction, 0), state.flags["cf"], instruction.mnemonic == Mnemonic.DEC
    value = plain(read(state, instruction, 0))
    result = (sub if subtracts else add)(width, value, 1)
    write(state, instruction, 0, result)
    _set_flags_of_sum(state, width, value, 1, result, carry, subtracts)


@WORDS.defines("neg")
def _negate(state: State, instruction: Instruction) -> None:
    width = operand_width(instruction, 0)
    value = plain(read(state, instruction, 0))
    result = sub(width, 0, value)
    write(state, instruction, 0, result)
    _set_flags_of_sum(state, width, 0, value, result, lambda: negate(eq(width, value, 0)), subtracts=True)


@WORDS.defines("imul")
def _multiply(state: State, instruction: Instruction) -> None:
    width = operand_width(instruction, 0)
    if instruction.op_count not in (2, 3):
        raise Unsupported(f"{instruction}: IMUL of one operand")
    first = instruction.op_count - 2
    a, b = read(state, instruction, first), read(state, instruction, first + 1, width)
    write(state, instruction, 0, mul(width, plain(a), plain(b)))
    state.flags = dict.fromkeys(state.flags)


@WORDS.defines("mulx")
def _multiply_wide(state: State, instruction: Instruction) -> None:
    width = operand_width(instruction, 0)
    a = plain(read_general(state, Register.RDX if width == 64 else Register.EDX))
    b = plain(read(state, instruction, 2))
    product = mul(2 * width, zero_extend(a, width, 2 * width), zero_extend(b, width, 2 * width))
    write(state, instruction, 1, part(product, 0, width))
    write(state, instruction, 0, part(product, width, width))


# Moves.


@WORDS.defines("mov")
def _move(state: State, instruction: Instruction) -> None:
    width = operand_width(instruction, 0)
    value = read(state, instruction, 1, width)
    write(state, instruction, 0, value if width == 64 else plain(value))


@WORDS.defines("movzx", "movsx", "movsxd")
def _extend(state: State, instruction: Instruction) -> None:
    extend = zero_extend if instruction.mnemonic == Mnemonic.MOVZX else sign_extend
    value = plain(read(state, instruction, 1))
    write(state, instruction, 0, extend(value, operand_width(instruction, 1), operand_width(instruction, 0)))


@WORDS.defines("lea")
def _address(state: State, instruction: Instruction) -> None:
    width, index = operand_width(instruction, 0), instruction.memory_index
    if width == 64 and index != Register.NONE and not instruction.memory_displacement:
        value, base = read_general(state, index), instruction.memory_base
        if isinstance(value, Bits):  # A shift of a mask, or its sum with itself.
            shift = instruction.memory_index_scale.bit_length() - 1
            if base == Register.NONE or (base == index and shift == 0):
                shift = shift or 1 if base == index else shift
                write(state, instruction, 0, Bits([False] * shift + value.bits[: 64 - shift]))
                return
    write(state, instruction, 0, part(address_of(state, instruction), 0, width))


def _conditional_move(state: State, instruction: Instruction) -> None:
    width, wanted = operand_width(instruction, 0), condition(state, CONDITIONS[instruction.condition_code])
    moved, kept = plain(read(state, instruction, 1)), plain(read(state, instruction, 0))
    write(state, instruction, 0, choose(width, wanted, moved, kept))


def _set_by_condition(state: State, instruction: Instruction) -> None:
    write(state, instruction, 0, choose(8, condition(state, CONDITIONS[instruction.condition_code]), 1, 0))


for _code in CONDITIONS.values():
    WORDS.update({f"cmov{_code}": _conditional_move, f"set{_code}": _set_by_condition})


# Shifts and bits.


@WORDS.defines("shl", "shr", "sar")
def _shift(state: State, instruction: Instruction) -> None:
    width = operand_width(instruction, 0)
    operation = {Mnemonic.SHL: shl, Mnemonic.SHR: shr, Mnemonic.SAR: sar}[instruction.mnemonic]
    count = and_(8, part(plain(read(state, instruction, 1, 8)), 0, 8), 63 if width == 64 else 31)
    moves = known(count) and operation is not sar  # Bits move, and none is copied.
    value = _read_bits(state, instruction, 0, width) if moves else plain(read(state, instruction, 0))
    if isinstance(value, Bits):
        zeros = [False] * count
        bits = zeros + value.bits[: width - count] if operation is shl else value.bits[count:width] + zeros
        result = from_bits(bits + [False] * (64 - width))
        write(state, instruction, 0, result)
        set_flags_of_bits(state, result, width)
        state.flags |= {"cf": None, "of": None}
        return
    result = operation(width, value, count if width == 8 else zero_extend(count, 8, width))
    write(state, instruction, 0, result)
    if not known(count):
        state.flags = dict.fromkeys(state.flags)
    elif count:
        last = width - count if operation is shl else min(count, width) - 1
        set_flags(state, width, result, cf=lambda: bit(width, value, last) if last >= 0 else None, of=None)


@WORDS.defines("shlx", "shrx", "sarx")
def _shift_without_flags(state: State, instruction: Instruction) -> None:
    width = operand_width(instruction, 0)
    operation = {Mnemonic.SHLX: shl, Mnemonic.SHRX: shr, Mnemonic.SARX: sar}[instruction.mnemonic]
    value, count = (plain(read(state, instruction, operand)) for operand in (1, 2))
    write(state, instruction, 0, operation(width, value, and_(width, count, width - 1)))


@WORDS.defines("bzhi")
def _low_bits(state: State, instruction: Instruction) -> None:
    width = operand_width(instruction, 0)
    value, count = (plain(read(state, instruction, operand)) for operand in (1, 2))
    count = and_(width, count, 0xFF)
    if width == 64 and known(value) and not known(count):
        result: Any = from_bits(
            [both(bool(value >> index & 1), negate(_at_most(count, index))) for index in range(64)]
        )
    else:
        kept = and_(width, value, sub(width, shl(width, 1, count), 1))
        result = choose(width, ult(width, count, width), kept, value)
    write(state, instruction, 0, result)
    if isinstance(result, Bits):
        set_flags_of_bits(state, result)
    else:
        set_flags(state, width, result)
    state.flags["cf"] = lambda: negate(ult(width, count, width))


def _at_most(count: Word, index: int) -> Any:
    return negate(ult(64, index, count))


@WORDS.defines("lzcnt", "tzcnt")
def _count_zeros(state: State, instruction: Instruction) -> None:
    width, value = operand_width(instruction, 0), read(state, instruction, 1)
    result = state.number_of_zeros(value, width, instruction.mnemonic == Mnemonic.LZCNT)
    write(state, instruction, 0, result)
    zero = lambda word: lambda: eq(width, plain(word), 0)  # noqa: E731
    state.flags = {"cf": zero(value), "zf": zero(result), "of": None, "sf": None}


@WORDS.defines("bsr", "bsf")
def _scan(state: State, instruction: Instruction) -> None:
    """Of zero, the result is undefined, and ZF is set. CPUs then keep the whole register."""
    width, value = operand_width(instruction, 0), plain(read(state, instruction, 1))
    register = GENERAL_REGISTERS[instruction.op_register(0)][0]
    before = plain(state.general[register])
    if instruction.mnemonic == Mnemonic.BSR:
        index = sub(width, width - 1, state.number_of_zeros(value, width, leading=True))
    else:
        index = trailing_zeros(width, value)
    write(state, instruction, 0, index)
    state.general[register] = choose(64, eq(width, value, 0), before, plain(state.general[register]))
    state.flags = {"zf": lambda: eq(width, value, 0), "cf": None, "of": None, "sf": None}


@WORDS.defines("popcnt")
def _ones(state: State, instruction: Instruction) -> None:
    width, value = operand_width(instruction, 0), read(state, instruction, 1)
    count = value.bit_count() if known(value) else state.number_of_ones(value, width)
    write(state, instruction, 0, count)
    state.flags = {"cf": False, "of": False, "sf": False, "zf": lambda: eq(width, count, 0)}


@WORDS.defines("bt")
def _bit_test(state: State, instruction: Instruction) -> None:
    if not is_register(instruction, 0):
        raise Unsupported(f"{instruction}: BT of memory")
    width, zero = operand_width(instruction, 0), state.flags["zf"]
    value, index = plain(read(state, instruction, 0)), plain(read(state, instruction, 1, width))
    shifted = shr(width, value, and_(width, index, width - 1))
    state.flags = {"cf": lambda: bit(width, shifted, 0), "zf": zero, "of": None, "sf": None}


@WORDS.defines("pdep", "pext")
def _bit_field(state: State, instruction: Instruction) -> None:
    width = operand_width(instruction, 0)
    source, mask = (read(state, instruction, operand) for operand in (1, 2))
    if not known(mask):
        if width != 64:
            raise Unsupported(f"{instruction}: an unknown mask")
        move = state.deposited if instruction.mnemonic == Mnemonic.PDEP else state.extracted
        write(state, instruction, 0, from_bits(move(to_bits(source), to_bits(mask))))
        return
    source = plain(source)
    places = [index for index in range(width) if mask >> index & 1]
    if instruction.mnemonic == Mnemonic.PDEP:
        bits = {place: part(source, rank, 1) for rank, place in enumerate(places)}
    else:
        bits = {rank: part(source, place, 1) for rank, place in enumerate(places)}
    write(state, instruction, 0, concat([(1, bits.get(index, 0)) for index in reversed(range(width))]))
