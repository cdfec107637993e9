"""The AVX-512 decoder, in these steps:

    Stride::step, batch   the values that end in the new bytes of a window; up to 16 windows
    front                 the values that end in up to 64 bytes
    uniform::turn         four vectors of values of one length
    uniform::one_byte_each    64 values of one byte
"""

from typing import Any

import z3

from model.failures import Inconclusive, Refuted
from model.image import Image
from model.terms import Byte, as_bytes, known, lanes, simplified, term

from .avx512_window import INDEX, Numbered
from .executor import ARGUMENTS, LENT, LONGEST, STACK, Path, Region, check, fresh, run
from .loops import again, put
from .notes import NotedPath, joined
from .window import WINDOW, Slices, Window, check_validity, decodable, length_is
from .wire import Integer, value_of

MODULE = "zigzag_varint::simd::avx512::decode::"
# The offsets of what `Stride` holds: a window with its places and masks, the bytes of the next one, and progress.
DATA, STARTS, TOPS, ENDS, VALUES, LONG, DOUBTS, NEXT, AT, DONE, BUSY = (
    0, 64, 128, 192, 200, 208, 216, 256, 384, 392, 400,
)  # fmt: skip
STATE, RESULT = 416, LENT + 512
DOUBT, OTHER, NONE = 1, 3, 4  # of `Option<Stop>`


def top_bytes(integer: Integer) -> int:
    """Returns the mask of the top byte of every lane."""
    return sum(1 << at for at in range(integer.size - 1, WINDOW, integer.size))


# Windows at a fixed stride.


def step(image: Image, integer: Integer, canonical: bool, long: bool) -> None:
    """Writes the values that end in the new bytes of the window, and advances by them. Or it writes nothing, as
    it must if one of these values is invalid."""
    slices, history, size = Slices(integer), integer.longest - 1, integer.size
    stride, count = WINDOW - history, WINDOW // size
    busy, number, at = z3.BitVec("busy", 64), z3.BitVec("N", 64), slices.bytes
    function = f"<{MODULE}fixed_stride::Stride>::step::<{integer.name}, {str(long).lower()}>"

    this, following, third = (
        Numbered(Window(lambda index, name=name: z3.BitVec(f"{name}.{index}", 8), WINDOW), integer, history)
        for name in ("this", "next", "third")
    )

    def content(path: NotedPath, offset: Any, index: int) -> Byte:
        """The only window that is loaded is the third one, or the last one of the source if that is before it."""
        place, last = at + 2 * stride, slices.len - WINDOW
        if index == 0:
            path.prove(offset == z3.If(z3.ULT(last, place), last, place), "loads another window")
        return third.window.bytes[index]

    slices.src.content = content
    facts = [
        *slices.facts, z3.ULE(WINDOW, slices.len), z3.ULE(at, slices.len - WINDOW),
        z3.ULE(1, busy), z3.ULE(busy, WINDOW), z3.ULE(number, busy),
        z3.ULE(slices.values, slices.space), z3.ULE((busy + count - 1) & -count, slices.space - slices.values),
    ]
    arguments = [LENT, *_lanes(integer, long), slices.src.start, slices.len, slices.dst.start, int(canonical)]
    path = NotedPath(image, [slices.src, slices.dst], facts, arguments)
    path.memory.lent = [range(LENT, LENT + STATE)]
    state = {DATA: this.window.bytes + this.invent(path, long)}
    words = {ENDS: this.ends, VALUES: number, LONG: this.long, DOUBTS: this.doubts if long else 0, AT: at}
    words |= {DONE: slices.values, BUSY: busy, STATE - 8: fresh("any_long"), NEXT + 64: following.window.continues}
    state |= {offset: as_bytes([word], 64) for offset, word in words.items()}
    state[NEXT] = following.window.bytes
    for offset, new in state.items():
        path.memory.stack |= {LENT + offset + index: byte for index, byte in enumerate(new)}
    decoded = False
    for after in run(path, image.function(function).address):
        now = [term(after.word(LENT + offset), 64) for offset in (AT, DONE)]
        result = simplified(z3.Extract(31, 0, term(after.get("RAX"), 64)), 32)
        if result not in (DOUBT, OTHER, NONE):
            raise Refuted("an unknown result")
        if result != NONE:
            after.prove(z3.And(now[0] == at, now[1] == slices.values), "progress without values")
            if after.stores:
                raise Refuted("writes in a window that it does not decode")
            continue
        decoded = True
        check_validity(after, integer, this.window, canonical, first=history)
        if not long:
            after.prove(this.long == 0, "a long value is accepted")
        begun = [one == 1 for one in this.window.more[stride - 1 : WINDOW]]
        after.prove(z3.Not(z3.And(*begun)), "an unfinished value that begins before the next window")
        new = []
        for _, offset, part in after.stores:
            after.prove(offset == size * slices.values + len(new), "a store at another place")
            new += part
        after.prove(z3.UGE(len(new) // size, number), "values that are not written")
        this.check_vectors(after, new)
        after.prove(z3.And(now[0] == at + stride, now[1] == slices.values + number), "another progress")
        _check_state(after, LENT, following, third, long)
    if not decoded:
        raise Refuted("decodes nothing")


def _lanes(integer: Integer, long: bool) -> list[int]:
    """Returns the argument for `lanes`, if there is one: short values in lanes of 4 or 2 bytes do not use it."""
    return [top_bytes(integer)] if long or integer.size == 8 else []


def _is_true(path: Path) -> bool:
    """Returns a bool that a function returns."""
    result = simplified(z3.Extract(7, 0, term(path.get("RAX"), 64)), 8)
    if not known(result):
        result = int(check(*path.conditions, result != 0) is not None)
        path.prove(z3.Extract(7, 0, path.get("RAX")) == result, "an unknown result")
    if result not in (0, 1):
        raise Refuted("an unknown result")
    return bool(result)


def _check_state(path: NotedPath, state: int, following: Numbered, third: Numbered, long: bool) -> None:
    """Proves that the state has a window, the bytes of the one after it, and enough busy lanes."""
    count, busy = (term(path.word(state + offset), 64) for offset in (VALUES, BUSY))
    path.prove(z3.And(z3.ULE(1, busy), z3.ULE(busy, WINDOW), z3.ULE(count, busy)), "too few busy lanes")
    path.prove(count == path.count_of(following.ends), "another number of values")
    memory = [path.memory.fixed(state + offset) for offset in range(TOPS + 64)]
    following.find(path, long, memory[STARTS:TOPS], memory[TOPS:])
    words = {ENDS: following.ends, LONG: following.long, DOUBTS: following.doubts if long else 0}
    for offset, word in {**words, NEXT + 64: third.window.continues}.items():
        path.prove(term(path.word(state + offset), 64) == word, f"another mask at {offset}")
    for offset, window in ((DATA, following.window), (NEXT, third.window)):
        for index in INDEX:
            byte = term(path.memory.fixed(state + offset + index), 8)
            path.prove(byte == window.bytes[index].term, f"byte {index} of a window")


def windows(image: Image, integer: Integer, canonical: bool, long: bool) -> None:
    """Begins with the state of the first window. After that, only steps change it."""
    slices, history = Slices(integer), integer.longest - 1
    at, last = slices.bytes - history, slices.len - WINDOW
    this, following = (
        Numbered(Window(lambda index, name=name: z3.BitVec(f"{name}.{index}", 8), WINDOW), integer, history)
        for name in ("this", "next")
    )
    second = at + WINDOW - history
    second = z3.If(z3.ULT(last, second), last, second)

    def content(path: NotedPath, offset: Any, index: int) -> Byte:
        key = term(offset, 64).get_id()
        for place, numbered in ((at, this), (second, following)):
            if key not in loaded and check(*path.conditions, term(offset, 64) != place) is None:
                loaded[key] = (offset, numbered)  # The term is kept, and thus its id.
        if key not in loaded:
            raise Refuted("loads another window")
        return loaded[key][1].window.bytes[index]

    loaded: dict[int, tuple[Any, Numbered]] = {}
    slices.src.content, reached = content, []
    facts = [*slices.facts, slices.within(slices.values, slices.bytes), z3.ULE(history, slices.bytes)]
    path = NotedPath(image, [slices.src, slices.dst], facts, [RESULT, *slices.arguments(), slices.values])
    path.memory.lent = [range(RESULT, RESULT + 40)]
    unspecified = z3.Concat(fresh("unspecified", 56), z3.BitVecVal(canonical, 8))
    for index, word in enumerate((slices.bytes, fresh("patience"), unspecified)):
        put(path, STACK + 8 * index, word)

    def first(path: NotedPath) -> list[Path]:
        passed = [*_lanes(integer, long), slices.src.start, slices.len, slices.dst.start, slices.space, int(canonical)]
        given, state, sp = [path.get(name) for name in ARGUMENTS[2:]], simplified(path.get("RSI")), path.get("RSP")
        given += [path.word(sp + 8 * index) for index in range(len(passed) - len(given) - 1)]
        claims = [term(one, 64) == other for one, other in zip(given, passed[:-1], strict=True)]
        on_stack = sp + 8 * (len(passed) - len(ARGUMENTS) + 1)  # only its lowest byte is specified
        claims.append(term(path.word(on_stack, 8), 8) == passed[-1])
        claims += [term(path.word(state + offset), 64) == word for offset, word in ((AT, at), (DONE, slices.values))]
        path.prove(z3.And(*claims), "another argument")
        _check_state(path, state, this, following, long)
        reached.append(state)
        return []

    types = f"<{integer.name}, {str(long).lower()}>"
    callee = image.function(f"<{MODULE}fixed_stride::Stride>::batch::{types}").address
    for after in run(path, image.function(f"{MODULE}fixed_stride::windows::{types}").address, {callee: first}):
        now = [term(after.word(RESULT + 8 * index), 64) for index in range(2)]
        after.prove(z3.And(now[0] == slices.values, now[1] == slices.bytes), "progress without a window")
    if not reached:
        raise Refuted("no window")


def batch(image: Image, integer: Integer, canonical: bool, long: bool) -> None:
    """Calls `step` where it is allowed to, and has the progress of these calls."""
    slices, size, count = Slices(integer), integer.size, WINDOW // integer.size
    stride, busy = WINDOW - integer.longest + 1, z3.BitVec("busy", 64)
    name = f"<{MODULE}fixed_stride::Stride>::{{}}::<{integer.name}, {str(long).lower()}>"
    facts = [
        *slices.facts, z3.ULE(WINDOW, slices.len), z3.ULE(slices.bytes, slices.len),
        z3.ULE(slices.values, slices.space), z3.ULE(1, busy), z3.ULE(busy, WINDOW),
    ]
    passed = [*_lanes(integer, long), slices.src.start, slices.len, slices.dst.start]
    given = [RESULT, LENT, *passed, slices.space, z3.Concat(fresh("unspecified", 56), z3.BitVecVal(canonical, 8))]
    path = NotedPath(image, [slices.src, slices.dst], facts, given[: len(ARGUMENTS)])
    path.memory.lent = [range(LENT, LENT + STATE), range(RESULT, RESULT + 16)]
    for index, word in enumerate(given[len(ARGUMENTS) :]):
        put(path, STACK + 8 * index, word)
    path.calls.append((slices.bytes, slices.values))
    for offset, word in ((AT, slices.bytes), (DONE, slices.values), (BUSY, busy)):
        put(path, LENT + offset, word)

    def turn(path: NotedPath) -> list[Path]:
        at, values = path.calls[-1]
        now = [term(path.word(LENT + offset), 64) for offset in (AT, DONE, BUSY)]
        claims = [now[0] == at, now[1] == values, z3.ULE(at, slices.len - WINDOW)]
        claims.append(z3.ULE((now[2] + count - 1) & -count, slices.space - values))
        given = [term(path.get(name), 64) for name in ARGUMENTS]
        claims += [one == other for one, other in zip(given, [LENT, *passed], strict=False)]
        claims.append(z3.Extract(7, 0, given[len(passed) + 1]) == int(canonical))
        path.prove(z3.And(*claims), "a turn that is not allowed, or another argument")
        if again(path, range(LENT, LENT + STATE)):
            return []
        # The second turn is that after any number of turns, and stands for all others.
        stops, goes = path.copy(), path.copy()
        turns = z3.ZeroExt(58, z3.BitVec("turns", 6))
        stops.set("RAX", fresh("stop"))
        stops.conditions.append(z3.ULT(term(stops.get("RAX"), 64), NONE))
        new, busy = fresh("values"), fresh("busy")
        goes.conditions += [z3.ULE(1, turns), z3.ULE(turns, 16), z3.ULE(1, busy), z3.ULE(busy, WINDOW)]
        # A turn writes all of its values, to the slots of its vectors.
        goes.conditions += [z3.ULE(new, WINDOW * (turns - 1) + now[2]), z3.ULE(new, slices.space - values)]
        goes.calls.append((z3.simplify(at + stride * turns), z3.simplify(values + new)))
        for offset, word in ((AT, goes.calls[-1][0]), (DONE, goes.calls[-1][1]), (BUSY, busy)):
            put(goes, LENT + offset, word)
        goes.set("RAX", NONE)
        return [stops, goes]

    ends = run(path, image.function(name.format("batch")).address, {image.function(name.format("step")).address: turn})
    for after in ends:
        now = [term(after.word(LENT + offset), 64) for offset in (AT, DONE)]
        after.prove(z3.And(now[0] == after.calls[-1][0], now[1] == after.calls[-1][1]), "another progress")
        if after.stores:
            raise Refuted("stores of its own")
    if max(len(one.calls) for one in ends) == 1:
        raise Refuted("no turn")


def unfinished(image: Image) -> None:
    """Returns the number of continuation bytes at the end, of which there are at most nine: `step` shows that an
    unfinished value begins in the bytes that its window shares with the next one."""
    size, before = z3.BitVec("size", 64), [z3.BitVec(f"before{at}", 8) for at in range(11)]

    def content(path: NotedPath, offset: Any, index: int) -> Byte:
        at = simplified(size - term(offset, 64) - index)
        if not known(at) or at >= len(before):
            raise Inconclusive(f"reads at {offset}")
        return Byte(before[at])

    source = Region("bytes", size, content)
    more = [z3.And(z3.UGE(size, at), before[at] & 0x80 != 0) for at in range(1, 11)]
    facts = [z3.ULE(size, LONGEST), z3.Not(z3.And(*more))]
    path = NotedPath(image, [source], facts, [source.start, size])
    for after in run(path, image.function(f"{MODULE}fixed_stride::unfinished").address):
        count = term(after.get("RAX"), 64)
        right = [z3.Implies(z3.ULT(at, count), one) for at, one in enumerate(more)]
        right += [z3.Implies(count == at, z3.Not(one)) for at, one in enumerate(more)]
        after.prove(z3.And(z3.ULE(count, 9), *right), "another number")


# The front of a source, and values of one length.


def front(image: Image, integer: Integer, canonical: bool) -> None:
    """Writes the values that end in the first 64 bytes, until the destination is full. Or it writes nothing, as
    it must if one of the values is invalid."""
    slices, size, count = Slices(integer), integer.size, WINDOW // integer.size
    length, space = slices.len, slices.space
    bytes_ = [z3.BitVec(f"this.{at}", 8) for at in INDEX]
    # A byte after the end does not end a value.
    window = Window(lambda at: z3.If(z3.ULT(at, length), bytes_[at], z3.BitVecVal(0x80, 8)), WINDOW)
    this = Numbered(window, integer, 0, length)

    def content(path: NotedPath, offset: Any, index: int) -> Byte:
        if simplified(offset) != 0:
            raise Refuted("bytes of another place")
        return Byte(bytes_[index])

    slices.src.content = content
    path = NotedPath(image, [slices.src, slices.dst], slices.facts, [RESULT, *slices.arguments(), int(canonical)])
    path.memory.lent, path.names_zeros, path.store_masks = [range(RESULT, RESULT + 32)], True, {}
    decoded = False
    for after in run(path, image.function(f"{MODULE}front::<{integer.name}>").address):
        if after.word(RESULT) == 0:
            if after.stores:
                raise Refuted("writes and decodes nothing")
            continue
        if after.word(RESULT) != 1:
            raise Inconclusive("an unknown result")
        decoded = True
        check_validity(after, integer, window, canonical)
        values, used, taken = (term(after.word(RESULT + offset), 64) for offset in (8, 16, 24))
        number = after.count_of(this.ends)
        after.prove(values == z3.If(z3.ULT(space, number), space, number), "another number of values")
        if after.stores:
            this.find(after, long=True)
        new = []
        for index, (_, offset, part) in enumerate(after.stores):
            after.prove(offset == len(new), "a store at another place")
            mask = after.store_masks.get(index)
            if mask:
                inside = [bit == z3.ULT(len(new) + at, space * size) for at, bit in enumerate(mask)]
                after.prove(z3.And(*inside), "bytes of slots that are not written")
            new += part
        after.prove(z3.UGE(len(new) // size, values), "values that are not written")
        this.check_vectors(after, new)
        [(zeros, word, leading)] = after.zeros
        after.prove(z3.And(term(word, 64) == taken, leading, used == WINDOW - zeros), "another number of bytes")
        if check(*after.conditions, taken != this.ends) is not None:
            names, source, mask = after.moves[-1]
            first = z3.And(*[bit == z3.ULT(at, values) for at, bit in enumerate(source)])
            after.prove(z3.And(first, joined(mask) == this.ends, joined(names) == taken), "other ends")
        else:
            after.prove(values == number, "ends of values that are not written")
    if not decoded:
        raise Refuted("decodes nothing")


VECTORS = 4  # UNROLL


def turn(image: Image, integer: Integer, canonical: bool, length: int) -> None:
    """Four vectors of values of one length are written, and the progress advances by them; or it does not."""
    slices, size = Slices(integer), integer.size
    values = min(WINDOW // length, WINDOW // size)
    data = [z3.BitVec(f"data{at}", 8) for at in range(VECTORS * WINDOW)]

    def content(path: NotedPath, offset: Any, index: int) -> Byte:
        at = simplified(term(offset, 64) - slices.bytes)
        if not known(at) or at + index >= len(data):
            raise Refuted(f"reads at {offset}")
        return Byte(data[at + index])

    slices.src.content = content
    facts = [*slices.facts, slices.within(slices.values, slices.bytes)]
    table = f"<{MODULE}uniform::Layout>::of::SIZE_{size}"
    layout = image.variable(table) + image.size(table) // integer.longest * (length - 1)
    path = NotedPath(image, [slices.src, slices.dst], facts, [layout, length, *slices.arguments()])
    path.memory.lent = [range(LENT, LENT + 16)]
    for address, word in ((STACK, LENT), (STACK + 8, top_bytes(integer))):
        put(path, address, word)
    for address, word in ((LENT, slices.values), (LENT + 8, slices.bytes)):
        put(path, address, word)
    put(path, STACK + 16, z3.Concat(fresh("unspecified", 56), z3.BitVecVal(canonical, 8)))
    function, decoded = f"{MODULE}uniform::turn::<{integer.name}, {str(length > size).lower()}>", False
    for after in run(path, image.function(function).address):
        now = [term(after.word(LENT + offset), 64) for offset in (0, 8)]
        if not _is_true(after):
            after.prove(z3.And(now[0] == slices.values, now[1] == slices.bytes), "progress without values")
            continue
        decoded = True
        many = VECTORS * values
        after.prove(z3.And(now[0] == slices.values + many, now[1] == slices.bytes + many * length), "another progress")
        check_uniform(after, data[: many * length], integer, canonical, length)
        elements = list[Any]()
        for index, (_, offset, part) in enumerate(after.stores):
            after.prove(offset == size * (slices.values + index * values), "a store at another place")
            elements += lanes(part, integer.bits)[:values]
        check_elements(elements, data, integer, length, many)
    if not decoded:
        raise Refuted("decodes nothing")


def check_uniform(path: Path, data: list[z3.BitVecRef], integer: Integer, canonical: bool, length: int) -> None:
    """Proves that the bytes are valid values of this length."""
    for at in range(0, len(data), length):
        encoding = data[at : at + length]
        right = [length_is(encoding, length), decodable(encoding, integer)]
        path.prove(z3.And(*right, *([encoding[-1] != 0] if canonical and length > 1 else [])), "an invalid value")


def check_elements(elements: list[Any], data: list[z3.BitVecRef], integer: Integer, length: int, count: int) -> None:
    """Proves that the elements are the values of these bytes."""
    if len(elements) != count:
        raise Refuted("another number of elements")
    encoding, proved = [z3.BitVec(f"byte{at}", 8) for at in range(length)], list[z3.BitVecRef]()
    given = [length_is(encoding, length), decodable(encoding, integer)]
    for number, element in enumerate(elements):
        pairs = zip(data[number * length :], encoding, strict=False)
        element = z3.simplify(z3.substitute(term(element, integer.bits), *pairs))
        if not any(element.eq(one) for one in proved):
            if check(*given, element != value_of(encoding, integer)) is not None:
                raise Refuted(f"value {number}")
            proved.append(element)


def one_byte_each(image: Image, integer: Integer) -> None:
    """Writes 64 values of one byte. Or the result is false."""
    data = [z3.BitVec(f"data{at}", 8) for at in INDEX]
    source = Region("input", WINDOW, lambda path, offset, index: Byte(data[offset + index]))
    output = Region("output", WINDOW * integer.size)
    path, decoded = NotedPath(image, [source, output], [], [source.start, output.start]), False
    for after in run(path, image.function(f"{MODULE}uniform::one_byte_each::<{integer.name}>").address):
        if not _is_true(after):
            continue
        decoded = True
        check_uniform(after, data, integer, canonical=False, length=1)
        new: dict[int, Any] = {}
        for _, offset, part in after.stores:
            new |= {simplified(offset) + at: byte for at, byte in enumerate(part)}
        check_elements(lanes([new[at] for at in range(len(new))], integer.bits), data, integer, 1, WINDOW)
    if not decoded:
        raise Refuted("decodes nothing")
