"""Words of bits that are known (Python integers) or unknown (z3 terms), with the same operations for
both. `width` is always the width of the operands in bits."""

import functools
import operator
from collections.abc import Callable, Sequence
from typing import Any

import z3

Word = Any  # int | z3.BitVecRef
Bit = Any  # bool | z3.BoolRef


def known(value: object) -> bool:
    return isinstance(value, int)


def is_same(a: Any, b: Any) -> bool:
    """Whether two words or bits are the same number or the same term."""
    return a == b if known(a) or known(b) else a.eq(b)


def ones(width: int) -> int:
    """Returns a word of ones."""
    return (1 << width) - 1


class Byte:
    """Byte `index` of a term. Bytes that were stored together are found together again."""

    __slots__ = ("term", "index")

    def __init__(self, term: z3.BitVecRef, index: int = 0) -> None:
        self.term, self.index = term, index

    def same(self, other: object) -> bool:
        return isinstance(other, Byte) and self.index == other.index and self.term.eq(other.term)


def term(value: Any, width: int) -> z3.BitVecRef:
    """Returns a word or a byte as a z3 term."""
    if isinstance(value, int):
        return z3.BitVecVal(value, width)
    return part(value.term, 8 * value.index, 8) if isinstance(value, Byte) else value


def simplified(word: Any, width: int = 64) -> Any:
    """Returns a word as a number, or a bit as a bool, if that is what it is, whatever the input."""
    if known(word):
        return word
    simple = z3.simplify(term(word, width))
    if z3.is_bv_value(simple):
        return simple.as_long()
    return True if z3.is_true(simple) else False if z3.is_false(simple) else simple


# Bits.


def bit(width: int, value: Word, index: int) -> Bit:
    """Returns one bit of a word."""
    return bool(value >> index & 1) if known(value) else z3.Extract(index, index, value) == 1


def negate(a: Bit) -> Bit:
    return not a if known(a) else z3.Not(a)


def both(a: Bit, b: Bit) -> Bit:
    if known(a):
        return b if a else False
    if known(b):
        return a if b else False
    return z3.And(a, b)


def either(a: Bit, b: Bit) -> Bit:
    return negate(both(negate(a), negate(b))) if known(a) or known(b) else z3.Or(a, b)


def differ(a: Bit, b: Bit) -> Bit:
    if known(a):
        return negate(b) if a else b
    if known(b):
        return negate(a) if b else a
    return False if a.eq(b) else z3.Xor(a, b)


def none(bits: Sequence[Bit]) -> Bit:
    """Whether no bit is set."""
    return simplified(z3.Not(z3.Or(*bits)))


def joined(bits: Sequence[Bit]) -> Word:
    """Returns bits, the lowest first, as a word."""
    if all(known(bit) for bit in bits):
        return sum(bool(bit) << index for index, bit in enumerate(bits))
    words = [z3.BitVecVal(bit, 1) if known(bit) else _word_of(bit) for bit in reversed(bits)]
    return z3.simplify(z3.Concat(*words)) if len(words) > 1 else words[0]


def _word_of(bit: z3.BoolRef) -> z3.BitVecRef:
    if z3.is_eq(bit) and z3.is_bv(bit.arg(0)) and bit.arg(0).size() == 1 and z3.is_bv_value(bit.arg(1)):
        return bit.arg(0) if bit.arg(1).as_long() else ~bit.arg(0)
    return z3.If(bit, z3.BitVecVal(1, 1), z3.BitVecVal(0, 1))


def split(word: Word, width: int) -> list[Bit]:
    """Returns the bits of a word, the lowest first. They are those of which it was joined."""
    if known(word):
        return [bool(word >> index & 1) for index in range(width)]
    kind, parts = word.decl().kind(), word.children()
    if z3.is_bv_value(word):
        return split(word.as_long(), width)
    if kind == z3.Z3_OP_CONCAT:
        return [bit for one in reversed(parts) for bit in split(one, one.size())]
    if kind == z3.Z3_OP_BNOT:
        return [negate(bit) for bit in split(parts[0], width)]
    if kind in (z3.Z3_OP_BAND, z3.Z3_OP_BOR, z3.Z3_OP_BXOR):
        operation = {z3.Z3_OP_BAND: both, z3.Z3_OP_BOR: either, z3.Z3_OP_BXOR: differ}[kind]
        bits = split(parts[0], width)
        for one in parts[1:]:
            bits = [operation(a, b) for a, b in zip(bits, split(one, width), strict=True)]
        return bits
    if width == 1 and kind == z3.Z3_OP_ITE and all(z3.is_bv_value(one) for one in parts[1:]):
        return [parts[0] if parts[1].as_long() else z3.Not(parts[0])]
    if width == 1:
        return [word == 1]
    simple = z3.simplify(word)
    return [bit(width, word, index) for index in range(width)] if simple.eq(word) else split(simple, width)


# Words.


def choose(width: int, condition: Bit, then: Word, otherwise: Word) -> Word:
    if known(condition):
        return then if condition else otherwise
    if known(then) and known(otherwise) and then == otherwise:
        return then
    return z3.If(condition, term(then, width), term(otherwise, width))


def _row(on_terms: Callable[[Any, Any], Any]) -> Callable[[int, Word, Word], Any]:
    """Returns an operation on words or numbers."""

    def apply(width: int, a: Word, b: Word) -> Any:
        result = on_terms(term(a, width), term(b, width))
        return simplified(result, width) if known(a) and known(b) else result

    return apply


sub = _row(operator.sub)
mul = _row(operator.mul)
shl = _row(operator.lshift)
shr = _row(z3.LShR)
sar = _row(operator.rshift)
eq = _row(operator.eq)
ult = _row(z3.ULT)
slt = _row(operator.lt)


def _commutative(operation: Callable[[Any, Any], Any], **special: Any) -> Callable[[int, Word, Word], Word]:
    """Returns an operation on words or numbers. Some operands have a special result, a number or a function of
    the other operand: `zero`, `ones`, and twice the `same`."""

    def apply(width: int, a: Word, b: Word) -> Word:
        if known(b):
            a, b = b, a
        if known(b):
            return operation(a, b) & ones(width)
        kind = ("zero" if a == 0 else "ones" if a == ones(width) else "") if known(a) else "same" if a.eq(b) else ""
        rule = special.get(kind, lambda b: operation(term(a, width), b))
        return rule(b) if callable(rule) else rule & ones(width)

    return apply


def _itself(b: Word) -> Word:
    return b


add = _commutative(operator.add, zero=_itself, same=lambda b: b << 1)
and_ = _commutative(operator.and_, zero=0, ones=_itself, same=_itself)
or_ = _commutative(operator.or_, zero=_itself, ones=-1)
xor = _commutative(operator.xor, zero=_itself, ones=operator.invert, same=0)


def not_(width: int, a: Word) -> Word:
    return ~a & ones(width) if known(a) else ~a


def part(value: Word, low: int, width: int) -> Word:
    """Returns `width` bits from `low` on."""
    if known(value):
        return value >> low & ones(width)
    return value if width == value.size() else z3.Extract(low + width - 1, low, value)


def concat(parts: Sequence[tuple[int, Word]]) -> Word:
    """Joins (width, word) pairs, the highest first."""
    if all(known(value) for _, value in parts):
        return functools.reduce(lambda joined, one: joined << one[0] | one[1], parts, 0)
    return z3.Concat(*[term(value, width) for width, value in parts])


def zero_extend(value: Word, width: int, to: int) -> Word:
    return value if known(value) or to == width else z3.ZeroExt(to - width, value)


def sign_extend(value: Word, width: int, to: int) -> Word:
    if known(value):
        return (value - (value >> (width - 1) << width)) & ones(to)
    return z3.SignExt(to - width, value)


def number_of_zeros(width: int, value: Word, leading: bool) -> Word:
    """Returns the number of zeros before the highest or the lowest bit that is set."""
    count: Word = width
    for index in range(width) if leading else reversed(range(width)):  # the last condition is the outermost
        count = choose(width, bit(width, value, index), width - 1 - index if leading else index, count)
    return count


# Lanes of bytes.


def kept(source: Sequence[Any], bits: Sequence[Bit]) -> list[Any]:
    """Returns the elements whose bit is set, one after another, then zeros. All bits are known."""
    chosen = [one for one, bit in zip(source, bits, strict=True) if bit]
    return chosen + [0] * (len(source) - len(chosen))


def deposited(source: Sequence[Any], bits: Sequence[Bit]) -> list[Any]:
    """Returns the first elements at the places whose bit is set, and zeros elsewhere. All bits are known."""
    left = iter(source)
    return [next(left) if bit else 0 for bit in bits]


def lanes(source: Sequence[Any], width: int) -> list[Word]:
    """Returns bytes as lanes of `width` bits."""
    size = width // 8
    return [_lane(source[at : at + size]) for at in range(0, len(source), size)]


def _lane(source: Sequence[Any]) -> Word:
    if all(known(byte) for byte in source):
        return int.from_bytes(bytes(source), "little")
    words, at = list[Word](), 0
    while at < len(source):
        first, end = source[at], at + 1
        if isinstance(first, Byte):  # with those after it that are of the same term
            while end < len(source) and Byte(first.term, first.index + end - at).same(source[end]):
                end += 1
            words.append(part(first.term, 8 * first.index, 8 * (end - at)))
        else:
            words.append(term(first, 8))
        at = end
    return z3.Concat(*reversed(words)) if len(words) > 1 else words[0]


def as_bytes(words: Sequence[Word], width: int) -> list[Any]:
    """Returns lanes of `width` bits as bytes."""
    result: list[Any] = []
    for word in words:
        if known(word):
            result.extend(word.to_bytes(width // 8, "little"))
        else:
            result.extend(Byte(word, index) for index in range(width // 8))
    return result
