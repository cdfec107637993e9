"""Vector instructions that move bytes: permutations, loads, stores, and conversions, also of SSE2."""

from collections.abc import Callable
from functools import partial
from typing import Any

from iced_x86 import EncodingKind, Instruction, MemorySizeExt, OpKind

from .machine import VECTOR_REGISTERS, WIDTHS, Operands, defines, has_memory, mnemonic
from .terms import Word, as_bytes, choose, kept, known, lanes, ones, part, sign_extend, slt, zero_extend

# Instructions that make each 16 bytes of those of their sources.


def _blocks(name: str, sources: int, element: int, operation: Callable[..., list[Any]], block: int = 16) -> None:
    """Defines an instruction that makes each block of those of its sources, under a write mask of elements. The
    immediate is the last argument of the operation, if there is one."""

    def run(o: Operands) -> None:
        operands, result = o.last(sources), list[Any]()
        immediate = [o.immediate] if o.has_immediate else []
        for at in range(0, len(operands[0]), block):
            result += operation(*[one[at : at + block] for one in operands], *immediate)
        o.write_vector(result, element)

    defines(name)(run)


def _elements(size: int, *sources: list[Any]) -> list[list[Any]]:
    return [source[at : at + size] for source in sources for at in range(0, len(source), size)]


def _flat(elements: list[list[Any]]) -> list[Any]:
    return [byte for element in elements for byte in element]


def _saturated(word: Word, width: int, least: int, most: int) -> Word:
    """Returns the half of a signed word, or the least or greatest number that it can be."""
    above, below = slt(width, most, word), slt(width, word, least & ones(width))
    return part(choose(width, above, most, choose(width, below, least & ones(width), word)), 0, width // 2)


def _packing(name: str, width: int, least: int, most: int) -> None:
    def pack(a: list[Any], b: list[Any]) -> list[Any]:
        return as_bytes([_saturated(word, width, least, most) for word in lanes(a + b, width)], width // 2)

    _blocks(name, 2, 1, pack)


def _interleaving(name: str, size: int, start: int) -> None:
    """Defines an instruction that takes elements in turn from both sources, eight bytes of each."""
    _blocks(name, 2, size, lambda a, b: _flat(_flat(zip(*[_elements(size, one[start : start + 8]) for one in (a, b)]))))


def _in_order(size: int, source: list[Any], order: int) -> list[Any]:
    """Returns four elements, each of which two bits select."""
    elements = _elements(size, source)
    return _flat([elements[order >> 2 * index & 3] for index in range(4)])


def _blend(size: int, a: list[Any], b: list[Any], which: int) -> list[Any]:
    return _flat([(b if which >> at // size & 1 else a)[at : at + size] for at in range(0, len(a), size)])


def _insert(into: list[Any], element: list[Any], which: int) -> list[Any]:
    at = which * len(element) % len(into)
    return into[:at] + element + into[at + len(element) :]


def _insert_lowest(size: int, into: list[Any], word: list[Any], which: int) -> list[Any]:
    return _insert(into, word[:size], which)


def _extract(size: int, source: list[Any], which: int) -> list[Any]:
    return source[which * size % len(source) :][:size]


_packing("vpackssdw", 32, -0x8000, 0x7FFF)
_packing("vpackusdw", 32, 0, 0xFFFF)
_packing("vpacksswb", 16, -0x80, 0x7F)
_packing("vpackuswb", 16, 0, 0xFF)
for _pair in ("bw", "wd", "dq", "qdq"):
    _interleaving(f"vpunpckl{_pair}", WIDTHS[_pair[0]] // 8, 0)
    _interleaving(f"vpunpckh{_pair}", WIDTHS[_pair[0]] // 8, 8)
_interleaving("vunpcklps", 4, 0)
_blocks("vshufps", 2, 4, lambda a, b, order: _in_order(4, a, order)[:8] + _in_order(4, b, order)[8:])
_blocks("vpblendw", 2, 2, partial(_blend, 2))
_blocks("vpblendd", 2, 4, partial(_blend, 4), 32)
_blocks("vpshufd", 1, 4, lambda source, order: _in_order(4, source, order))
for _name in "vpermq", "vpermpd":
    _blocks(_name, 1, 8, lambda source, order: _in_order(8, source, order), 32)
_blocks("vpshuflw", 1, 2, lambda source, order: _in_order(2, source[:8], order) + source[8:])
_blocks("vpalignr", 2, 1, lambda high, low, count: (low + high + [0] * 32)[min(count, 32) :][:16])
_blocks("vpsrldq", 1, 1, lambda source, count: (source + [0] * 16)[min(count, 16) :][:16])
_blocks("vpslldq", 1, 1, lambda source, count: ([0] * 16 + source)[16 - min(count, 16) :][:16])
for _suffix, _width in WIDTHS.items():
    _blocks(f"vpinsr{_suffix}", 2, _width // 8, partial(_insert_lowest, _width // 8))
# These are of whole vectors.
_blocks("vinserti128", 2, 4, _insert, 32)
_blocks("vinserti64x4", 2, 8, _insert, 64)
_blocks("valignq", 2, 8, lambda high, low, count: (low + high)[count * 8 % len(low) :][: len(low)], 64)
_blocks("vextracti128", 1, 4, partial(_extract, 16), 32)
_blocks("vextracti32x4", 1, 4, partial(_extract, 16), 64)
_blocks("vextracti64x4", 1, 8, partial(_extract, 32), 64)


@defines("vpshufb")
def _shuffle_bytes(o: Operands) -> None:
    """In each 16 bytes, a byte selects another one, or zero if its bit 7 is set."""
    blocks, new = _elements(16, o.last(2)[0]), list[Any]()
    for at, which in enumerate(o.last(1)[0]):
        block = blocks[at // 16]
        new.append((0 if which >> 7 else block[which % 16]) if known(which) else o.state.chosen(o.name, block, which))
    o.write_vector(new)


# Permutations of whole vectors.


def _permuting(name: str, order: int, *tables: int) -> None:
    """Defines an instruction whose elements are those of tables that indices select. These are operands by number."""
    size = WIDTHS[name[-1]] // 8

    def run(o: Operands) -> None:
        table, new = _flat([o.vector(one) for one in tables]), list[Any]()
        is_constant = all(known(byte) and byte == table[0] for byte in table)
        for index in lanes(o.vector(order), 8 * size):
            if known(index) or is_constant:
                new += _elements(size, table)[index % (len(table) // size) if known(index) else 0]
            elif size == 1:
                new.append(o.state.chosen(o.name, table, index))
            else:
                raise o.unsupported("an unknown order")
        o.write_vector(new, size)

    defines(name)(run)


_permuting("vpermb", 1, 2)
_permuting("vpermd", 1, 2)
_permuting("vpermi2b", 0, 1, 2)
_permuting("vpermi2q", 0, 1, 2)
_permuting("vpermt2q", 1, 0, 2)


@defines("vpextrd", "vpextrq")
def _extract_lane(o: Operands) -> None:
    words = lanes(o.vector(1), WIDTHS[o.name[-1]])
    o.write(0, words[o.immediate % len(words)])


_SIZES = {"vbroadcasti32x4": 16, "vbroadcasti128": 16, "vbroadcastss": 4, "vbroadcastsd": 8}
_SIZES |= {f"vpbroadcast{suffix}": width // 8 for suffix, width in WIDTHS.items()}


@defines(*_SIZES)
def _broadcast(o: Operands) -> None:
    size = _SIZES[o.name]
    o.write_vector(o.vector(1)[:size] * (o.vector_size() // size), 4 if size == 16 else size)


@defines("vpcompressb")
def _compress(o: Operands) -> None:
    if o.register(0) not in VECTOR_REGISTERS or not o.instruction.zeroing_masking or o.vector_size() != 64:
        raise o.unsupported("another form of VPCOMPRESSB")
    bits, source = o.write_mask(), o.vector(1)
    result = kept(source, bits) if all(known(bit) for bit in bits) else o.state.chosen(o.name, source, bits)
    o.state.vectors[VECTOR_REGISTERS[o.register(0)][0]] = result


# Moves and conversions.

ALIGNED = {"vmovdqa": 4, "vmovdqa32": 4, "vmovdqa64": 8, "vmovaps": 4, "movdqa": 4, "movaps": 4}
UNALIGNED = {"vmovdqu8": 1, "vmovdqu16": 2, "vmovdqu32": 4, "vmovdqu64": 8, "vmovdqu": 4, "vmovups": 4, "movdqu": 4, "movups": 4}
_ELEMENTS = ALIGNED | UNALIGNED


def needs_alignment(instruction: Instruction) -> bool:
    """Whether the operand in memory must be aligned: in SSE any, unless unaligned data is moved."""
    name, size = mnemonic(instruction), MemorySizeExt.size(instruction.memory_size)
    is_sse = instruction.encoding == EncodingKind.LEGACY and size == 16 and name not in (*UNALIGNED, "lea", "nop")
    return has_memory(instruction) and (is_sse or name in ALIGNED)


@defines(*_ELEMENTS)
def _move(o: Operands) -> None:
    if not o.instruction.op_mask or o.instruction.op_kind(1) != OpKind.MEMORY:
        o.write_vector(o.vector(1), _ELEMENTS[o.name])
        return
    if not o.instruction.zeroing_masking:
        raise o.unsupported("a masked load that merges")
    index, size = VECTOR_REGISTERS[o.register(0)]
    loaded = o.state.load_masked(o.address(), o.byte_mask(_ELEMENTS[o.name], size))
    o.state.vectors[index] = loaded + [0] * (64 - size)


@defines("vmovd", "vmovq", "movss", "movsd", "movlps")
def _move_lane(o: Operands) -> None:
    """The rest of a register becomes zero, but "movss" and "movsd" between registers leave it. "movlps" is modelled for
    stores."""
    is_store = o.instruction.op_kind(0) == OpKind.MEMORY
    if o.name in ("movss", "movsd", "movlps") and is_store != (o.name == "movlps"):
        raise o.unsupported("another move")
    size = 4 if o.name in ("vmovd", "movd", "movss") else 8
    lane = o.vector(1)[:size]
    if o.register(0) in VECTOR_REGISTERS:
        leaves = o.name in ("movss", "movsd") and o.instruction.op_kind(1) != OpKind.MEMORY
        o.write_vector(lane + (o.vector(0)[size:16] if leaves else [0] * (16 - size)))
    else:
        o.write(0, lanes(lane, 8 * size)[0])


def _extending(name: str, extend: Callable[[Word, int, int], Word], width: int, to: int) -> None:
    def run(o: Operands) -> None:
        count = VECTOR_REGISTERS[o.register(0)][1] // (to // 8)
        source = lanes(o.vector(1)[: count * width // 8], width)
        o.write_vector(as_bytes([extend(lane, width, to) for lane in source], to), to // 8)

    defines(name)(run)


for _kind, _extend in {"zx": zero_extend, "sx": sign_extend}.items():
    for _pair in ("bw", "bd", "bq", "wd", "wq", "dq"):
        _extending(f"vpmov{_kind}{_pair}", _extend, WIDTHS[_pair[0]], WIDTHS[_pair[1]])


@defines("vpmovqd")
def _truncate(o: Operands) -> None:
    source = o.vector(1)
    o.write_vector([byte for at in range(0, len(source), 8) for byte in source[at : at + 4]], 4)


@defines("vzeroupper")
def _zero_upper(o: Operands) -> None:
    for index in range(16):
        o.state.vectors[index] = o.state.vectors[index][:16] + [0] * 48
