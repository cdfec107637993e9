"""What contracts share: names for what depends on an unknown mask, encodings and their values, a window with its masks,
slices, and steps."""

import functools
import random
from collections.abc import Callable, Container, Iterable, Iterator, Mapping, Sequence
from typing import Any

import z3

from model.image import Image, Inconclusive, Refuted
from model.terms import Byte, Word, known, lanes, part, simplified, term, zero_extend

from .executor import LENT, LONGEST, Contract, Path, Region, run
from .questions import check, fresh, prove, subterms, variables
from .wire import Integer, is_last, value_of

WINDOW, REACH, SLACK = 64, 81, 16  # of simd/avx2/decode/window.rs
SAMPLES = 8  # values of a word with a name, besides its edges

Content = Callable[[Any, Any, int], Byte]

CANONICAL = z3.Bool("canonical")  # an argument, which a proof leaves open, so that it is about both kinds of decoding
DOUBLE_PUMPED = z3.Bool("double_pumped")  # the same of AVX-512's decoder: the kind of CPU


# Names.


class NotedPath(Path):
    """A path on which results that depend on an unknown mask have names, with notes of what they are. `rows`: by name,
    the address of the row and the offset in it. `shuffles`: by name, the bytes and the byte that selects one. `packs`:
    the names of bytes that are compressed, the mask and the source. `moves`: the names of bits, the source and the mask
    of PEXT or PDEP. `ones` and `zeros`: the number, the word, and whether leading zeros are meant."""

    def __init__(self, *arguments: Any) -> None:
        super().__init__(*arguments)
        self.rows: dict[str, tuple[z3.BitVecRef, int]] = {}
        self.shuffles: dict[str, tuple[list[Any], Any]] = {}
        self.packs: list[tuple[list[Byte], list[Any], list[Any]]] = []
        self.moves: list[tuple[list[z3.BoolRef], list[Any], list[Any]]] = []
        self.ones: list[tuple[z3.BitVecRef, z3.BitVecRef]] = []
        self.counts: list[tuple[z3.BitVecRef, z3.BitVecRef]] = []  # numbers of ones that have names before, as in `ones`
        self.zeros: list[tuple[z3.BitVecRef, z3.BitVecRef, bool]] = []
        self.quotients: list[tuple[Any, int, Any]] = []  # with the divisor and the dividend
        self.calls: list[Any] = []
        self.kept: dict[int, Any] = {}  # bytes that only calls may change
        self.loop: dict[int, Any] = {}  # by the place of a call, the state from which the path has gone on
        self.names_zeros = False
        self.meaning: Callable[[NotedPath, z3.BitVecRef, z3.BitVecRef], list[z3.BoolRef]] | None = None

    def chosen(self, name: str, source: Any, by: Any) -> Any:
        if name == "popcnt":
            return self._number_of_ones(source, by)
        if name not in ("vpcompressb", "pext", "pdep"):
            byte = fresh("shuffled", 8)
            self.shuffles[str(byte)] = (source, by)
            return Byte(byte)
        if name == "vpcompressb":
            names = [Byte(fresh("packed", 8)) for _ in source]
            self.packs.append((names, list(by), list(source)))
            return list(names)
        bits = [z3.Bool(str(fresh("bit"))) for _ in source]
        self.moves.append((bits, source, by))
        return list(bits)

    def _number_of_ones(self, value: Any, width: int) -> z3.BitVecRef:
        whole = z3.simplify(zero_extend(value, width, 64))
        bits = [simplified(z3.Extract(index, index, whole), 1) for index in range(64)]
        unknown, least = sum(not known(bit) for bit in bits), sum(known(bit) and bit == 1 for bit in bits)
        named = next((name for name, word in self.counts if check(whole != word) is None), None)
        count = name_of("ones", whole) if named is None else named
        self.ones.append((count, whole))
        self.assume(count, whole, int.bit_count, z3.ULE(least, count), z3.ULE(count, least + unknown))
        if self.meaning and named is None:
            self.conditions += self.meaning(self, count, whole)
        return part(count, 0, width)

    def assume(self, name: z3.BitVecRef, word: z3.BitVecRef, number: Callable[[int], int], *claims: z3.BoolRef) -> None:
        """Assumes claims about a name, which stands for a number of a word, unless one is false for some values."""
        self.conditions += claims
        for given in _samples(word):
            value = number(z3.simplify(z3.substitute(word, *given)).as_long())
            for claim in claims:
                if not z3.is_true(z3.simplify(z3.substitute(claim, *given, (name, z3.BitVecVal(value, 64))))):
                    raise Inconclusive(f"near {self.address:#x}: {claim} is assumed, but {name} can be {value}")

    def keep(self, addresses: Iterable[int]) -> None:
        """Remembers what a call has left there, which only calls may change."""
        self.kept = {at: self.fixed(at) for at in addresses}

    def check_kept(self, addresses: Iterable[int]) -> None:
        """Proves that a call finds what the one before it has left there."""
        if any(at not in self.kept or self.stack[at] is not self.kept[at] for at in addresses):
            raise Refuted("not what the last call has left")

    def number_of_zeros(self, value: Any, width: int, leading: bool) -> Word:
        if width < 64 or known(value) or not self.names_zeros:
            return super().number_of_zeros(value, width, leading)
        zeros = name_of("leading" if leading else "trailing", value)
        self.zeros.append((zeros, value, leading))
        self.assume(zeros, value, lambda number: zeros_of(number, leading), z3.ULE(zeros, 64))
        return zeros

    def high_product(self, a: Word, b: Word, width: int) -> Word:
        """The compiler divides by a constant with a product and a shift. The quotient has a name."""
        value, factor = (b, a) if known(a) else (a, b)
        found = _divisions(factor) if known(factor) and width == 64 else []
        if not found:
            return super().high_product(a, b, width)
        high = fresh("high")
        for divisor, shift in found:
            quotient = z3.LShR(high, shift)
            self.quotients.append((quotient, divisor, value))
            claims = z3.ULE(quotient, (1 << 64) // divisor), z3.ULE(divisor * quotient, value)
            self.assume(high, value, lambda number: factor * number >> 64, *claims, z3.ULT(value - divisor * quotient, divisor))
        return high

    def table(self, address: Word, size: int) -> list[Any]:
        """Returns a row of a table, which a mask selects. A single byte is at most the greatest in its table."""
        base = simplified(z3.substitute(address, *[(one, z3.BitVecVal(0, one.size())) for one in variables(address)]))
        row, constants = [fresh("row", 8) for _ in range(size)], self.image.constants(base)
        self.prove(z3.ULE(address - constants.start, len(constants) - size), "reads something other than constants")
        if size == 1:
            self.prove(z3.ULE(address - base, 255), "an entry of another table")
            self.conditions.append(z3.ULE(row[0], max(self.image.constant(base, 256))))
        self.rows |= {str(byte): (address, index) for index, byte in enumerate(row)}
        return [Byte(byte) for byte in row]

    def count_of(self, word: z3.BitVecRef) -> z3.BitVecRef:
        """Returns the name of the number of ones of a word."""
        for count, whole in self.ones:
            if whole.eq(word) or check(whole != word) is None:
                return count
        raise Refuted("not the number of ones that is meant")

    def row_of(self, shuffled: Any) -> tuple[z3.BitVecRef, int]:
        """Returns the row from which the control of a shuffled byte is, and its offset in it."""
        note = self.shuffles.get(str(term(shuffled, 8)))
        row = self.rows.get(str(term(note[1], 8))) if note else None
        if row is None:
            raise Refuted(f"not a byte that a table selects: {shuffled}")
        return row

    def shuffled_byte(self, shuffled: Any, row: int) -> Any:
        """Returns what a shuffled byte is if its control is in this row of a table."""
        source, _ = self.shuffles[str(term(shuffled, 8))]
        which = self.fixed(row + self.row_of(shuffled)[1])
        return 0 if which >> 7 else source[which & 15]


class TablePath(NotedPath):
    """A path on which an entry of a table is what the table has."""

    table = Path.table


def zeros_of(word: int, leading: bool) -> int:
    """Returns the number of leading or trailing zeros of 64 bits."""
    return 64 - word.bit_length() if leading or not word else (word & -word).bit_length() - 1


@functools.cache
def _samples(word: z3.BitVecRef) -> list[list[tuple[Any, Any]]]:
    """Returns values for the unknowns of a word: no bit is set, all are, and some are."""
    unknown, source = [one for one in subterms(word) if one.decl().kind() == z3.Z3_OP_UNINTERPRETED], random.Random(1)
    draws: list[Callable[[int], int]] = [lambda _: 0, lambda width: (1 << width) - 1, *[source.getrandbits] * SAMPLES]

    def value(one: Any, draw: Callable[[int], int]) -> Any:
        return z3.BoolVal(draw(1) == 1) if z3.is_bool(one) else z3.BitVecVal(draw(one.size()), one.size())

    return [[(one, value(one, draw)) for one in unknown] for draw in draws]


@functools.cache
def _divisions(factor: int) -> list[tuple[int, int]]:
    """Returns by what every word is divided, rounded down, if it is multiplied by this factor and 2^-64, and shifted to
    the right by the second number. It is proved with integers, as the solver has no answer with bits."""
    word, quotient, rest = z3.Ints("word quotient rest")
    found = list[tuple[int, int]]()
    for shift in range(4 * (factor > 0)):
        unit, solver = 1 << 64 + shift, z3.Solver()
        divisor = unit // factor + 1
        solver.add(0 <= word, word < 1 << 64, factor * word == unit * quotient + rest, 0 <= rest, rest < unit)
        solver.add(z3.Not(z3.And(divisor * quotient <= word, word < divisor * (quotient + 1))))
        if solver.check() == z3.unsat:
            found.append((divisor, shift))
    return found


@functools.cache
def name_of(what: str, word: z3.BitVecRef) -> z3.BitVecRef:
    """Returns the name of a number of ones or zeros of this word, on all paths."""
    return fresh(what)


# Bytes and values.


def unknown_bytes(name: str, count: int) -> list[z3.BitVecRef]:
    return [z3.BitVec(f"{name}{at}", 8) for at in range(count)]


def continued(integer: Integer, more: int, count: int) -> list[z3.BitVecRef]:
    """Returns bytes that begin with this number of continuation bytes, and no others if these are less than the longest
    encoding has."""
    tops = [1] * more + [0] * (more < integer.longest)
    data = [z3.Concat(z3.BitVecVal(top, 1), z3.BitVec(f"group{at}", 7)) for at, top in enumerate(tops)]
    return data + unknown_bytes("byte", count)[len(data) :]


def content_of(data: Sequence[Any], base: Any = 0) -> Content:
    """Returns the content of a region that has these bytes from `base` on. Others are not read."""
    return content_at(lambda _: [(base, data)])


def content_at(places: Callable[[Any], Iterable[tuple[Any, Sequence[Any]]]]) -> Content:
    """Returns the content of a region in which a path knows the bytes from some places on. Others are not read."""

    def content(path: Path, offset: Any, index: int) -> Byte:
        offset, now = term(offset, 64), list(places(path))
        for base, data in [*(one for owner, *one in path.found if owner is places), *now]:
            at = simplified(offset - base)
            if known(at) and at + index < len(data):
                byte = data[at + index]
                return byte if isinstance(byte, Byte) else Byte(z3.simplify(byte))
        for base, data in now:
            if index < len(data) and check(*path.conditions, offset != base) is None:
                path.found.append((places, offset, data))
                return content(path, offset, index)
        raise Inconclusive(f"near {path.address:#x}: reads at {offset}")

    return content


def stored(path: Path, size: int, base: Any = 0, within: range | None = None) -> list[Any]:
    """Returns the bytes that are stored from `base` on, which are these and no others, unless they are `within`."""
    found: dict[int, Any] = {}
    path.look()
    for _, offset, new in path.stores:
        at = path.number(offset - base)
        found |= {at + index: byte for index, byte in enumerate(new)}
    if not set(range(size)) <= set(found) or not set(found) <= set(within or range(size)):
        raise Refuted(f"stores bytes {sorted(found)} of {size}")
    return [found[at] for at in range(size)]


def length_is(encoding: Sequence[z3.BitVecRef], length: int) -> z3.BoolRef:
    """Whether the encoding that begins here has this length."""
    return z3.And(*[z3.Not(is_last(byte)) for byte in encoding[: length - 1]], is_last(encoding[length - 1]))


def decodable(encoding: Sequence[z3.BitVecRef], integer: Integer) -> z3.BoolRef:
    """Whether the kernel decodes an encoding of this length: it is valid, and a tenth byte is not 0. The others
    are left to the scalar loop."""
    if len(encoding) < integer.longest:
        return z3.BoolVal(True)
    return encoding[-1] == 1 if integer.longest == 10 else z3.ULE(encoding[-1], integer.last)


BYTES = unknown_bytes("byte", 16)


class Elements:
    """Elements that are values. The same formula is proved once."""

    def __init__(self, integer: Integer) -> None:
        self.integer, self.proved = integer, list[z3.BitVecRef]()

    def check(
        self, element: Any, names: Iterable[tuple[Any, Any]], lengths: Iterable[int], *facts: Any, encoding: Any = BYTES
    ) -> None:
        """Proves that an element is the value of the encoding that begins here, for each of these lengths. The
        element has the bytes of the encoding under other names."""
        element = z3.simplify(z3.substitute(term(element, self.integer.bits), *names))
        if any(element.eq(one) for one in self.proved):
            return
        for length in lengths:
            given = [length_is(encoding, length), decodable(encoding[:length], self.integer), *facts]
            prove(element == value_of(encoding[:length], self.integer), f"a value of {length} bytes", *given)
        self.proved.append(element)


def check_uniform(
    path: Path, elements: Sequence[Any], data: Sequence[z3.BitVecRef], integer: Integer, length: int, canonical: Any
) -> None:
    """Proves that these bytes are valid values of one length, and that the elements are these values."""
    values = Elements(integer)
    for at, element in zip(range(0, len(data), length), elements, strict=True):
        own = data[at : at + length]
        overlong = z3.And(canonical, own[-1] == 0) if length > 1 else False
        path.prove(z3.And(length_is(own, length), decodable(own, integer), z3.Not(overlong)), "an invalid value")
        values.check(element, zip(own, BYTES[:length], strict=True), [length])


def check_advance(
    path: Path, slices: "Slices", data: Sequence[z3.BitVecRef], length: int, canonical: Any, spill: int = 0,
    decoded: int = 0,
) -> None:  # fmt: skip
    """Proves that a step has decoded valid values of one length, which are these bytes from the progress on, and has
    advanced by them, or by at least one of `decoded`. At most `spill` bytes after the values are written too."""
    integer, advance = slices.integer, path.word(LENT) - slices.values
    count = decoded or path.number(advance)
    path.prove(z3.And(z3.ULE(1, advance), z3.ULE(advance, count)), "another number of values")
    path.expect(LENT, slices.values + advance, slices.bytes + advance * length)
    size, first = integer.size * count, integer.size * slices.values
    elements = lanes(stored(path, size, first, range(size + spill)), integer.bits)
    check_uniform(path, elements, data[: count * length], integer, length, canonical)


# Windows.


class Window:
    """The bytes from a place on, and which of them end values."""

    def __init__(self, byte: Callable[[int], z3.BitVecRef], reach: int = REACH) -> None:
        self.bytes = [Byte(byte(index)) for index in range(reach)]
        self.more = [z3.simplify(z3.Extract(7, 7, one.term)) for one in self.bytes]
        self.continues = z3.Concat(*reversed(self.more[:WINDOW]))
        self.ends = ~self.continues
        self.starts = self.ends << 1 | 1

    @classmethod
    def unknown(cls, name: str = "", reach: int = REACH) -> "Window":
        return cls(lambda at: z3.Concat(z3.BitVec(f"{name}c{at}", 1), z3.BitVec(f"{name}p{at}", 7)), reach)

    def put(self, path: Path, at: int) -> None:
        """Puts a `Window` of the code at this address."""
        path.stack |= {at + index: byte for index, byte in enumerate(self.bytes[:WINDOW])}
        path.put(at + WINDOW, self.continues)

    def check_at(self, path: Path, at: int) -> None:
        """Proves that the `Window` at this address is this one."""
        for index in range(WINDOW):
            path.prove(term(path.fixed(at + index), 8) == self.bytes[index].term, f"byte {index} of a window")
        path.expect(at + WINDOW, self.continues, what="the mask of a window")


def overlong(window: Window, carried: Any = False) -> list[z3.BoolRef]:
    """Returns for each byte of a window whether canonical decoding must not accept it. `carried`: whether the byte
    before the window is a continuation byte."""
    before = [carried, *(more == 1 for more in window.more[: WINDOW - 1])]
    return [z3.And(CANONICAL, more, byte.term == 0) for more, byte in zip(before, window.bytes, strict=False)]


def check_validity(path: Path, integer: Integer, window: Window, first: int = 0) -> None:
    """Every value that ends in the window, from byte `first` on, has at most the longest length, and is valid."""
    path.prove(z3.Not(_has_invalid(integer, window, first)), "an invalid value is accepted")


@functools.cache
def _has_invalid(integer: Integer, window: Window, first: int) -> z3.BoolRef:
    wrong, longest = overlong(window)[first:], integer.longest
    for end in range(first, WINDOW):
        byte, is_end = window.bytes[end].term, window.more[end] == 0
        more = [window.more[at] == 1 for at in reversed(range(end))]
        if len(more) >= longest:
            wrong.append(z3.And(is_end, *more[:longest]))
        if len(more) >= longest - 1:
            wrong.append(z3.And(is_end, *more[: longest - 1], z3.Not(decodable([byte] * longest, integer))))
    return z3.Or(*wrong)


# Slices, and steps in them.


class Slices:
    """A source and a destination of any length, and progress in them."""

    def __init__(self, integer: Integer) -> None:
        self.integer = integer
        self.len, self.space, self.values, self.bytes = z3.BitVecs("len space values bytes", 64)
        self.read = z3.Function("source", z3.BitVecSort(64), z3.BitVecSort(8))
        self.src = Region("src", self.len, lambda path, offset, index: Byte(self.byte(term(offset, 64) + index)))
        self.dst = Region("dst", self.space * integer.size)
        self.at = self.values, self.bytes
        self.arguments = [self.src.start, self.len, self.dst.start, self.space]
        self.sizes = [z3.ULE(self.len, LONGEST), z3.ULE(self.space, LONGEST // integer.size)]
        self.facts = [*self.sizes, self.within(*self.at)]

    def byte(self, offset: Any) -> z3.BitVecRef:
        return self.read(z3.simplify(offset))

    def window(self, at: Any) -> Window:
        return Window(lambda index: self.byte(at + index))

    def within(self, values: Any, bytes_: Any) -> z3.BoolRef:
        return z3.And(z3.ULE(values, self.space), z3.ULE(bytes_, self.len))

    def rest(self, values: Any, bytes_: Any) -> list[Any]:
        """Returns what is left of the slices after this progress, as it is passed."""
        source, slots = self.src.start + bytes_, self.dst.start + self.integer.size * values
        return [source, self.len - bytes_, slots, self.space - values]

    def unknown_progress(self, path: NotedPath) -> tuple[Any, Any]:
        """Returns the progress after something that goes on within the slices."""
        new = fresh("values"), fresh("bytes")
        path.conditions.append(self.within(*new))
        return new

    def advance(self, path: NotedPath, state: int, words: Callable[..., Sequence[Any]] = lambda *at: at) -> None:
        """Goes on after a step that advances to any progress, whose words are then the state at this address."""
        path.calls = [self.unknown_progress(path)]
        path.put(state, *words(*path.calls[0]))

    def step(self, path: NotedPath, state: int, *at: Any) -> list[Path]:
        """Returns the paths after a step that has this progress at an address: without progress, or with any."""
        path.expect(state, *at)
        none = path.copy().returning(0)
        none.calls.append("none")
        self.advance(path, state)
        return [none, path.returning(1)]

    def path(self, image: Image, arguments: Sequence[Any], *facts: z3.BoolRef) -> NotedPath:
        """Returns the state at the start of a function with these arguments."""
        return NotedPath(image, [self.src, self.dst], [*self.facts, *facts], arguments)


def kinds(path: Path, found: Container[bool] = ()) -> set[bool]:
    """Returns the kinds of decoding, lenient and canonical, of which this path can be, besides those that were found."""
    missing = [kind for kind in (False, True) if kind not in found]
    return {kind for kind in missing if check(*path.conditions, CANONICAL == kind) is not None}


def check_no_stores(path: Path) -> None:
    if path.stores:
        raise Refuted("stores of its own")


def decoding_ends(
    path: NotedPath, function: int, progress: Sequence[Any], at: int = LENT,
    calls: Mapping[int, Contract] | None = None, is_good: Callable[[Any], bool] = Path.is_true, stores: bool = False,
    ends_of: Callable[..., list[Any]] = run,
) -> Iterator[NotedPath]:  # fmt: skip
    """Runs a step, and yields its ends with values, of which there is one in both kinds of decoding. The others have the progress
    as before at this address, and no store, unless values of which none counts may be stored."""
    decoded = set[bool]()
    for after in ends_of(path, function, calls):
        if is_good(after):
            decoded |= kinds(after, decoded)
            yield after
            continue
        after.expect(at, *progress, what="progress without values")
        if (after.stores or after.calls) and not stores:
            raise Refuted("stores without progress")
    if len(decoded) < 2:
        raise Refuted("decodes nothing")
