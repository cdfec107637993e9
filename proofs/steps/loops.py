"""Loops around a call whose progress is in registers and on the stack. A contract says what the progress is, and by what
a turn advances it. Where the code keeps it is not guessed: places that a turn changes may have any of the contract's words,
and those that a turn from any progress does not leave there are dropped, until a turn drops nothing. The compiler may have
made several loops of one, each with a call of its own."""

import copy
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import z3

from model.image import Inconclusive, Refuted
from model.terms import is_same, term

from .contract import NotedPath, check_no_stores, kinds
from .executor import ARGUMENTS, KEPT, Contract, Path, run
from .questions import check, fresh

Place = str | int  # a register, or the address of eight bytes


@dataclass
class _Call:
    """A place where the loop calls: the places that a turn changes with the numbers of their words, and the numbers of
    the cases."""

    changing: dict[Place, list[int]] = field(default_factory=dict)
    cases: list[int] | None = None


class Loop:
    """A loop. `words` are the words of which the code may keep each, as functions of the progress. `holds` is what is
    true of any progress at a call. `cases` may be true at some calls."""

    def __init__(
        self, words: Callable[..., Sequence[Any]], holds: Callable[..., z3.BoolRef],
        cases: Callable[..., Sequence[z3.BoolRef]] = lambda *_: (),
    ) -> None:  # fmt: skip
        self.words, self.holds, self.cases = words, holds, cases
        self.facts: list[z3.BoolRef] = []  # the conditions at the start, which are true of what does not change
        self.calls: dict[int, _Call] = {}
        self.states: dict[int, list[dict[Place, Any]]] = {}  # what does not change, where a path has gone on from a call
        self.found: dict[tuple[int, Place], list[int]] = {}  # changing places that the calls do not have yet
        self.known: list[list[Any]] = []  # states after other calls, from which a path has gone on
        self.first: dict[int, dict[Place, Any]] = {}  # the first states at each call, before a turn is general
        self.back = set[int]()  # calls to which a turn comes back
        self.heads = set[int]()  # those of them that were known when this round began
        self.reached = set[bool]()  # the kinds of decoding in which a call is reached
        self.is_general = False  # whether a turn begins with any progress: all but the first, which finds some places
        self.is_proved = False

    def turn(self, end: Callable[[NotedPath], Sequence[Any]], contract: Callable[..., list[Path]]) -> Contract:
        """Returns the contract of the call in the loop. `end` returns the progress of a path that reaches the call, after
        the proof of what is stored since the call before. The contract is given a progress from which the path goes on:
        any progress, if a turn comes back to this call. After a turn from there nothing is left to show, and the path
        ends. It also ends if another path has gone on from the same state."""

        def arrive(path: NotedPath) -> list[Path]:
            progress = [term(one, 64) for one in end(path)]
            path.prove(self.holds(*progress), "a progress that is not allowed")
            at, before = path.address, path.loop.get(path.address)
            call = self.calls.setdefault(at, _Call())
            if not self.is_general:
                self.reached |= kinds(path, self.reached)
            # A path that has come from another call in the loop is compared with the first one here.
            other = self.first.get(at) if path.loop and not self.is_general else None
            self._compare(path, call, progress, before or other)
            if before is not None:
                self.is_proved &= at in self.heads
                self.back.add(at)
                return [path.end("a turn comes back")]
            if not self.is_general:
                if at in self.first:
                    return [path.end("another path has gone on")]
                self.first[at] = _state(path)
            else:
                kept = {place: one for place, one in _state(path).items() if place not in call.changing}
                is_head = at in self.heads
                kept |= () if is_head else enumerate(progress)
                progress = [fresh("progress") for _ in progress] if is_head else progress
                known = self.states.setdefault(at, [])
                if any(one.keys() == kept.keys() and all(is_same(one[place], kept[place]) for place in kept) for one in known):
                    return [path.end("another path has gone on")]
                known.append(kept)
                words, cases = self.words(*progress), self.cases(*progress)
                for place, numbers in call.changing.items():
                    value = words[numbers[0]] if numbers else fresh("unused")
                    path.set(place, value) if isinstance(place, str) else path.put(place, value)
                path.conditions = [*self.facts, self.holds(*progress), *[cases[number] for number in call.cases or ()]]
            path.loop[at], path.calls, path.stores = _state(path), [progress], []
            return contract(path, *progress)

        return arrive

    def _compare(
        self, path: NotedPath, call: _Call, progress: Sequence[Any], before: Mapping[Place, Any] | None
    ) -> None:  # fmt: skip
        """Finds the places that have changed and the words that they have, and drops the words that other places do not
        have, and the cases of which this progress is not."""
        state, words, cases = _state(path), self.words(*progress), self.cases(*progress)

        def claims(place: Place) -> list[Any]:
            """Returns that a place has each word. If this path does not have the place, it has none."""
            value = term(state[place], 64) if place in state else fresh("unknown")
            return [value == word for word in words]

        if call.cases is None:
            call.cases = list(range(len(cases)))
        places = [(numbers, claims(place)) for place, numbers in call.changing.items()]
        if not self.is_general:  # A state is one that the code has, not one with places that must change with others.
            places += [(numbers, claims(place)) for (at, place), numbers in self.found.items() if at == path.address]
        for place in {*state, *before} if before else ():
            is_new = place not in call.changing and (path.address, place) not in self.found
            if is_new and not (place in state and place in before and is_same(state[place], before[place])):
                numbers = self.found[path.address, place] = list(range(len(words)))
                places.append((numbers, claims(place)))
        pending = [(numbers, number, own[number]) for numbers, own in [*places, (call.cases, cases)] for number in numbers]
        while pending:
            model = check(*path.conditions, z3.Not(z3.And(*[claim for *_, claim in pending])))
            if model is None:
                break
            for numbers, number, claim in pending:
                if not z3.is_true(model.eval(claim, model_completion=True)):
                    numbers.remove(number)
                    self.is_proved = False
            pending = [one for one in pending if one[1] in one[0]]

    def is_known(self, path: NotedPath) -> bool:
        """Whether another path of this turn was here after a call, with the same state and conditions."""
        state = _state(path)
        now = [path.address, *path.conditions, *[one for place, one in state.items() if place not in ARGUMENTS]]
        if any(len(one) == len(now) and all(map(is_same, one, now)) for one in self.known):
            return True
        self.known.append(now)
        return False

    def ends(self, start: Path, function: int, calls: Mapping[int, Contract]) -> list[Any]:
        """Returns the ends of the function with the loop, after the proof of a turn from any progress."""
        self.facts = start.conditions
        for _ in range(8):
            self.is_proved, self.found, self.known, self.states = self.is_general, {}, [], {}
            self.heads = self.back.copy()
            before = copy.deepcopy(self.calls)
            ends = run(start.copy(), function, calls)
            if len(self.reached) < 2:
                raise Refuted("no turn")
            if self.is_general and self.is_proved and not self.found:
                return ends
            if self.found:
                # What was dropped may have been because these places had one value only.
                self.calls = {at: before.get(at) or _Call() for at in self.calls}
                for (at, place), numbers in self.found.items():
                    self.calls[at].changing[place] = numbers
            self.is_general = True
        raise Inconclusive("a loop without a common state")


def progress_of(path: NotedPath) -> Any:
    """Returns the progress, which is alone in `path.calls` unless a call was the last one. Nothing is stored since then."""
    check_no_stores(path)
    if len(path.calls) != 1:
        raise Refuted("a turn after the last one")
    return path.calls[0]


def _state(path: NotedPath) -> dict[Place, Any]:
    """Returns the registers that a function may use after a call and those for its arguments, and the words that
    are on the stack or lent."""
    stack = path.get("RSP")
    path.stack = {at: byte for at, byte in path.stack.items() if at >= stack}
    places = sorted({at & -8 for at in path.stack})
    state: dict[Place, Any] = {name: term(path.get(name), 64) for name in (*KEPT, *ARGUMENTS)}
    return state | {at: path.word(at) for at in places}
