"""Words of bits that are known (Python integers) or unknown (z3 terms), with the same operations for
both. `width` is always the width of the operands in bits."""

from collections.abc import Callable, Sequence
from typing import Any

import z3

Word = Any  # int | z3.BitVecRef
Bit = Any  # bool | z3.BoolRef


def known(value: object) -> bool:
    return isinstance(value, int)


def ones(width: int) -> int:
    """Returns a word of ones."""
    return (1 << width) - 1


def signed(value: int, width: int) -> int:
    return value - (1 << width) if value >> (width - 1) else value


class Byte:
    """Byte `index` of a term. Bytes that were stored together are found together again."""

    __slots__ = ("term", "index")

    def __init__(self, term: z3.BitVecRef, index: int = 0) -> None:
        self.term, self.index = term, index

    def word(self) -> z3.BitVecRef:
        """Returns the byte as a term."""
        return self.term if self.term.size() == 8 else z3.Extract(8 * self.index + 7, 8 * self.index, self.term)

    def same(self, other: object) -> bool:
        return isinstance(other, Byte) and self.index == other.index and self.term.eq(other.term)


class Bits:
    """64 bits of a mask in a general register. They stay separate, because masks are long."""

    __slots__ = ("bits",)

    def __init__(self, bits: Sequence[Bit]) -> None:
        if len(bits) != 64:
            raise ValueError(f"{len(bits)} bits")
        self.bits = list(bits)


def term(value: Any, width: int) -> z3.BitVecRef:
    """Returns any value as a z3 term."""
    if isinstance(value, int):
        return z3.BitVecVal(value, width)
    if isinstance(value, Byte):
        return value.word()
    if isinstance(value, Bits):
        return z3.Concat(*[term(choose(1, bit, 1, 0), 1) for bit in reversed(value.bits)])
    return value


def plain(value: Any) -> Word:
    """Returns a word in which no bits are separate."""
    return term(value, 64) if isinstance(value, Bits) else value


def simplified(word: Word, width: int = 64) -> Word:
    """Returns a word as a number if that is what it is, whatever the input."""
    if known(word):
        return word
    simple = z3.simplify(term(word, width))
    return simple.as_long() if z3.is_bv_value(simple) else simple


def simplified_bit(bit: Bit) -> Bit:
    """Returns a bit as a bool if that is what it is, whatever the input."""
    if known(bit):
        return bit
    bit = z3.simplify(bit)
    return True if z3.is_true(bit) else False if z3.is_false(bit) else bit


def from_bits(bits: Sequence[Bit]) -> int | Bits:
    """Returns 64 bits as a number if all are known."""
    if all(known(bit) for bit in bits):
        return sum(bool(bit) << index for index, bit in enumerate(bits))
    return Bits(bits)


def to_bits(value: Any) -> list[Bit]:
    """Returns the 64 bits of a word."""
    if isinstance(value, Bits):
        return value.bits
    return [bit(64, value, index) for index in range(64)]


def bit(width: int, value: Word, index: int) -> Bit:
    """Returns one bit of a word."""
    return bool(value >> index & 1) if known(value) else z3.Extract(index, index, value) == 1


# Bits.


def negate(a: Bit) -> Bit:
    return not a if known(a) else z3.Not(a)


def both(a: Bit, b: Bit) -> Bit:
    if known(a):
        return b if a else False
    if known(b):
        return a if b else False
    return z3.And(a, b)


def either(a: Bit, b: Bit) -> Bit:
    if known(a):
        return True if a else b
    if known(b):
        return True if b else a
    return z3.Or(a, b)


def differ(a: Bit, b: Bit) -> Bit:
    if known(a):
        return negate(b) if a else b
    if known(b):
        return negate(a) if b else a
    return False if a.eq(b) else z3.Xor(a, b)


def none(bits: Sequence[Bit]) -> Bit:
    """Whether no bit is set."""
    if any(known(bit) and bit for bit in bits):
        return False
    unknown = [bit for bit in bits if not known(bit)]
    return z3.Not(z3.Or(*unknown)) if unknown else True


def same_bits(some: Sequence[Bit], others: Sequence[Bit]) -> bool:
    """Whether two masks are the same without any calculation."""
    return len(some) == len(others) and all(
        a == b if known(a) and known(b) else not known(a) and not known(b) and a.eq(b)
        for a, b in zip(some, others, strict=True)
    )


# Words.


def choose(width: int, condition: Bit, then: Word, otherwise: Word) -> Word:
    if known(condition):
        return then if condition else otherwise
    if known(then) and known(otherwise) and then == otherwise:
        return then
    return z3.If(condition, term(then, width), term(otherwise, width))


def _operation(number: Callable[..., int], word: Callable[..., z3.BitVecRef]) -> Callable[..., Word]:
    def apply(width: int, a: Word, b: Word) -> Word:
        if known(a) and known(b):
            return number(a, b) & ones(width)
        return word(term(a, width), term(b, width))

    return apply


_add = _operation(lambda a, b: a + b, lambda a, b: a + b)
sub = _operation(lambda a, b: a - b, lambda a, b: a - b)
mul = _operation(lambda a, b: a * b, lambda a, b: a * b)


def add(width: int, a: Word, b: Word) -> Word:
    for one, other in ((a, b), (b, a)):
        if known(one) and one == 0:
            return other
    return _add(width, a, b)


def and_(width: int, a: Word, b: Word) -> Word:
    if known(a) and known(b):
        return a & b
    for one, other in ((a, b), (b, a)):
        if known(one) and one in (0, ones(width)):
            return other if one else 0
    return a if not known(a) and not known(b) and a.eq(b) else term(a, width) & term(b, width)


def or_(width: int, a: Word, b: Word) -> Word:
    if known(a) and known(b):
        return a | b
    for one, other in ((a, b), (b, a)):
        if known(one) and one in (0, ones(width)):
            return one or other
    return term(a, width) | term(b, width)


def not_(width: int, a: Word) -> Word:
    return ~a & ones(width) if known(a) else ~a


def xor(width: int, a: Word, b: Word) -> Word:
    if known(a) and known(b):
        return a ^ b
    for one, other in ((a, b), (b, a)):
        if known(one) and one in (0, ones(width)):
            return not_(width, other) if one else other
    return 0 if not known(a) and not known(b) and a.eq(b) else term(a, width) ^ term(b, width)


def shl(width: int, a: Word, count: Word) -> Word:
    if known(count):
        if count >= width:
            return 0
        return a << count & ones(width) if known(a) else a << count
    return term(a, width) << term(count, width)


def shr(width: int, a: Word, count: Word) -> Word:
    if known(count):
        if count >= width:
            return 0
        return a >> count if known(a) else z3.LShR(a, count)
    return z3.LShR(term(a, width), term(count, width))


def sar(width: int, a: Word, count: Word) -> Word:
    if known(count):
        count = min(count, width - 1)
        return signed(a, width) >> count & ones(width) if known(a) else a >> count
    return term(a, width) >> term(count, width)


def eq(width: int, a: Word, b: Word) -> Bit:
    return a == b if known(a) and known(b) else term(a, width) == term(b, width)


def ult(width: int, a: Word, b: Word) -> Bit:
    return a < b if known(a) and known(b) else z3.ULT(term(a, width), term(b, width))


def ule(width: int, a: Word, b: Word) -> Bit:
    return a <= b if known(a) and known(b) else z3.ULE(term(a, width), term(b, width))


def slt(width: int, a: Word, b: Word) -> Bit:
    if known(a) and known(b):
        return signed(a, width) < signed(b, width)
    return term(a, width) < term(b, width)


def sle(width: int, a: Word, b: Word) -> Bit:
    return negate(slt(width, b, a))


def part(value: Word, low: int, width: int) -> Word:
    """Returns `width` bits from `low` on."""
    if known(value):
        return value >> low & ones(width)
    return value if width == value.size() else z3.Extract(low + width - 1, low, value)


def concat(parts: Sequence[tuple[int, Word]]) -> Word:
    """Joins (width, word) pairs, the highest first."""
    if all(known(value) for _, value in parts):
        joined = 0
        for width, value in parts:
            joined = joined << width | value
        return joined
    return z3.Concat(*[term(value, width) for width, value in parts]) if len(parts) > 1 else parts[0][1]


def zero_extend(value: Word, width: int, to: int) -> Word:
    return value if known(value) or to == width else z3.ZeroExt(to - width, value)


def sign_extend(value: Word, width: int, to: int) -> Word:
    return signed(value, width) & ones(to) if known(value) else z3.SignExt(to - width, value)


def leading_zeros(width: int, value: Word) -> Word:
    if known(value):
        return width - value.bit_length()
    count = z3.BitVecVal(width, width)
    for index in range(width):  # The highest bit is the outermost condition.
        count = z3.If(z3.Extract(index, index, value) == 1, z3.BitVecVal(width - 1 - index, width), count)
    return count


def trailing_zeros(width: int, value: Word) -> Word:
    if known(value):
        return (value & -value).bit_length() - 1 if value else width
    count = z3.BitVecVal(width, width)
    for index in reversed(range(width)):
        count = z3.If(z3.Extract(index, index, value) == 1, z3.BitVecVal(index, width), count)
    return count


# Lanes of bytes.


def lanes(source: Sequence[Any], width: int) -> list[Word]:
    """Returns bytes as lanes of `width` bits."""
    size = width // 8
    return [_lane(source[at : at + size], width) for at in range(0, len(source), size)]


def _lane(source: Sequence[Any], width: int) -> Word:
    if all(known(byte) for byte in source):
        return int.from_bytes(bytes(source), "little")
    words = [_word(run) for run in _runs(source)]
    return z3.Concat(*reversed(words)) if len(words) > 1 else words[0]


def _runs(source: Sequence[Any]) -> list[list[Any]]:
    """Splits bytes where one does not follow the one before in the same term."""
    runs: list[list[Any]] = []
    for byte in source:
        last = runs[-1][-1] if runs else None
        follows = isinstance(byte, Byte) and isinstance(last, Byte) and byte.index == last.index + 1
        if follows and byte.term.eq(last.term):
            runs[-1].append(byte)
        else:
            runs.append([byte])
    return runs


def _word(run: Sequence[Any]) -> z3.BitVecRef:
    """Returns bytes of one term as a word."""
    first, width = run[0], 8 * len(run)
    if not isinstance(first, Byte):
        return term(first, 8)
    return first.term if first.term.size() == width else part(first.term, 8 * first.index, width)


def as_bytes(words: Sequence[Word], width: int) -> list[Any]:
    """Returns lanes of `width` bits as bytes."""
    result: list[Any] = []
    for word in words:
        if known(word):
            result.extend(word.to_bytes(width // 8, "little"))
        else:
            result.extend(Byte(word, index) for index in range(width // 8))
    return result


def same_bytes(some: Sequence[Any], others: Sequence[Any]) -> bool:
    """Whether two byte strings are the same without any calculation."""
    return len(some) == len(others) and all(
        a == b if known(a) else a.same(b) for a, b in zip(some, others, strict=True)
    )
