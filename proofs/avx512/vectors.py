"""Vector instructions: what each does (Intel SDM, volume 2)."""

from collections.abc import Callable
from typing import Any

import z3
from iced_x86 import Instruction, OpKind

from .machine import (
    MASK_REGISTERS, VECTOR_REGISTERS, State, Unsupported, address_of, is_register, mnemonic, read_vector,
    vector_size, write, write_mask, write_mask_of, write_vector,
)
from .terms import (
    Bit, Byte, Word, add, and_, as_bytes, both, choose, concat, eq, known, lanes, leading_zeros, mul, negate, not_,
    ones, or_, part, sar, shl, shr, sign_extend, sle, slt, sub, term, ule, ult, xor, zero_extend, bit,
)

Semantics = Callable[[State, Instruction], object]
VECTORS: dict[str, Semantics] = {}
WIDTHS = {"b": 8, "w": 16, "d": 32, "q": 64}


def defines(*names: str) -> Callable[[Semantics], Semantics]:
    def register(semantics: Semantics) -> Semantics:
        VECTORS.update(dict.fromkeys(names, semantics))
        return semantics

    return register


def lanewise(name: str, width: int, operation: Callable[..., Word], sources: int = 2) -> None:
    """Defines an instruction that calculates each lane from those of its sources."""

    def run(state: State, instruction: Instruction) -> None:
        operands = [lanes(read_vector(state, instruction, 1 + index), width) for index in range(sources)]
        results = [operation(width, *operand) for operand in zip(*operands, strict=True)]
        write_vector(state, instruction, as_bytes(results, width), width // 8)

    VECTORS[name] = run


for _suffix, _width in WIDTHS.items():
    lanewise(f"vpadd{_suffix}", _width, add)
    lanewise(f"vpsub{_suffix}", _width, sub)
for _name, _operation in {"vpand": and_, "vpor": or_, "vpxor": xor}.items():
    for _suffix, _width in {"": 64, "d": 32, "q": 64}.items():
        lanewise(_name + _suffix, _width, _operation)
for _suffix in "dq":
    lanewise(f"vplzcnt{_suffix}", WIDTHS[_suffix], leading_zeros, 1)
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
        if instruction.op_kind(2) == OpKind.IMMEDIATE8:
            count = instruction.immediate8
        else:
            [count] = lanes(read_vector(state, instruction, 2)[:8], 64)
            if not known(count):
                raise Unsupported(f"{instruction}: an unknown count")
        shifted = [operation(width, lane, count) for lane in lanes(read_vector(state, instruction, 1), width)]
        write_vector(state, instruction, as_bytes(shifted, width), width // 8)

    VECTORS[name] = run


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


@defines("vpternlogd", "vpternlogq")
def _ternary_logic(state: State, instruction: Instruction) -> None:
    width, table, results = WIDTHS[mnemonic(instruction)[-1]], instruction.immediate8, []
    for lane in zip(*[lanes(read_vector(state, instruction, operand), width) for operand in range(3)], strict=True):
        # A known mask is applied byte by byte, so that bytes without an effect do not occur.
        step = 8 if any(known(word) for word in lane) else width
        for low in range(0, width, step):
            results += as_bytes([three_inputs(step, *[part(word, low, step) for word in lane], table)], step)
    write_vector(state, instruction, results, width // 8)


@defines("vpshrdvd", "vpshrdvq")
def _funnel_shift(state: State, instruction: Instruction) -> None:
    width = WIDTHS[mnemonic(instruction)[-1]]
    results = []
    for low, high, count in zip(*[lanes(read_vector(state, instruction, index), width) for index in range(3)]):
        count = zero_extend(and_(width, count, width - 1), width, 2 * width)
        results.append(part(shr(2 * width, concat([(width, high), (width, low)]), count), 0, width))
    write_vector(state, instruction, as_bytes(results, width), width // 8)


@defines("vpmultishiftqb")
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


# Permutations.


def _entry(table: list[Any], index: Any) -> Any:
    """Returns the byte of a table at an index of which the low bits count."""
    if known(index):
        return table[index % len(table)]
    if all(known(byte) and byte == table[0] for byte in table):
        return table[0]
    width = 8 * len(table)
    whole = z3.Concat(*[term(byte, 8) for byte in reversed(table)])
    low = z3.ZeroExt(width - 8, term(index, 8) & (len(table) - 1)) << 3
    return Byte(z3.Extract(7, 0, z3.LShR(whole, low)))


@defines("vpermb")
def _permute_bytes(state: State, instruction: Instruction) -> None:
    table = read_vector(state, instruction, 2)
    write_vector(state, instruction, [_entry(table, index) for index in read_vector(state, instruction, 1)])


def _word_at(table: list[Word], index: Word) -> Word:
    if not known(index):
        raise Unsupported("a permutation of words with unknown indices")
    return table[index % len(table)]


@defines("vpermt2q")
def _permute_two(state: State, instruction: Instruction) -> None:
    table = lanes(read_vector(state, instruction, 0), 64) + lanes(read_vector(state, instruction, 2), 64)
    indices = lanes(read_vector(state, instruction, 1), 64)
    write_vector(state, instruction, as_bytes([_word_at(table, index) for index in indices], 64), 8)


@defines("vpermq")
def _permute_words(state: State, instruction: Instruction) -> None:
    if instruction.op_kind(2) == OpKind.IMMEDIATE8:
        _permute_in_fours(state, instruction)
        return
    table = lanes(read_vector(state, instruction, 2), 64)
    indices = lanes(read_vector(state, instruction, 1), 64)
    write_vector(state, instruction, as_bytes([_word_at(table, index) for index in indices], 64), 8)


@defines("vpshufd")
def _permute_in_fours(state: State, instruction: Instruction) -> None:
    width = 32 if mnemonic(instruction) == "vpshufd" else 64
    words, order = lanes(read_vector(state, instruction, 1), width), instruction.immediate8
    results = [words[index // 4 * 4 + (order >> 2 * (index % 4) & 3)] for index in range(len(words))]
    write_vector(state, instruction, as_bytes(results, width), width // 8)


@defines("valignd", "valignq")
def _align(state: State, instruction: Instruction) -> None:
    element = WIDTHS[mnemonic(instruction)[-1]] // 8
    source = read_vector(state, instruction, 2) + read_vector(state, instruction, 1)
    size = len(source) // 2
    start = instruction.immediate8 % (size // element) * element
    write_vector(state, instruction, source[start : start + size], element)


@defines("vshufi64x2")
def _shuffle_quarters(state: State, instruction: Instruction) -> None:
    low, high = read_vector(state, instruction, 1), read_vector(state, instruction, 2)
    if len(low) != 64:
        raise Unsupported(f"{instruction}: a short vector")
    results: list[Any] = []
    for index, source in enumerate((low, low, high, high)):
        results += source[16 * (instruction.immediate8 >> 2 * index & 3) :][:16]
    write_vector(state, instruction, results, 8)


@defines("vextracti128", "vextracti32x4", "vextracti64x4")
def _extract(state: State, instruction: Instruction) -> None:
    size, element = (32, 8) if mnemonic(instruction) == "vextracti64x4" else (16, 4)
    source = read_vector(state, instruction, 1)
    start = instruction.immediate8 % (len(source) // size) * size
    write_vector(state, instruction, source[start : start + size], element)


@defines("vinserti64x4")
def _insert(state: State, instruction: Instruction) -> None:
    into, half = read_vector(state, instruction, 1), read_vector(state, instruction, 2)
    write_vector(state, instruction, into[:32] + half if instruction.immediate8 % 2 else half + into[32:], 8)


@defines("vpbroadcastb", "vpbroadcastw", "vpbroadcastd", "vpbroadcastq", "vbroadcasti32x4")
def _broadcast(state: State, instruction: Instruction) -> None:
    name = mnemonic(instruction)
    size = 16 if name == "vbroadcasti32x4" else WIDTHS[name[-1]] // 8
    front = read_vector(state, instruction, 1)[:size]
    write_vector(state, instruction, front * (vector_size(instruction) // size), min(size, 4) if size == 16 else size)


# Moves and conversions.

_MOVES = {"vmovdqu8": 1, "vmovdqu16": 2, "vmovdqu32": 4, "vmovdqu64": 8, "vmovdqa64": 8, "vmovdqa32": 4}


@defines(*_MOVES, "vmovdqu", "vmovdqa", "vmovups", "vmovaps")
def _move(state: State, instruction: Instruction) -> None:
    element = _MOVES.get(mnemonic(instruction), 4)
    if instruction.op_mask and instruction.op_kind(1) == OpKind.MEMORY:
        if not instruction.zeroing_masking:
            raise Unsupported(f"{instruction}: a masked load that merges")
        index, size = VECTOR_REGISTERS[instruction.op_register(0)]
        bits = [bit for bit in write_mask_of(state, instruction) for _ in range(element)][:size]
        loaded = state.memory.load_masked(state, address_of(state, instruction), bits)
        state.vectors[index] = loaded + [0] * (64 - size)
    else:
        write_vector(state, instruction, read_vector(state, instruction, 1), element)


@defines("movaps", "movups", "movdqa", "movdqu")
def _legacy_move(state: State, instruction: Instruction) -> None:
    source = read_vector(state, instruction, 1)
    if is_register(instruction, 0):  # The rest of the register is kept.
        index, size = VECTOR_REGISTERS[instruction.op_register(0)]
        state.vectors[index] = source + state.vectors[index][size:]
    else:
        write_vector(state, instruction, source)


@defines("vmovd", "vmovq")
def _move_lane(state: State, instruction: Instruction) -> None:
    width = WIDTHS[mnemonic(instruction)[-1]]
    lane = read_vector(state, instruction, 1)[: width // 8]
    if is_register(instruction, 0) and instruction.op_register(0) in VECTOR_REGISTERS:
        state.vectors[VECTOR_REGISTERS[instruction.op_register(0)][0]] = lane + [0] * (64 - width // 8)
    else:
        write(state, instruction, 0, lanes(lane, width)[0])


def _extending(name: str, extend: Callable[[Word, int, int], Word], width: int, to: int) -> None:
    def run(state: State, instruction: Instruction) -> None:
        count = VECTOR_REGISTERS[instruction.op_register(0)][1] // (to // 8)
        source = lanes(read_vector(state, instruction, 1)[: count * width // 8], width)
        write_vector(state, instruction, as_bytes([extend(lane, width, to) for lane in source], to), to // 8)

    VECTORS[name] = run


for _kind, _extend in {"zx": zero_extend, "sx": sign_extend}.items():
    for _pair in ("bw", "bd", "bq", "wd", "wq", "dq"):
        _extending(f"vpmov{_kind}{_pair}", _extend, WIDTHS[_pair[0]], WIDTHS[_pair[1]])


@defines("vpcompressb")
def _compress(state: State, instruction: Instruction) -> None:
    if not is_register(instruction, 0) or not instruction.zeroing_masking or vector_size(instruction) != 64:
        raise Unsupported(f"{instruction}: another form of VPCOMPRESSB")
    bits, source = write_mask_of(state, instruction), read_vector(state, instruction, 1)
    if all(known(bit) for bit in bits):
        kept = [byte for byte, bit in zip(source, bits, strict=True) if bit]
        result = kept + [0] * (64 - len(kept))
    else:
        result = state.compressed(bits, source)
    state.vectors[VECTOR_REGISTERS[instruction.op_register(0)][0]] = result


@defines("vzeroupper")
def _zero_upper(state: State, instruction: Instruction) -> None:
    for index in range(16):
        state.vectors[index] = state.vectors[index][:16] + [0] * 48


# Results in masks.


def _write_compared(state: State, instruction: Instruction, bits: list[Bit]) -> None:
    if instruction.op_mask:
        bits = [both(bit, wanted) for bit, wanted in zip(bits, write_mask_of(state, instruction), strict=False)]
    write_mask(state, instruction, bits)


def _comparing(name: str, width: int, less: Callable[..., Bit], at_most: Callable[..., Bit]) -> None:
    predicates = (lambda a, b: eq(width, a, b), lambda a, b: less(width, a, b), lambda a, b: at_most(width, a, b))

    def run(state: State, instruction: Instruction) -> None:
        predicate = instruction.immediate8 & 7
        if predicate % 4 == 3:
            raise Unsupported(f"{instruction}: a constant predicate")
        bits = [
            predicates[predicate % 4](a, b)
            for a, b in zip(*[lanes(read_vector(state, instruction, operand), width) for operand in (1, 2)])
        ]
        _write_compared(state, instruction, [negate(bit) for bit in bits] if predicate >= 4 else bits)

    VECTORS[name] = run


def _testing(name: str, width: int, any_bit: bool) -> None:
    def run(state: State, instruction: Instruction) -> None:
        operands = [lanes(read_vector(state, instruction, operand), width) for operand in (1, 2)]
        zero = [eq(width, and_(width, a, b), 0) for a, b in zip(*operands, strict=True)]
        _write_compared(state, instruction, [negate(bit) for bit in zero] if any_bit else zero)

    VECTORS[name] = run


for _suffix, _width in WIDTHS.items():
    _comparing(f"vpcmp{_suffix}", _width, slt, sle)
    _comparing(f"vpcmpu{_suffix}", _width, ult, ule)
    _testing(f"vptestm{_suffix}", _width, True)
    _testing(f"vptestnm{_suffix}", _width, False)


@defines("vpcmpgtb")
def _greater(state: State, instruction: Instruction) -> None:
    operands = [lanes(read_vector(state, instruction, operand), 8) for operand in (1, 2)]
    bits = [slt(8, b, a) for a, b in zip(*operands, strict=True)]
    if instruction.op_register(0) in MASK_REGISTERS:
        _write_compared(state, instruction, bits)
    else:
        write_vector(state, instruction, as_bytes([choose(8, bit, 0xFF, 0) for bit in bits], 8))


@defines("vpmovb2m")
def _top_bits(state: State, instruction: Instruction) -> None:
    source = read_vector(state, instruction, 1)
    write_mask(state, instruction, [bit(8, byte if known(byte) else term(byte, 8), 7) for byte in source])
