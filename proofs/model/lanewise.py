"""Vector instructions that calculate each lane from the same lane of their sources. Those with a
counterpart in SSE2, which has the same name without "v", define both."""

from collections.abc import Callable

from iced_x86 import Instruction, OpKind

from .machine import State, Unsupported, mnemonic, read_last, read_vector, write_vector
from .semantics import WIDTHS, Semantics
from .terms import (
    Word, add, and_, as_bytes, choose, concat, known, lanes, leading_zeros, mul, not_, ones, or_, part, sar, shl, shr,
    sign_extend, slt, sub, term, ult, xor, zero_extend,
)

LANEWISE = Semantics()


def lanewise(name: str, width: int, operation: Callable[..., Word], sources: int = 2) -> None:
    """Defines an instruction that calculates each lane from those of its sources."""

    def run(state: State, instruction: Instruction) -> None:
        operands = [lanes(source, width) for source in read_last(state, instruction, sources)]
        results = [operation(width, *operand) for operand in zip(*operands, strict=True)]
        write_vector(state, instruction, as_bytes(results, width), width // 8)

    LANEWISE.defines(name, name.removeprefix("v"))(run)


for _suffix, _width in WIDTHS.items():
    lanewise(f"vpadd{_suffix}", _width, add)
    lanewise(f"vpsub{_suffix}", _width, sub)
for _name, _operation in {"vpand": and_, "vpor": or_, "vpxor": xor}.items():
    for _suffix, _width in {"": 64, "d": 32, "q": 64}.items():
        lanewise(_name + _suffix, _width, _operation)
lanewise("vxorps", 32, xor)
for _suffix in "dq":
    lanewise(f"vplzcnt{_suffix}", WIDTHS[_suffix], leading_zeros, 1)
    lanewise(f"vpsrlv{_suffix}", WIDTHS[_suffix], shr)
lanewise("vpandn", 64, lambda width, a, b: and_(width, not_(width, a), b))
lanewise("vpsllvd", 32, shl)
lanewise("vpmaxub", 8, lambda width, a, b: choose(width, ult(width, a, b), b, a))
lanewise("vpminub", 8, lambda width, a, b: choose(width, ult(width, a, b), a, b))


def _unsigned_by_signed(width: int, a: Word, b: Word) -> Word:
    """The sum of two products, saturated to 16 bits."""
    products = [
        mul(18, zero_extend(part(a, low, 8), 8, 18), sign_extend(part(b, low, 8), 8, 18)) for low in (0, 8)
    ]
    total, most, least = add(18, *products), 0x7FFF, -0x8000 & ones(18)
    return part(choose(18, slt(18, most, total), most, choose(18, slt(18, total, least), least, total)), 0, 16)


def _signed_by_signed(width: int, a: Word, b: Word) -> Word:
    """The sum of two products."""
    extended = [[sign_extend(part(word, low, 16), 16, 32) for word in (a, b)] for low in (0, 16)]
    return add(32, mul(32, *extended[0]), mul(32, *extended[1]))


lanewise("vpmaddubsw", 16, _unsigned_by_signed)
lanewise("vpmaddwd", 32, _signed_by_signed)


def _shifting(name: str, width: int, operation: Callable[[int, Word, Word], Word]) -> None:
    def run(state: State, instruction: Instruction) -> None:
        last = instruction.op_count - 1
        if instruction.op_kind(last) == OpKind.IMMEDIATE8:
            count = instruction.immediate8
        else:
            [count] = lanes(read_vector(state, instruction, last)[:8], 64)
            if not known(count):
                raise Unsupported(f"{instruction}: an unknown count")
        shifted = [operation(width, lane, count) for lane in lanes(read_vector(state, instruction, last - 1), width)]
        write_vector(state, instruction, as_bytes(shifted, width), width // 8)

    LANEWISE.defines(name, name.removeprefix("v"))(run)


for _suffix in "wdq":
    for _name, _operation in {"vpsll": shl, "vpsrl": shr, "vpsra": sar}.items():
        _shifting(_name + _suffix, WIDTHS[_suffix], _operation)


def two_inputs(width: int, a: Word, b: Word, table: int) -> Word:
    """Returns the bits `table[2a + b]`."""
    formulas: dict[int, Callable[[], Word]] = {
        0b0000: lambda: 0,
        0b0001: lambda: not_(width, or_(width, a, b)),
        0b0010: lambda: and_(width, not_(width, a), b),
        0b0011: lambda: not_(width, a),
        0b0100: lambda: and_(width, a, not_(width, b)),
        0b0101: lambda: not_(width, b),
        0b0110: lambda: xor(width, a, b),
        0b1000: lambda: and_(width, a, b),
        0b1010: lambda: b,
        0b1100: lambda: a,
        0b1110: lambda: or_(width, a, b),
    }
    return formulas[table]() if table in formulas else not_(width, formulas[15 - table]())


def three_inputs(width: int, a: Word, b: Word, c: Word, table: int) -> Word:
    """Returns the bits `table[4a + 2b + c]`, by the shortest formula of the form `x op f(y, z)` that
    there is."""
    words, steps = (a, b, c), (4, 2, 1)
    for x, y, z in ((0, 1, 2), (1, 0, 2), (2, 0, 1)):
        off, on = (
            sum(
                (table >> (steps[x] * value + steps[y] * p + steps[z] * q) & 1) << (2 * p + q)
                for p in (0, 1)
                for q in (0, 1)
            )
            for value in (0, 1)
        )
        if off == on or off in (0, 15) or on in (0, 15):
            break
    with_off, with_on = (two_inputs(width, words[y], words[z], part_) for part_ in (off, on))
    if off == on:
        return with_on
    if on == 15:
        return or_(width, words[x], with_off)
    if off == 15:
        return or_(width, not_(width, words[x]), with_on)
    return or_(width, and_(width, words[x], with_on), and_(width, not_(width, words[x]), with_off))


@LANEWISE.defines("vpternlogd", "vpternlogq")
def _ternary_logic(state: State, instruction: Instruction) -> None:
    width, table, results = WIDTHS[mnemonic(instruction)[-1]], instruction.immediate8, []
    for lane in zip(*[lanes(read_vector(state, instruction, operand), width) for operand in range(3)], strict=True):
        # A known mask is applied byte by byte, so that bytes without an effect do not occur.
        step = 8 if any(known(word) for word in lane) else width
        for low in range(0, width, step):
            results += as_bytes([three_inputs(step, *[part(word, low, step) for word in lane], table)], step)
    write_vector(state, instruction, results, width // 8)


@LANEWISE.defines("vpshrdvd", "vpshrdvq")
def _funnel_shift(state: State, instruction: Instruction) -> None:
    width = WIDTHS[mnemonic(instruction)[-1]]
    results = []
    for low, high, count in zip(*[lanes(read_vector(state, instruction, index), width) for index in range(3)]):
        count = zero_extend(and_(width, count, width - 1), width, 2 * width)
        results.append(part(shr(2 * width, concat([(width, high), (width, low)]), count), 0, width))
    write_vector(state, instruction, as_bytes(results, width), width // 8)


@LANEWISE.defines("vpmultishiftqb")
def _multishift(state: State, instruction: Instruction) -> None:
    counts, results = read_vector(state, instruction, 1), []
    for index, source in enumerate(lanes(read_vector(state, instruction, 2), 64)):
        twice = concat([(64, source), (64, source)])
        for count in counts[8 * index : 8 * index + 8]:
            if known(count):
                results.append(_eight_bits(source, count & 63))
            else:
                results.append(part(shr(128, twice, zero_extend(term(count, 8) & 63, 8, 128)), 0, 8))
    write_vector(state, instruction, as_bytes(results, 8))


def _eight_bits(source: Word, low: int) -> Word:
    """Returns the eight bits of a quadword from `low` on, around its end."""
    if low <= 56:
        return part(source, low, 8)
    return concat([(low - 56, part(source, 0, low - 56)), (64 - low, part(source, low, 64 - low))])
