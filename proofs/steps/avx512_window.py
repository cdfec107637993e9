"""The values of a window of the AVX-512 decoder by number. Number k is the value at start number k of a mask of
starts. Since these are the place of the first value and one place after each end, it ends at end number k."""

from typing import Any

import z3

from model.failures import Refuted
from model.terms import Byte, as_bytes, joined, known, lanes, simplified, term

from .contract import WINDOW, Window, check_value, decodable, unknown_bytes
from .executor import check, variables
from .notes import NotedPath
from .wire import Integer

SHIFT = {8: 0, 4: 4, 2: 6}  # of the byte after those of a lane, to the top of its lane
INDEX = list(range(WINDOW))


class Numbered:
    """The values that end in a window after its first bytes, which are `history`, by number: the bytes of the
    window, the masks, and the names of their places. The bytes from `size` on are not present."""

    def __init__(self, window: Window, integer: Integer, history: int, size: Any = WINDOW) -> None:
        self.window, self.integer = window, integer
        self.present = [z3.ULT(at, term(size, 64)) for at in INDEX]
        self.checked: dict[tuple[int, int], z3.BitVecRef] = {}
        self.known_sources: list[tuple[list[int], list[Any]]] = []
        more = [one == 1 for one in window.more[:WINDOW]]
        new = range(history, WINDOW)
        self.ends = joined([z3.Not(more[at]) if at in new else z3.BoolVal(False) for at in INDEX])
        starts = [z3.BoolVal(True) if at == 0 else z3.Not(more[at - 1]) for at in INDEX]
        for at in range(history):  # The first value starts after the last end in the history.
            starts[at] = z3.And(starts[at], *more[at:history])
        if history:
            starts[history] = z3.Not(more[history - 1])
        self.starts = joined(starts)
        self.long = joined([self._after(more, at, integer.size) for at in INDEX])
        unfit = [z3.Not(decodable([one.term] * integer.longest, integer)) for one in window.bytes[:WINDOW]]
        doubts = [z3.And(self._after(more, at, integer.longest - 1), unfit[at], at in new) for at in INDEX]
        self.doubts = joined(doubts)
        self.proved: list[z3.BitVecRef] = []
        self.places: list[Any] = []
        self.is_long: list[Any] = []
        self.after: list[Any] = []

    @staticmethod
    def _after(more: list[z3.BoolRef], at: int, count: int) -> z3.BoolRef:
        """Whether so many continuation bytes are before a place."""
        return z3.And(*more[at - count : at]) if at >= count else z3.BoolVal(False)

    # The names.

    def invent(self, path: NotedPath, long: bool) -> list[Any]:
        """Makes the names that a turn before has left, and returns the bytes of both vectors of places."""
        self.places = [z3.BitVec(f"start{at}", 8) for at in INDEX]
        if not long:
            return [Byte(one) for one in self.places] + [0] * WINDOW
        self.is_long = [z3.Bool(f"long{at}") for at in INDEX]
        self.after = [z3.BitVec(f"after{at}", 8) for at in INDEX]
        for place, name in zip(self.places, self.after, strict=True):
            path.shuffles[str(name)] = (list(self.window.bytes[:WINDOW]), place + self.integer.size)
        return [Byte(one) for one in self.places] + self._tops()

    def _tops(self) -> list[Any]:
        """Returns the bytes after those of the lanes, as they are added to the top byte."""
        tops = [z3.If(one, byte, 0) for one, byte in zip(self.is_long, self.after, strict=True)]
        pairs = zip(tops[::2], tops[1::2], strict=True)
        words = [z3.Concat(high, low) << SHIFT[self.integer.size] for low, high in pairs]
        return as_bytes(words, 16)

    def find(self, path: NotedPath, long: bool, starts: list[Any] | None = None, tops: list[Any] | None = None) -> None:
        """Finds the names that the code has made in the notes of a path, and proves what they stand for."""
        [(names, mask, source)] = path.packs
        path.prove(joined(mask) == self.starts, "other starts")
        if source != INDEX:
            raise Refuted("not the places of bytes")
        self.places = [one.term for one in names]
        if starts is not None and not all(one.same(two) for one, two in zip(names, starts, strict=True)):
            raise Refuted("other places")
        if long:
            moved = path.moves[0]
            self.is_long = moved[0]
            path.prove(joined(moved[2]) == self.ends, "other ends")
            path.prove(joined(moved[1]) & self.ends == self.long & self.ends, "other long values")
            self.after = self._after_lanes(path)
            if tops is not None:
                pairs = zip(tops, self._tops(), strict=True)
                path.prove(z3.And(*[term(one, 8) == term(two, 8) for one, two in pairs]), "other bytes after lanes")
        elif tops is not None and any(tops):
            raise Refuted("bytes after lanes")

    def _after_lanes(self, path: NotedPath) -> list[z3.BitVecRef]:
        """Returns the byte after that of the lane, for each place."""
        found, own = {}, {str(place) for place in self.places}
        for name, (source, control) in path.shuffles.items():
            for place in variables(term(control, 8)):
                after = str(place) in own and simplified(term(control, 8) - place, 8) == self.integer.size
                if after and self._are_bytes(path, source):
                    found[str(place)] = z3.BitVec(name, 8)
        if set(found) != own:
            raise Refuted("no byte after a lane")
        return [found[str(place)] for place in self.places]

    def _are_bytes(self, path: NotedPath, source: list[Any]) -> bool:
        """Whether these are the bytes of the window, as far as they are present."""
        terms = [term(one, 8) for one in source]
        ids = [one.get_id() for one in terms]
        if not any(ids == one for one, _ in self.known_sources):
            pairs = zip(self.present, terms, self.window.bytes, strict=False)
            wrong = [z3.And(present, one != byte.term) for present, one, byte in pairs]
            if len(source) != WINDOW or check(*path.conditions, z3.Or(*wrong)) is not None:
                return False
            self.known_sources.append((ids, terms))
        return True

    # The values.

    def _check_element(self, path: NotedPath, element: Any, number: int) -> None:
        """Proves that an element is the value of this number, for any bytes at its place."""
        integer, place = self.integer, self.places[number]
        element = z3.simplify(term(element, integer.bits))
        if self.checked.get((number, element.get_id())) is not None:
            return
        self.checked[number, element.get_id()] = element  # kept, and thus its id
        encoding = unknown_bytes("byte", 16)
        is_long, other = z3.Bools("is_long other_is_long")
        pairs: list[tuple[z3.ExprRef, z3.ExprRef]] = []
        for name in variables(element):
            if self.is_long and name.eq(self.is_long[number]):
                pairs.append((name, is_long))
            elif self.is_long and number and name.eq(self.is_long[number - 1]):
                pairs.append((name, other))
            elif self.after and number and name.eq(self.after[number - 1]):
                pairs.append((name, z3.BitVec("other", 8)))
            else:
                pairs.append((name, encoding[self._index(path, name, place)]))
        element = z3.simplify(z3.substitute(element, *pairs))
        if any(element.eq(one) for one in self.proved):
            return
        # A value before this one is valid too.
        fact = z3.Implies(other, decodable([z3.BitVec("other", 8)] * integer.longest, integer))
        for length in range(1, (integer.longest if self.is_long else integer.size) + 1):
            check_value(element, encoding, integer, [length], fact, is_long == (length > integer.size))
        self.proved.append(element)

    def _index(self, path: NotedPath, name: z3.ExprRef, place: z3.BitVecRef) -> int:
        """Returns the index in an encoding of a byte with this name, which is a byte of the window."""
        if str(name) not in path.shuffles:
            raise Refuted(f"depends on {name}")
        source, control = path.shuffles[str(name)]
        index = simplified(term(control, 8) - place, 8)
        if not known(index) or index > 15:
            raise Refuted("a byte of another place")
        if not self._are_bytes(path, source):
            raise Refuted("bytes of something else")
        return index

    def check_stores(self, path: NotedPath, start: Any, number: Any, end: Any = 0) -> None:
        """Proves that vectors of values by number are stored from a place on, at least so many, and nothing from
        the `end` on."""
        new = list[Any]()
        for index, (_, offset, part) in enumerate(path.stores):
            path.prove(offset == start + len(new), "a store at another place")
            mask = (path.store_masks or {}).get(index)
            if mask:
                inside = [bit == z3.ULT(len(new) + at, end) for at, bit in enumerate(mask)]
                path.prove(z3.And(*inside), "bytes of slots that are not written")
            new += part
        path.prove(z3.UGE(len(new) // self.integer.size, number), "values that are not written")
        for index, element in enumerate(lanes(new, self.integer.bits)):
            self._check_element(path, element, index)
