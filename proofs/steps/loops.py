"""Loops around a call whose progress is in registers and on the stack. Nothing about the code is guessed: a contract
says what the progress is, and by what a turn advances it. Where the code keeps it is found by running a turn, and
proved by running another one from any progress."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import z3

from model.image import Inconclusive, Refuted
from model.terms import is_same, lanes, term

from .contract import NotedPath
from .executor import ARGUMENTS, KEPT, Contract, Path, check, fresh, run

Place = str | int  # a register, or the address of eight bytes


class _Again(Exception):
    """A turn has changed a place that was not known to change."""


class Loop:
    """A loop. `words` are the words of which the code may keep each, as functions of the progress. `holds` is what is
    true of any progress at the call, and the facts are true of what does not change."""

    def __init__(
        self, words: Callable[..., Sequence[Any]], holds: Callable[..., z3.BoolRef], facts: Sequence[z3.BoolRef]
    ) -> None:
        self.words, self.holds, self.facts = words, holds, facts
        self.changing: dict[Place, list[int]] = {}  # places that a turn changes, and numbers of words that are there
        self.finds, self.turns = True, 0  # whether these are still to be found

    def arrive(self, path: NotedPath, *progress: Any) -> list[Any] | None:
        """The call is reached with this progress. The first time, the path goes on from any progress, which is
        returned. After a turn from there nothing is left to show, and the result is None."""
        progress = tuple(term(one, 64) for one in progress)
        path.prove(self.holds(*progress), "a progress that is not allowed")
        state, words, before = _state(path), list(self.words(*progress)), path.loop.get(path.address)
        if before is None and not self.finds:
            progress = self._general(path, state, words, len(progress))
            state = _state(path)
        if before is None:
            path.loop[path.address] = state
            return list(progress)
        self.turns += 1
        for place in {*state, *before}:
            if place not in self.changing and not _unchanged(state, before, place):
                self.changing[place] = list(range(len(words))) if place in state and place in before else []
                self._find(path, state, words, place)
                if not self.finds:
                    raise _Again
            elif self.finds and place in self.changing:
                self._find(path, state, words, place)
            for word in self.changing.get(place, [])[: not self.finds]:
                path.prove(state[place] == words[word], f"another word in {place}")
        return None

    def _find(self, path: NotedPath, state: Mapping[Place, Any], words: list[Any], place: Place) -> None:
        """Keeps only words that may be in this place."""
        some, found = check(*path.conditions), list[int]()
        for word in self.changing[place] if place in state else ():
            differ = term(state[place], 64) != words[word]
            if not z3.is_true(some.eval(differ, model_completion=True)) and check(*path.conditions, differ) is None:
                found.append(word)
        self.changing[place] = found

    def _general(self, path: NotedPath, state: Mapping[Place, Any], words: list[Any], count: int) -> tuple[Any, ...]:
        """Puts words of any progress in the places that change, and returns that progress."""
        names = tuple(fresh("progress") for _ in range(count))
        new = list(self.words(*names))
        for place in self.changing:
            self._find(path, state, words, place)
            value = new[self.changing[place][0]] if self.changing[place] else fresh("unused")
            path.set(place, value) if isinstance(place, str) else path.put(place, value)
        path.conditions = [*self.facts, self.holds(*names)]
        return names

    def ends(self, start: Callable[[], Path], function: int, calls: Mapping[int, Contract]) -> list[Any]:
        """Returns the ends of the function with the loop, after the proof of a turn from any progress."""
        run(start(), function, calls)
        self.finds = False
        for _ in range(4):
            self.turns = 0
            try:
                ends = run(start(), function, calls)
            except _Again:
                continue
            if not self.turns:
                raise Refuted("no turn")
            return ends
        raise Inconclusive("a loop without a common state")


def _state(path: NotedPath) -> dict[Place, Any]:
    """Returns the registers that a function may use after a call and those for its arguments, and the words that
    are on the stack or lent."""
    stack = path.get("RSP")
    path.stack = {at: byte for at, byte in path.stack.items() if at >= stack}
    places = sorted({at & -8 for at in path.stack})
    state: dict[Place, Any] = {name: term(path.get(name), 64) for name in (*KEPT, *ARGUMENTS)}
    return state | {at: path.word(at) for at in places}


def _unchanged(state: Mapping[Place, Any], before: Mapping[Place, Any], place: Place) -> bool:
    return place in state and place in before and is_same(state[place], before[place])
