"""Instructions on general registers."""

from collections.abc import Callable
from typing import Any

from iced_x86 import RegisterExt

from .machine import CONDITIONS, GENERAL, GENERAL_REGISTERS, SEMANTICS, Operands, State, defines
from .terms import (
    Bit, Word, add, and_, bit, both, choose, differ, either, eq, joined, known, mul, negate, not_, or_, part, sar, shl,
    shr, sign_extend, split, sub, ult, xor, zero_extend,
)

UNDEFINED = dict.fromkeys(("cf", "zf", "sf", "of"))


def by_result(width: int, result: Word, cf: Any = False, of: Any = False) -> dict[str, Any]:
    """Returns the flags for a result: ZF and SF by its bits, and the others as given."""
    return {"cf": cf, "of": of, "zf": lambda: eq(width, result, 0), "sf": lambda: bit(width, result, width - 1)}


def _row(name: str, arity: int, operation: Callable[..., Word], cf: Any = None, writes: bool = True) -> None:
    """Defines an instruction whose first operand becomes a function of the last `arity` operands. With `cf`, its
    flags are those of the result, without overflow."""

    def run(o: Operands) -> None:
        width, first = o.width(0), o.instruction.op_count - arity
        values = [o.read(first + index, width) for index in range(arity)]
        result = operation(width, *values)
        if writes:
            o.write(0, result)
        if cf:
            o.state.flags = by_result(width, result, lambda: cf(width, *values))

    SEMANTICS[name] = run


def _no_carry(*_: Any) -> Bit:
    return False


def _low_bits(width: int, value: Word, count: Word) -> Word:
    count = and_(width, count, 0xFF)
    if width == 64 and known(value):
        return joined([both(bool(value >> index & 1), ult(64, index, count)) for index in range(64)])
    return choose(width, ult(width, count, width), and_(width, value, sub(width, shl(width, 1, count), 1)), value)


_row("and", 2, and_, _no_carry)
_row("or", 2, or_, _no_carry)
_row("xor", 2, xor, _no_carry)
_row("test", 2, and_, _no_carry, writes=False)
_row("andn", 2, lambda width, a, b: and_(width, not_(width, a), b), _no_carry)
_row("not", 1, not_)
_row("blsr", 1, lambda width, a: and_(width, a, sub(width, a, 1)), lambda width, a: eq(width, a, 0))
_row("bzhi", 2, _low_bits, lambda width, a, count: negate(ult(width, and_(width, count, 0xFF), width)))
_row("mov", 1, lambda width, a: a)
for _name, _operation in {"shl": shl, "shr": shr, "sar": sar}.items():
    _row(f"{_name}x", 2, lambda width, a, count, _do=_operation: _do(width, a, and_(width, count, width - 1)))


# Arithmetic.


@defines("add", "adc", "sub", "cmp", "sbb", "inc", "dec", "neg")
def _sum(o: Operands) -> None:
    width, flags, subtracts = o.width(0), o.state.flags, o.name not in ("add", "adc", "inc")
    a, b = o.read(0), 1 if o.name in ("inc", "dec") else o.read(o.instruction.op_count - 1, width)
    if o.name == "neg":
        a = 0
    operation, result = (sub, sub(width, a, b)) if subtracts else (add, add(width, a, b))
    cf: Any = lambda: ult(width, a, b) if subtracts else ult(width, result, a)
    if o.name in ("adc", "sbb"):
        wide = [zero_extend(word, width, width + 1) for word in (a, b)]
        total = operation(width + 1, operation(width + 1, *wide), choose(width + 1, o.state.flag("cf"), 1, 0))
        result, cf = part(total, 0, width), lambda: bit(width + 1, total, width)

    def of() -> Bit:
        signs = [bit(width, word, width - 1) for word in (a, b, result)]
        return both(differ(signs[0], signs[1] if subtracts else negate(signs[1])), differ(signs[0], signs[2]))

    if o.name != "cmp":
        o.write(0, result)
    o.state.flags = by_result(width, result, flags["cf"] if o.name in ("inc", "dec") else cf, of)


@defines("imul")
def _multiply(o: Operands) -> None:
    width, first = o.width(0), o.instruction.op_count - 2
    if first < 0:
        raise o.unsupported("IMUL of one operand")
    o.write(0, mul(width, o.read(first), o.read(first + 1, width)))
    o.state.flags = dict(UNDEFINED)


@defines("mulx")
def _multiply_wide(o: Operands) -> None:
    width = o.width(0)
    factors = part(o.state.general[GENERAL.index("RDX")], 0, width), o.read(2)
    product = mul(2 * width, *[zero_extend(one, width, 2 * width) for one in factors])
    o.write(1, part(product, 0, width))
    o.write(0, part(product, width, width))


# Moves.


@defines("movzx", "movsx", "movsxd")
def _extend(o: Operands) -> None:
    o.write(0, (zero_extend if o.name == "movzx" else sign_extend)(o.read(1), o.width(1), o.width(0)))


@defines("lea")
def _address(o: Operands) -> None:
    o.write(0, part(o.address(), 0, o.width(0)))


def condition(state: State, name: str) -> Bit:
    """Returns a condition of branches, by the name of its condition code."""
    flag = state.flag
    conditions = {
        "o": lambda: flag("of"),
        "b": lambda: flag("cf"),
        "e": lambda: flag("zf"),
        "be": lambda: either(flag("cf"), flag("zf")),
        "s": lambda: flag("sf"),
        "l": lambda: differ(flag("sf"), flag("of")),
        "le": lambda: either(flag("zf"), differ(flag("sf"), flag("of"))),
    }
    opposites = {"no": "o", "ae": "b", "ne": "e", "a": "be", "ns": "s", "ge": "l", "g": "le"}
    return negate(conditions[opposites[name]]()) if name in opposites else conditions[name]()


@defines(*[f"cmov{code}" for code in CONDITIONS.values()])
def _conditional_move(o: Operands) -> None:
    moved, kept = o.read(1), o.read(0)
    o.write(0, choose(o.width(0), condition(o.state, CONDITIONS[o.instruction.condition_code]), moved, kept))


@defines(*[f"set{code}" for code in CONDITIONS.values()])
def _set_by_condition(o: Operands) -> None:
    o.write(0, choose(8, condition(o.state, CONDITIONS[o.instruction.condition_code]), 1, 0))


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


@defines("lzcnt", "tzcnt")
def _count_zeros(o: Operands) -> None:
    width, value = o.width(0), o.read(1)
    result = o.state.number_of_zeros(value, width, o.name == "lzcnt")
    o.write(0, result)
    o.state.flags = {**UNDEFINED, "cf": lambda: eq(width, value, 0), "zf": lambda: eq(width, result, 0)}


@defines("bsr", "bsf")
def _scan(o: Operands) -> None:
    """Of zero, the result is undefined, and ZF is set. CPUs then keep the whole register."""
    width, value, register = o.width(0), o.read(1), GENERAL_REGISTERS[o.register(0)][0]
    before, zeros = o.state.general[register], o.state.number_of_zeros(value, width, o.name == "bsr")
    o.write(0, sub(width, width - 1, zeros) if o.name == "bsr" else zeros)
    o.state.general[register] = choose(64, eq(width, value, 0), before, o.state.general[register])
    o.state.flags = {**UNDEFINED, "zf": lambda: eq(width, value, 0)}


@defines("popcnt")
def _ones(o: Operands) -> None:
    width, value = o.width(0), o.read(1)
    count = value.bit_count() if known(value) else o.state.number_of_ones(value, width)
    o.write(0, count)
    o.state.flags = {"cf": False, "of": False, "sf": False, "zf": lambda: eq(width, count, 0)}


@defines("bt")
def _bit_test(o: Operands) -> None:
    if not RegisterExt.is_gpr(o.register(0)):
        raise o.unsupported("BT of memory")
    width = o.width(0)
    shifted = shr(width, o.read(0), and_(width, o.read(1, width), width - 1))
    o.state.flags = {**UNDEFINED, "cf": lambda: bit(width, shifted, 0), "zf": o.state.flags["zf"]}


@defines("pdep", "pext")
def _bit_field(o: Operands) -> None:
    width, mask = o.width(0), o.read(2)
    source, bits, moved = split(o.read(1), width), split(mask, width), [False] * width
    if known(mask):
        for rank, place in enumerate(at for at in range(width) if bits[at]):
            to, from_ = (place, rank) if o.name == "pdep" else (rank, place)
            moved[to] = source[from_]
    elif width == 64:
        moved = (o.state.deposited if o.name == "pdep" else o.state.extracted)(source, bits)
    else:
        raise o.unsupported("an unknown mask")
    o.write(0, joined(moved))
