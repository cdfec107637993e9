"""The SSE decoder's loops over a source:

    new      a window: 64 bytes and their continuation bits
    windows  windows at a fixed stride, each of which is left to the decoder for its lengths

`pending` has the starts after the stride of a window. The lowest of them is where the next value starts."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

import z3

from model.image import Image, Refuted
from model.terms import term

from .contract import (
    CANONICAL, WINDOW, NotedPath, Slices, TablePath, Window, check_no_stores, content_of, kinds, overlong, unknown_bytes,
)
from .executor import LENT, Contract, Path, Region, run
from .loops import Loop
from .questions import fresh
from .sse import MACHINE, MODULE, READ, SPILL, counts_of, function, longer, stride, wrong_values
from .wire import Integer

TWO = 0x5555_5555_5555_5555  # the continuation bits of a window of values of two bytes each
WORTHWHILE = READ + 56  # of a source. The compiler uses that `windows` is not called for others.


def new(image: Image) -> None:
    """Puts the window at the start of these bytes."""
    data = unknown_bytes("data", READ)
    src = Region("src", READ, content_of(data))
    path = Path(image, [src], [], [LENT, src.start])
    path.lend(LENT, 80)
    [after] = run(path, _new(image))
    Window(lambda at: data[at], READ).check_at(after, LENT)


def _new(image: Image) -> int:
    return image.function(f"<{MODULE}window::Window<{MACHINE}>>::new")


@dataclass(frozen=True)
class _Progress:
    """What is decoded before a turn. `ahead` has the continuation bits of the next bytes, which the code does not keep."""

    values: Any
    bytes: Any
    pending: Any
    ahead: Any

    def starts_at(self, index: int) -> z3.BoolRef:
        """Whether the lowest pending start is that many bytes after the place, where another value ends."""
        more = z3.Extract(index - 1, 0, self.ahead) == (1 << index - 1) - 1 if index else True
        return z3.And(z3.Extract(index, 0, self.pending) == 1 << index, more)

    def is_valid(self, slices: Slices) -> z3.BoolRef:
        starts = [
            z3.And(self.starts_at(index), z3.ULE(index, slices.len - self.bytes)) for index in range(slices.integer.longest)
        ]
        return z3.And(slices.within(self.values, self.bytes), z3.Or(*starts))

    def words(self) -> tuple[Any, ...]:
        return self.values, self.bytes, self.pending, self.ahead


@dataclass(frozen=True)
class _Turn:
    """A turn: the window, the starts of values in it, those before the next window, and the progress after those if they
    are valid."""

    before: _Progress
    window: Window
    starts: Any
    own: Any
    count: Any = None
    checked: _Progress | None = None


def windows(image: Image, integer: Integer) -> None:
    """Every value that starts in the bytes of the progress is valid, and is decoded to the next slot. A value starts where
    the progress ends."""
    slices, size, longest, step = Slices(integer), integer.size, integer.longest, stride(integer)
    src, dst = slices.src.start, slices.dst.start
    facts = [*slices.facts, z3.ULE(WORTHWHILE, slices.len)]
    reached = set[bool]()

    def words(values: Any, at: Any, pending: Any, _: Any) -> list[Any]:
        return [values, at, pending, pending & 1, src + at, dst + size * values, slices.space - values]

    def holds(*words: Any) -> z3.BoolRef:
        now = _Progress(*words)
        return z3.And(now.is_valid(slices), z3.ULE(READ, slices.len - now.bytes))

    def cases(values: Any, at: Any, pending: Any, ahead: Any) -> list[z3.BoolRef]:
        return [pending & 1 == 1, pending & 1 == 0, CANONICAL, z3.Not(CANONICAL)]

    loop = Loop(words, holds, cases)

    def progress(path: NotedPath) -> _Progress:
        """Returns the progress before the turn in which the path is, or after it if a decoder was called."""
        check_no_stores(path)
        last = path.calls[-1]
        return last.before if isinstance(last, _Turn) else last

    def goes_on(path: NotedPath, *more: z3.BoolRef) -> Path:
        """Goes on with these facts alone, unless another path has done so from the same state."""
        check_no_stores(path)
        now = kinds(path)
        path.conditions = [*facts, *more, *[CANONICAL == kind for kind in now if len(now) == 1]]
        return path.end("another path has gone on") if loop.is_known(path) else path

    def window(path: NotedPath, *words: Any) -> list[Path]:
        """The contract of `new`, with which each turn begins."""
        before, place = _Progress(*words), path.number(path.get("RDI"))
        path.check_arguments(None, src + before.bytes)
        seen = [z3.Concat(z3.Extract(at, at, before.ahead), fresh("data", 7)) for at in range(longest - 1)]
        data = [*seen, *[fresh("byte", 8) for _ in range(longest - 1, WINDOW)]]
        now = Window(lambda at: data[at], WINDOW)
        now.put(path, place)
        path.set("RAX", fresh("unused"))
        starts = now.ends << 1 | before.pending & 1
        path.calls, path.ones = [_Turn(before, now, starts, starts & (1 << step) - 1)], []
        return [path]

    def is_suspicious(path: NotedPath) -> list[Path]:
        """Its contract. For the starts before the next window, its result is about the values of this turn."""
        turn, given = path.calls[-1], term(path.get("RSI"), 64)
        path.check_arguments(None, None, CANONICAL)
        turn.window.check_at(path, path.number(path.get("RDI")))
        good = z3.Not(z3.Or(*wrong_values(turn.window, given, integer), *overlong(turn.window)[1:]))
        doubtful = path.copy()
        path.conditions.append(good)
        if not path.ones:  # It is about a whole window.
            return [path.returning(0), doubtful.returning(1)]
        # All that follows needs is that no value is too long, and the progress after the turn.
        path.prove(given == turn.own, "other starts")
        now, count = turn.before, path.count_of(turn.own)
        ahead = [z3.LShR(mask, step) for mask in (turn.starts, turn.window.continues)]
        after = _Progress(now.values + count, now.bytes + step, *ahead)
        space = z3.And(z3.ULE(count, WINDOW), z3.ULE(count + SPILL, slices.space - now.values))
        known = [space, after.is_valid(slices), longer(turn.window, turn.own, longest) == 0]
        path.prove(z3.And(*known), "a progress that is not allowed")
        path.calls = [replace(turn, count=count, checked=after)]
        ways = [(path, 0, known), (doubtful, 1, [])]
        return [goes_on(one, holds(*now.words()), *more).returning(result) for one, result, more in ways]

    def decoded(path: NotedPath, after: _Progress, *more: z3.BoolRef) -> list[Path]:
        """Goes on after the call of a decoder, which has written the values of a turn."""
        turn = path.calls[-1]
        path.check_arguments(src + turn.before.bytes, dst + size * turn.before.values)
        reached.update(kinds(path, reached))
        path.calls = [after]
        return [goes_on(path, after.is_valid(slices), *more)]

    def whole(length: int) -> Contract:
        def contract(path: NotedPath) -> list[Path]:
            turn, now, count = path.calls[-1], path.calls[-1].before, 64 // length
            alike = z3.And(turn.window.continues == (TWO if length == 2 else 0), now.pending & 1 == 1)
            path.prove(alike, "values of other lengths")
            path.prove(z3.Not(z3.Or(*overlong(turn.window)[1:])), "an invalid value is accepted")
            path.prove(z3.ULE(WINDOW, slices.space - now.values), "too little space")
            after = _Progress(now.values + count, now.bytes + WINDOW, now.pending, fresh("ahead"))
            return decoded(path, after, now.pending & 1 == 1)

        return contract

    def by_starts(
        arguments: Callable[[_Turn], list[Any]], lengths: Callable[[Path, _Turn], Any] = lambda *_: True
    ) -> Contract:
        """Returns the contract of a decoder of the values that start before the next window, with these arguments after
        the places, for values of these lengths."""

        def contract(path: NotedPath) -> list[Path]:
            turn = path.calls[-1]
            if turn.checked is None:
                raise Refuted("values that are not checked")
            path.check_arguments(None, None, *arguments(turn))
            path.prove(lengths(path, turn), "values of other lengths")
            return decoded(path, turn.checked)

        return contract

    def is_uniform(path: Path, turn: _Turn) -> Any:
        """Whether all starts are those of values of one length, and the decoder takes their number."""
        first, length, found = term(path.get("RDX"), 64), term(path.get("R8"), 64), list[Any]()
        for each in range(2, min(longest, 8) + 1):
            for at in range(longest):
                own = range(at, step, each)
                if len(own) not in counts_of(each):
                    raise Refuted("more values than the decoder takes")
                mask = sum(1 << place for place in range(at, WINDOW, each))
                found.append(z3.And(first == at, length == each, turn.starts == mask))
        return z3.Or(*found)

    path = TablePath(image, [slices.src, slices.dst], facts, [*slices.arguments, *slices.at, CANONICAL])
    path.calls = [_Progress(*slices.at, z3.BitVecVal(1, 64), fresh("ahead"))]
    calls = {
        _new(image): loop.turn(lambda path: progress(path).words(), window),
        image.function(f"<{MODULE}window::Window<{MACHINE}>>::is_suspicious::<i{integer.bits}>"): is_suspicious,
        function(image, "uniform::whole", integer.name, 1): whole(1),
        function(image, "uniform::whole", integer.name, 2): whole(2),
        function(image, "uniform::decode", integer.name): by_starts(lambda turn: [None, turn.count], is_uniform),
        function(image, "decode::sparse", integer.name, "false"): by_starts(lambda turn: [turn.starts, turn.count]),
        function(image, "decode::dense", integer.name): by_starts(lambda turn: [turn.own, turn.window.continues]),
    }
    if longest > 8:
        long = by_starts(lambda turn: [turn.starts, turn.count], lambda _, turn: longer(turn.window, turn.own, 8) == turn.own)
        calls[function(image, "decode::sparse", integer.name, "true")] = long
    for after in loop.ends(path, function(image, "decode::windows", integer.name), calls):
        now = progress(after)
        ends = [z3.And(now.starts_at(at), after.get("RDX") == now.bytes + at) for at in range(longest)]
        after.prove(z3.And(after.get("RAX") == now.values, z3.Or(*ends)), "another progress")
    if len(reached) < 2:
        raise Refuted("decodes nothing")
