"""Instructions on general registers."""

import functools
from collections.abc import Callable
from typing import Any

from iced_x86 import OpKind, RegisterExt

from .machine import CONDITIONS, GENERAL_REGISTERS, STACK_POINTER, Operands, State, defines
from .terms import (
    Bit, Word, add, and_, as_bytes, bit, both, choose, concat, deposited, differ, either, eq, joined, kept, known, lanes, mul,
    negate, not_, or_, part, sar, shl, shr, sign_extend, simplified, split, sub, ult, xor, zero_extend,
)

UNDEFINED = dict.fromkeys(("cf", "zf", "sf", "of"))


def by_result(width: int, result: Word, cf: Any = False, of: Any = False) -> dict[str, Any]:
    """Returns the flags for a result: ZF and SF by its bits, and the others as given."""
    return {"cf": cf, "of": of, "zf": lambda: eq(width, result, 0), "sf": lambda: bit(width, result, width - 1)}


def _row(name: str, arity: int, operation: Callable[..., Word], cf: Any = None, writes: bool = True) -> None:
    """Defines an instruction whose first operand becomes a function of the last `arity` operands. If `cf` is False or a
    function, its flags are those of the result, without overflow."""

    def run(o: Operands) -> None:
        width, first = o.width(0), o.instruction.op_count - arity
        values = [o.read(first + index, width) for index in range(arity)]
        result = operation(width, *values)
        if writes:
            o.write(0, result)
        if cf is not None:
            o.state.flags = by_result(width, result, cf and (lambda: cf(width, *values)))

    defines(name)(run)


def _low_bits(width: int, value: Word, count: Word) -> Word:
    count = and_(width, count, 0xFF)
    if width == 64 and known(value):
        return joined([both(bool(value >> index & 1), ult(64, index, count)) for index in range(64)])
    return choose(width, ult(width, count, width), and_(width, value, sub(width, shl(width, 1, count), 1)), value)


_row("and", 2, and_, False)
_row("or", 2, or_, False)
_row("xor", 2, xor, False)
_row("test", 2, and_, False, writes=False)
_row("andn", 2, lambda width, a, b: and_(width, not_(width, a), b), False)
_row("not", 1, not_)
_row("blsr", 1, lambda width, a: and_(width, a, sub(width, a, 1)), lambda width, a: eq(width, a, 0))
_row("bzhi", 2, _low_bits, lambda width, a, count: negate(ult(width, and_(width, count, 0xFF), width)))
_row("mov", 1, lambda width, a: a)
for _name, _operation in {"shl": shl, "shr": shr, "sar": sar}.items():
    _row(f"{_name}x", 2, lambda width, a, count, _do=_operation: _do(width, a, and_(width, count, width - 1)))


# Arithmetic.


@defines("add", "sub", "cmp", "inc", "dec", "neg")
def _sum(o: Operands) -> None:
    width, adds, by_one = o.width(0), o.name in ("add", "inc"), o.name in ("inc", "dec")
    a = 0 if o.name == "neg" else o.read(0)
    b = 1 if by_one else o.read(o.instruction.op_count - 1, width)
    result = (add if adds else sub)(width, a, b)

    def of() -> Bit:
        signs = [bit(width, word, width - 1) for word in (a, b, result)]
        return both(differ(signs[0], negate(signs[1]) if adds else signs[1]), differ(signs[0], signs[2]))

    if o.name != "cmp":
        o.write(0, result)
    cf = o.state.flags["cf"] if by_one else lambda: ult(width, result, a) if adds else ult(width, a, b)
    o.state.flags = by_result(width, result, cf, of)


@defines("adc", "sbb")
def _sum_with_carry(o: Operands) -> None:
    width, operation = o.width(0), add if o.name == "adc" else sub
    words = [zero_extend(word, width, width + 1) for word in (o.read(0), o.read(1, width))]
    total = operation(width + 1, operation(width + 1, *words), choose(width + 1, o.state.flag("cf"), 1, 0))
    result = part(total, 0, width)
    o.write(0, result)
    o.state.flags = by_result(width, result, lambda: bit(width + 1, total, width), None)


@defines("imul")
def _multiply(o: Operands) -> None:
    width, first = o.width(0), o.instruction.op_count - 2
    if first < 0:
        raise o.unsupported("IMUL of one operand")
    o.write(0, mul(width, o.read(first), o.read(first + 1, width)))
    o.state.flags = dict(UNDEFINED)


@defines("mul", "mulx")
def _multiply_wide(o: Operands) -> None:
    """MULX has two destinations, of which the first gets the high half, and leaves the flags."""
    is_mul, width = o.name == "mul", o.width(0)
    if width < 32:
        raise o.unsupported("MUL of less than 32 bits")
    factors = o.read(0 if is_mul else 2), part(o.state.general[0 if is_mul else 2], 0, width)
    low, high = mul(width, *factors), o.state.high_product(*factors, width)
    if is_mul:
        o.state.general[0], o.state.general[2] = (zero_extend(word, width, 64) for word in (low, high))
        o.state.flags = dict(UNDEFINED)
    else:
        o.write(1, low)
        o.write(0, high)


@defines("div")
def _divide(o: Operands) -> None:
    """Modelled for known bytes: the quotient is in AL, and the remainder in AH."""
    dividend, divisor = part(o.state.general[0], 0, 16), o.read(0)
    if o.width(0) != 8 or not known(dividend) or not known(divisor) or not divisor or dividend // divisor > 255:
        raise o.unsupported("another division")
    quotient, remainder = divmod(dividend, divisor)
    o.state.general[0] = concat([(48, part(o.state.general[0], 16, 48)), (8, remainder), (8, quotient)])
    o.state.flags = dict(UNDEFINED)


# Moves.


defines("movzx")(lambda o: o.write(0, zero_extend(o.read(1), o.width(1), o.width(0))))
defines("movsx", "movsxd")(lambda o: o.write(0, sign_extend(o.read(1), o.width(1), o.width(0))))
defines("lea")(lambda o: o.write(0, part(o.address(), 0, o.width(0))))


_FLAGS = (("of",), ("cf",), ("zf",), ("cf", "zf"), ("sf",), None, ("sf", "of"), ("sf", "of", "zf"))


def _condition(o: Operands) -> Bit:
    """Returns the condition of a conditional instruction. Every second one is the opposite of that before it."""
    index, is_opposite = divmod(o.instruction.condition_code - 1, 2)
    if _FLAGS[index] is None:
        raise o.unsupported("a condition of the parity")
    flags = [o.state.flag(name) for name in _FLAGS[index]]
    if index >= 6:
        flags[:2] = [differ(*flags[:2])]
    held = functools.reduce(either, flags)
    return negate(held) if is_opposite else held


for _code in CONDITIONS.values():
    defines(f"j{_code}")(_condition)  # It is not taken yet.
    defines(f"cmov{_code}")(lambda o: o.write(0, choose(o.width(0), _condition(o), o.read(1), o.read(0))))
    defines(f"set{_code}")(lambda o: o.write(0, choose(8, _condition(o), 1, 0)))


# Shifts and bits.


@defines("shl", "shr", "sar")
def _shift(o: Operands) -> None:
    width, value = o.width(0), o.read(0)
    count = and_(8, part(o.read(1, 8), 0, 8), 63 if width == 64 else 31)
    result = {"shl": shl, "shr": shr, "sar": sar}[o.name](width, value, zero_extend(count, 8, max(8, width)))
    o.write(0, result)
    if not known(count):
        o.state.flags = dict(UNDEFINED)
    elif count:
        last = width - count if o.name == "shl" else min(count, width) - 1
        o.state.flags = by_result(width, result, lambda: bit(width, value, last) if last >= 0 else None, None)


@defines("shrd")
def _shift_from(o: Operands) -> None:
    width, count = o.width(0), o.immediate & (63 if o.width(0) == 64 else 31)
    both_words = concat([(width, o.read(1)), (width, o.read(0))])
    o.write(0, part(shr(2 * width, both_words, count), 0, width))
    o.state.flags = dict(UNDEFINED)


@defines("lzcnt", "tzcnt")
def _count_zeros(o: Operands) -> None:
    width, value = o.width(0), o.read(1)
    result = o.state.number_of_zeros(value, width, o.name == "lzcnt")
    o.write(0, result)
    o.state.flags = {**UNDEFINED, "cf": lambda: eq(width, value, 0), "zf": lambda: eq(width, result, 0)}


@defines("bsr")
def _scan(o: Operands) -> None:
    """Of zero, the result is undefined, and ZF is set. CPUs then keep the whole register."""
    width, value, register = o.width(0), o.read(1), GENERAL_REGISTERS[o.register(0)][0]
    before, zeros = o.state.general[register], o.state.number_of_zeros(value, width, leading=True)
    o.write(0, sub(width, width - 1, zeros))
    o.state.general[register] = choose(64, eq(width, value, 0), before, o.state.general[register])
    o.state.flags = {**UNDEFINED, "zf": lambda: eq(width, value, 0)}


@defines("popcnt")
def _ones(o: Operands) -> None:
    width, value = o.width(0), o.read(1)
    count = value.bit_count() if known(value) else o.state.chosen(o.name, value, width)
    o.write(0, count)
    o.state.flags = {"cf": False, "of": False, "sf": False, "zf": lambda: eq(width, count, 0)}


@defines("bt", "btc")
def _bit_test(o: Operands) -> None:
    """BTC also inverts the bit."""
    if not RegisterExt.is_gpr(o.register(0)):
        raise o.unsupported("a bit of memory")
    width, before = o.width(0), o.read(0)
    place = and_(width, o.read(1, width), width - 1)
    shifted = shr(width, before, place)
    if o.name == "btc":
        o.write(0, xor(width, before, shl(width, 1, place)))
    o.state.flags = {**UNDEFINED, "cf": lambda: bit(width, shifted, 0), "zf": o.state.flags["zf"]}


@defines("pdep", "pext")
def _bit_field(o: Operands) -> None:
    width = o.width(0)
    source, bits = split(o.read(1), width), [simplified(bit) for bit in split(o.read(2), width)]
    if all(map(known, bits)):
        moved = (deposited if o.name == "pdep" else kept)(source, bits)
    else:
        moved = o.state.chosen(o.name, source, bits)
    o.write(0, joined(moved))


# Flow.


def target(o: Operands) -> int:
    """Returns the address to which an instruction jumps."""
    if o.instruction.op0_kind == OpKind.NEAR_BRANCH64:
        return o.instruction.near_branch_target
    address = o.read(0)
    if not known(address):
        raise o.unsupported("a jump to an unknown address")
    return address


def _push(state: State, value: Word) -> None:
    state.general[STACK_POINTER] = sub(64, state.general[STACK_POINTER], 8)
    state.store(state.general[STACK_POINTER], as_bytes([value], 64))


def pop(state: State) -> Word:
    """Returns the word on top of the stack, and removes it."""
    [value] = lanes(state.load(state.general[STACK_POINTER], 8), 64)
    state.general[STACK_POINTER] = add(64, state.general[STACK_POINTER], 8)
    return value


@defines("jmp", "call", "ret")
def _jump(o: Operands) -> None:
    to = pop(o.state) if o.name == "ret" else target(o)
    if o.name == "call":
        _push(o.state, o.state.address)
    o.state.address = to


defines("push")(lambda o: _push(o.state, o.read(0)))
defines("pop")(lambda o: o.write(0, pop(o.state)))
defines("nop", "endbr64")(lambda o: None)
FLOW = {"jmp", "call", "ret", *(f"j{code}" for code in CONDITIONS.values())}
