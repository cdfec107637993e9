"""Paths on which results that depend on an unknown mask have names: a byte that is shuffled, a row of a table,
a number of ones or zeros. Each has a note of what it is, which a contract uses."""

from collections.abc import Callable
from typing import Any

import z3

from model.terms import Bits, Byte, Word, known, plain, simplified, term

from .executor import Path, check, fresh, variables
from model.failures import Inconclusive, Refuted


class NotedPath(Path):
    """`rows`: by name, the address of the row and the offset in it. `shuffles`: by name, the 16 bytes and the
    byte that selects one. `ones` and `zeros`: the number, the word, and whether leading zeros are meant."""

    asks_for_all = False  # The names are unknowns too, about which the question is not.

    def __init__(self, *arguments: Any) -> None:
        super().__init__(*arguments)
        self.rows: dict[str, tuple[z3.BitVecRef, int]] = {}
        self.shuffles: dict[str, tuple[list[Any], Any]] = {}
        self.ones: list[tuple[z3.BitVecRef, z3.BitVecRef]] = []
        self.zeros: list[tuple[z3.BitVecRef, z3.BitVecRef, bool]] = []
        self.calls: list[Any] = []
        self.loop: tuple[int, list[Any]] | None = None  # the call of a step, and what must not change
        self.names_zeros = False
        self.meaning: Callable[[NotedPath, z3.BitVecRef, z3.BitVecRef], list[z3.BoolRef]] | None = None

    def copy(self) -> "NotedPath":
        other = super().copy()
        other.rows, other.shuffles = dict(self.rows), dict(self.shuffles)
        other.ones, other.zeros, other.calls = list(self.ones), list(self.zeros), list(self.calls)
        return other

    def number_of_ones(self, value: Any, width: int) -> z3.BitVecRef:
        whole = term(value, 64) if isinstance(value, Bits) else z3.ZeroExt(64 - width, value) if width < 64 else value
        count, whole, most = fresh("ones"), z3.simplify(whole), 64
        if z3.is_app_of(whole, z3.Z3_OP_CONCAT) and z3.is_bv_value(whole.arg(0)):
            most -= whole.arg(0).size()
        self.ones.append((count, whole))
        self.conditions.append(z3.ULE(count, most))
        if self.meaning:
            self.conditions += self.meaning(self, count, whole)
        return z3.Extract(width - 1, 0, count) if width < 64 else count

    def number_of_zeros(self, value: Any, width: int, leading: bool) -> Word:
        value = plain(value)
        if width < 64 or known(value) or not self.names_zeros:
            return super().number_of_zeros(value, width, leading)
        zeros = fresh("zeros")
        self.zeros.append((zeros, value, leading))
        self.conditions.append(z3.ULE(zeros, 64))
        return zeros

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
            self.conditions.append(z3.ULE(row[0], max(self.image.read(base, 256))))
        self.rows |= {str(byte): (address, index) for index, byte in enumerate(row)}
        return [Byte(byte) for byte in row]

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
