"""Paths on which results that depend on an unknown mask have names: a byte that is shuffled, a row of a table,
a number of ones or zeros, what is compressed. Each has a note of what it is, which a contract uses."""

from collections.abc import Callable
from typing import Any

import z3

from model.failures import Inconclusive, Refuted
from model.terms import Byte, Word, known, simplified, simplified_bit, term

from .executor import Path, check, fresh, variables


class NotedPath(Path):
    """`rows`: by name, the address of the row and the offset in it. `shuffles`: by name, the bytes and the byte
    that selects one. `packs`: the names of bytes that are compressed, the mask and the source. `moves`: the
    names of bits, the source and the mask of PEXT or PDEP. `ones` and `zeros`: the number, the word, and whether
    leading zeros are meant."""

    asks_for_all = False  # The names are unknowns too, about which the question is not.

    def __init__(self, *arguments: Any) -> None:
        super().__init__(*arguments)
        self.rows: dict[str, tuple[z3.BitVecRef, int]] = {}
        self.shuffles: dict[str, tuple[list[Any], Any]] = {}
        self.packs: list[tuple[list[Byte], list[Any], list[Any]]] = []
        self.moves: list[tuple[list[z3.BoolRef], list[Any], list[Any]]] = []
        self.ones: list[tuple[z3.BitVecRef, z3.BitVecRef]] = []
        self.zeros: list[tuple[z3.BitVecRef, z3.BitVecRef, bool]] = []
        self.calls: list[Any] = []
        self.loop: dict[int, list[Any]] = {}  # by the place of a call of a step, what must not change
        self.names_zeros = False
        self.meaning: Callable[[NotedPath, z3.BitVecRef, z3.BitVecRef], list[z3.BoolRef]] | None = None

    def copy(self) -> "NotedPath":
        other = super().copy()
        other.rows, other.shuffles = dict(self.rows), dict(self.shuffles)
        other.packs, other.moves = list(self.packs), list(self.moves)
        other.ones, other.zeros, other.calls = list(self.ones), list(self.zeros), list(self.calls)
        return other

    def number_of_ones(self, value: Any, width: int) -> z3.BitVecRef:
        whole = z3.ZeroExt(64 - width, value) if width < 64 else value
        count, whole = fresh("ones"), z3.simplify(whole)
        bits = [simplified(z3.Extract(index, index, whole), 1) for index in range(64)]
        unknown = sum(not known(bit) for bit in bits)
        least = sum(known(bit) and bit == 1 for bit in bits)
        self.ones.append((count, whole))
        self.conditions += [z3.ULE(least, count), z3.ULE(count, least + unknown)]
        if self.meaning:
            self.conditions += self.meaning(self, count, whole)
        return z3.Extract(width - 1, 0, count) if width < 64 else count

    def number_of_zeros(self, value: Any, width: int, leading: bool) -> Word:
        if width < 64 or known(value) or not self.names_zeros:
            return super().number_of_zeros(value, width, leading)
        zeros = fresh("zeros")
        self.zeros.append((zeros, value, leading))
        self.conditions.append(z3.ULE(zeros, 64))
        return zeros

    def compressed(self, bits: list[Any], source: list[Any]) -> list[Byte]:
        names = [Byte(fresh("packed", 8)) for _ in range(64)]
        self.packs.append((names, list(bits), list(source)))
        return list(names)

    def extracted(self, source: list[Any], mask: list[Any]) -> list[z3.BoolRef]:
        if all(known(simplified_bit(bit)) for bit in mask):
            return super().extracted(source, mask)
        names = [z3.Bool(str(fresh("bit"))) for _ in range(64)]
        self.moves.append((names, source, mask))
        return list(names)

    def deposited(self, source: list[Any], mask: list[Any]) -> list[z3.BoolRef]:
        return self.extracted(source, mask)

    def selected(self, table: list[Any], index: Any) -> Byte:
        return self.shuffled(table, index)

    def shuffled(self, source: list[Any], control: Any) -> Byte:
        byte = fresh("shuffled", 8)
        self.shuffles[str(byte)] = (source, control)
        return Byte(byte)

    def table(self, address: Word, size: int) -> list[Any]:
        """Returns a row of a table, which a mask selects. A single byte is at most the greatest in its table."""
        row = [fresh("row", 8) for _ in range(size)]
        if size == 1:
            base = only_value(address, prove=False)
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
        which = self.entry(row + self.row_of(shuffled)[1])
        return 0 if which >> 7 else source[which & 15]

    def entry(self, address: int) -> int:
        """Returns a byte of a table."""
        return self.memory.fixed(address)


def only_value(word: Any, prove: bool = True) -> int:
    """Returns the number that a word is if all its unknowns are zero. With `prove`, it must be that number
    whatever they are."""
    word = simplified(word)
    if known(word):
        return word
    value = simplified(z3.substitute(word, *[(one, z3.BitVecVal(0, one.size())) for one in variables(word)]))
    if not known(value) or (prove and check(word != value) is not None):
        raise Inconclusive("a row that depends on other bits")
    return value
