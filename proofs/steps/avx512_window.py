"""The values of a window of the AVX-512 decoder by number. Number k is the value at start number k of a mask of
starts. Since these are the place of the first value and one place after each end, it ends at end number k."""

from typing import Any

import z3

from model.image import Refuted
from model.terms import Byte, as_bytes, joined, known, lanes, simplified, term

from .contract import BYTES, WINDOW, Elements, NotedPath, Window, decodable
from .questions import check, variables
from .wire import Integer, is_last

SHIFT = {8: 0, 4: 4, 2: 6}  # of the byte after those of a lane, to the top of its lane
INDEX = list(range(WINDOW))


class Numbered:
    """The values that end in a window after its first bytes, which are `history`, by number: the bytes of the
    window, the masks, and the names of their places. The bytes from `size` on are not present."""

    def __init__(self, window: Window, integer: Integer, history: int, size: Any = WINDOW) -> None:
        self.window, self.integer = window, integer
        self.present = [z3.ULT(at, term(size, 64)) for at in INDEX]
        self.checked: dict[tuple[int, int], z3.BitVecRef] = {}
        self.known_sources: list[list[Any]] = []
        more = [one == 1 for one in window.more[:WINDOW]]
        self.ends = joined([z3.And(at >= history, z3.Not(more[at])) for at in INDEX])
        # The first value starts after the last end in the history.
        self.starts = joined([z3.And(at == 0 or z3.Not(more[at - 1]), *more[at:history]) for at in INDEX])
        self.long = joined([z3.And(at >= integer.size, *more[max(at - integer.size, 0) : at]) for at in INDEX])
        most, unfit = integer.longest - 1, [z3.Not(decodable([one.term] * integer.longest, integer)) for one in window.bytes]
        doubts = [z3.And(at >= max(history, most), *more[max(at - most, 0) : at], unfit[at]) for at in INDEX]
        self.doubts = joined(doubts)
        self.values = Elements(integer)
        self.places: list[Any] = []
        self.is_long: list[Any] = []
        self.after: list[Any] = []

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
        if source != INDEX or (starts and not all(one.same(two) for one, two in zip(names, starts, strict=True))):
            raise Refuted("not the places of bytes")
        self.places = [one.term for one in names]
        if long:
            self.is_long, source, mask = path.moves[0]
            path.prove(joined(mask) == self.ends, "other ends")
            path.prove(joined(source) & self.ends == self.long & self.ends, "other long values")
            self.after = self._after_lanes(path)
            pairs = zip(tops or (), self._tops(), strict=tops is not None)
            path.prove(z3.And(*[term(one, 8) == term(two, 8) for one, two in pairs]), "other bytes after lanes")
        elif tops is not None and any(tops):
            raise Refuted("bytes after lanes")

    def _after_lanes(self, path: NotedPath) -> list[z3.BitVecRef]:
        """Returns the byte after that of the lane, for each place."""
        found, own = dict[str, z3.BitVecRef](), {str(place) for place in self.places}
        for name, (source, control) in path.shuffles.items():
            for place in variables(term(control, 8)):
                after = str(place) in own and simplified(term(control, 8) - place, 8) == self.integer.size
                if after and self._are_bytes(source):
                    found[str(place)] = z3.BitVec(name, 8)
        if set(found) != own:
            raise Refuted("no byte after a lane")
        return [found[str(place)] for place in self.places]

    def _are_bytes(self, source: list[Any]) -> bool:
        """Whether these are the bytes of the window, as far as they are present, on any path."""
        if not any(source is one for one in self.known_sources):
            pairs = zip(self.present, source, self.window.bytes, strict=False)
            wrong = [z3.And(present, term(one, 8) != byte.term) for present, one, byte in pairs]
            if len(source) != WINDOW or check(z3.Or(*wrong)) is not None:
                return False
            self.known_sources.append(source)
        return True

    # The values.

    def _check_element(self, path: NotedPath, element: Any, number: int) -> None:
        """Proves that an element is the value of this number, for any bytes at its place."""
        integer, element = self.integer, z3.simplify(term(element, self.integer.bits))
        if (number, element.get_id()) in self.checked:
            return
        self.checked[number, element.get_id()] = element  # kept, and thus its id
        is_long, other_is_long, other = *z3.Bools("is_long other_is_long"), z3.BitVec("other", 8)
        names = {str(one): is_long for one in self.is_long[number : number + 1]}
        if number:  # The value before this one is valid too.
            names |= {str(one): other_is_long for one in self.is_long[number - 1 : number]}
            names |= {str(one): other for one in self.after[number - 1 : number]}
        pairs = [
            (name, names[str(name)] if str(name) in names else BYTES[self._index(path, name, self.places[number])])
            for name in variables(element)
        ]
        lengths = range(1, (integer.longest if self.is_long else integer.size) + 1)
        facts = [
            is_long == z3.And(*[z3.Not(is_last(byte)) for byte in BYTES[: integer.size]]),
            z3.Implies(other_is_long, decodable([other] * integer.longest, integer)),
        ]
        self.values.check(element, pairs, lengths, *facts)

    def _index(self, path: NotedPath, name: z3.ExprRef, place: z3.BitVecRef) -> int:
        """Returns the index in an encoding of a byte with this name, which is a byte of the window."""
        if str(name) not in path.shuffles:
            raise Refuted(f"depends on {name}")
        source, control = path.shuffles[str(name)]
        index = simplified(term(control, 8) - place, 8)
        if not known(index) or index > 15:
            raise Refuted("a byte of another place")
        if not self._are_bytes(source):
            raise Refuted("bytes of something else")
        return index

    def check_stores(self, path: NotedPath, start: Any, number: Any, end: Any = 0) -> None:
        """Proves that vectors of values by number are stored from a place on, at least this number of values, and nothing
        from the `end` on."""
        new = list[Any]()
        for index, (_, offset, part) in enumerate(path.stores):
            path.prove(offset == start + len(new), "a store at another place")
            mask = enumerate((path.store_masks or {}).get(index, []), len(new))
            path.prove(z3.And(*[bit == z3.ULT(at, end) for at, bit in mask]), "bytes of slots that are not written")
            new += part
        path.prove(z3.UGE(len(new) // self.integer.size, number), "values that are not written")
        for index, element in enumerate(lanes(new, self.integer.bits)):
            self._check_element(path, element, index)
