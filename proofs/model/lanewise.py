"""Vector instructions that calculate each lane from the same lane of their sources, and instructions on mask
registers."""

from collections.abc import Callable
from typing import Any

import z3

from .machine import MASK_REGISTERS, VECTOR_REGISTERS, WIDTHS, Operands, defines
from .terms import (
    Bit, Word, add, and_, as_bytes, bit, both, choose, concat, either, eq, is_same, joined, known, lanes, mul, negate, none,
    not_, number_of_zeros, ones, or_, part, sar, shl, shr, sign_extend, simplified, slt, split, sub, term, ult, xor, zero_extend,
)


def _lanewise(name: str, width: int, operation: Callable[..., Word], sources: int = 2) -> None:
    """Defines an instruction that calculates each lane from those of its sources."""

    def run(o: Operands) -> None:
        operands = zip(*[lanes(source, width) for source in o.last(sources)], strict=True)
        o.write_vector(as_bytes([operation(width, *operand) for operand in operands], width), width // 8)

    defines(name)(run)


def _unsigned_by_signed(width: int, a: Word, b: Word) -> Word:
    """The sum of two products, saturated to 16 bits."""
    products = [mul(18, zero_extend(part(a, low, 8), 8, 18), sign_extend(part(b, low, 8), 8, 18)) for low in (0, 8)]
    total, most, least = add(18, *products), 0x7FFF, -0x8000 & ones(18)
    return part(choose(18, slt(18, most, total), most, choose(18, slt(18, total, least), least, total)), 0, 16)


def _signed_by_signed(width: int, a: Word, b: Word) -> Word:
    """The sum of two products."""
    return add(32, *[mul(32, *[sign_extend(part(word, low, 16), 16, 32) for word in (a, b)]) for low in (0, 16)])


def _funnel_shift(width: int, low: Word, high: Word, count: Word) -> Word:
    count = zero_extend(and_(width, count, width - 1), width, 2 * width)
    return part(shr(2 * width, concat([(width, high), (width, low)]), count), 0, width)


for _suffix, _width in WIDTHS.items():
    _lanewise(f"vpadd{_suffix}", _width, add)
    _lanewise(f"vpsub{_suffix}", _width, sub)
for _name, _operation in {"vpand": and_, "vpor": or_, "vpxor": xor}.items():
    for _suffix, _width in {"": 64, "d": 32, "q": 64}.items():
        _lanewise(_name + _suffix, _width, _operation)
for _suffix in "dq":
    _lanewise(f"vplzcnt{_suffix}", WIDTHS[_suffix], lambda width, a: number_of_zeros(width, a, leading=True), 1)
    _lanewise(f"vpsrlv{_suffix}", WIDTHS[_suffix], shr)
    _lanewise(f"vpshrdv{_suffix}", WIDTHS[_suffix], _funnel_shift, 3)
_lanewise("vxorps", 32, xor)
_lanewise("vandps", 32, and_)
_lanewise("vorps", 32, or_)
_lanewise("vpandn", 64, lambda width, a, b: and_(width, not_(width, a), b))
_lanewise("vpsllvd", 32, shl)
for _suffix, _width in WIDTHS.items():
    for _kind, _less in {"s": slt, "u": ult}.items():
        _lanewise(f"vpmax{_kind}{_suffix}", _width, lambda width, a, b, _less=_less: choose(width, _less(width, a, b), b, a))
        _lanewise(f"vpmin{_kind}{_suffix}", _width, lambda width, a, b, _less=_less: choose(width, _less(width, a, b), a, b))
_lanewise("vpmaddubsw", 16, _unsigned_by_signed)
_lanewise("vpmaddwd", 32, _signed_by_signed)


def _shifting(name: str, width: int, operation: Callable[[int, Word, Word], Word]) -> None:
    """Defines a shift of all lanes by the same count."""

    def run(o: Operands) -> None:
        if not o.has_immediate:
            raise o.unsupported("a count in a register")
        shifted = [operation(width, lane, min(o.immediate, width)) for lane in lanes(o.last(1)[0], width)]
        o.write_vector(as_bytes(shifted, width), width // 8)

    defines(name)(run)


for _suffix in "wdq":
    for _name, _operation in {"vpsll": shl, "vpsrl": shr, "vpsra": sar}.items():
        _shifting(_name + _suffix, WIDTHS[_suffix], _operation)


def _by_table(width: int, table: int, *words: Word) -> Word:
    """Returns the bits that a table has for those of the words, of which the first is the highest bit of the
    index. A known word is split off first, so that the others do not occur where they have no effect."""
    if not words:
        return ones(width) * table
    at = next((at for at, word in enumerate(words) if known(word)), 0)
    step, rest = len(words) - 1 - at, words[:at] + words[at + 1 :]
    indices = [[one for one in range(1 << len(words)) if one >> step & 1 == value] for value in (0, 1)]
    halves = (sum((table >> one & 1) << rank for rank, one in enumerate(half)) for half in indices)
    off, on = (_by_table(width, half, *rest) for half in halves)
    if is_same(off, on):
        return off
    return or_(width, and_(width, words[at], on), and_(width, not_(width, words[at]), off))


@defines("vpternlogd", "vpternlogq")
def _ternary_logic(o: Operands) -> None:
    width, results = WIDTHS[o.name[-1]], list[Any]()
    for lane in zip(*[lanes(source, width) for source in o.last(3)], strict=True):
        # A known mask is applied byte by byte, so that bytes without an effect do not occur.
        step = 8 if any(known(word) for word in lane) else width
        for low in range(0, width, step):
            results += as_bytes([_by_table(step, o.immediate, *[part(word, low, step) for word in lane])], step)
    o.write_vector(results, width // 8)


@defines("vpmultishiftqb")
def _multishift(o: Operands) -> None:
    """Each byte is eight bits of its quadword from a count on, around the end."""
    counts, results = o.vector(1), list[Word]()
    for index, source in enumerate(lanes(o.vector(2), 64)):
        twice = concat([(64, source)] * 2)
        for count in counts[8 * index : 8 * index + 8]:
            low = count & 63 if known(count) else zero_extend(term(count, 8) & 63, 8, 128)
            results.append(simplified(part(twice, low, 8), 8) if known(low) else part(shr(128, twice, low), 0, 8))
    o.write_vector(as_bytes(results, 8))


# Comparisons and tests, whose result is a mask, or lanes of ones and zeros.


def _comparing(o: Operands, width: int, compare: Callable[[int, Word, Word], Bit]) -> None:
    bits = [compare(width, *pair) for pair in zip(*[lanes(source, width) for source in o.last(2)], strict=True)]
    if o.register(0) in VECTOR_REGISTERS:
        o.write_vector(as_bytes([choose(width, one, ones(width), 0) for one in bits], width))
    else:
        wanted = o.write_mask() if o.instruction.op_mask else [True] * len(bits)
        o.set_mask([both(*pair) for pair in zip(bits, wanted, strict=False)])


def _predicate(o: Operands, less: Callable[[int, Word, Word], Bit]) -> Callable[[int, Word, Word], Bit]:
    """Returns the comparison that the immediate selects."""
    is_opposite, number = divmod(o.immediate & 7, 4)
    if number == 3:
        raise o.unsupported("a constant predicate")
    chosen = (eq, less, lambda width, a, b: negate(less(width, b, a)))[number]
    return (lambda width, a, b: negate(chosen(width, a, b))) if is_opposite else chosen


for _suffix, _width in WIDTHS.items():
    defines(f"vpcmp{_suffix}")(lambda o, _width=_width: _comparing(o, _width, _predicate(o, slt)))
    defines(f"vpcmpu{_suffix}")(lambda o, _width=_width: _comparing(o, _width, _predicate(o, ult)))
    for _name, _compare in {
        f"vptestm{_suffix}": lambda width, a, b: negate(eq(width, and_(width, a, b), 0)),
        f"vptestnm{_suffix}": lambda width, a, b: eq(width, and_(width, a, b), 0),
        f"vpcmpeq{_suffix}": eq,
        f"vpcmpgt{_suffix}": lambda width, a, b: slt(width, b, a),
    }.items():
        defines(_name)(lambda o, _width=_width, _compare=_compare: _comparing(o, _width, _compare))


# The bits of each quadword that a test is about.
TESTED = {"vptest": ones(64), "vtestps": 0x8000_0000_8000_0000, "vtestpd": 1 << 63}


@defines(*TESTED)
def _test_vectors(o: Operands) -> None:
    a, b = (lanes(source, 64) for source in o.last(2))
    b = [and_(64, one, TESTED[o.name]) for one in b]

    def empty(first: list[Word]) -> Bit:
        return simplified(z3.And(*[term(and_(64, p, q), 64) == 0 for p, q in zip(first, b, strict=True)]))

    o.state.flags = {"zf": lambda: empty(a), "cf": lambda: empty([not_(64, one) for one in a]), "sf": False, "of": False}


@defines("vpmovmskb", "vpmovb2m")
def _top_bits(o: Operands) -> None:
    bits = [simplified(bit(8, byte if known(byte) else term(byte, 8), 7)) for byte in o.vector(1)]
    if o.register(0) in MASK_REGISTERS:
        o.set_mask(bits)
    else:
        o.write(0, joined(bits + [False] * (o.width(0) - len(bits))))


# Masks.


@defines(*[f"k{name}{suffix}" for name in ("mov", "not") for suffix in WIDTHS])
def _move_mask(o: Operands) -> None:
    width = WIDTHS[o.name[-1]]
    bits = o.mask(1)[:width] if o.register(1) in MASK_REGISTERS else split(o.read(1), o.width(1))[:width]
    if o.register(0) in MASK_REGISTERS:
        o.set_mask([negate(one) for one in bits] if o.name.startswith("knot") else bits)
    else:
        o.write(0, zero_extend(joined(bits), width, o.width(0)))


@defines(*[f"k{name}{suffix}" for name in ("ortest", "test") for suffix in WIDTHS])
def _test_masks(o: Operands) -> None:
    """KORTEST: whether the union is empty, or complete. KTEST: whether `a & b` and `!a & b` are empty."""
    width, unites = WIDTHS[o.name[-1]], "or" in o.name
    pairs = list(zip(*[o.mask(operand)[:width] for operand in (0, 1)], strict=True))
    zero = [(either if unites else both)(a, b) for a, b in pairs]
    carry = [negate(either(a, b)) if unites else both(negate(a), b) for a, b in pairs]
    o.state.flags = {"zf": lambda: none(zero), "cf": lambda: none(carry), "sf": False, "of": False}
