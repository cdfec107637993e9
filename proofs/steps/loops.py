"""Loops around a call whose progress is in registers and on the stack. A contract says what the progress is, and by what
a turn advances it. Where the code keeps it is not guessed: places that a turn changes may have any of the contract's words,
and those that a turn from any progress does not leave there are dropped, until a turn drops nothing."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import z3

from model.image import Inconclusive, Refuted
from model.terms import is_same, term

from .contract import NotedPath
from .executor import ARGUMENTS, KEPT, Contract, Path, check, fresh, run

Place = str | int  # a register, or the address of eight bytes


class Loop:
    """A loop. `words` are the words of which the code may keep each, as functions of the progress. `holds` is what is
    true of any progress at the call, and the facts are true of what does not change."""

    def __init__(
        self, words: Callable[..., Sequence[Any]], holds: Callable[..., z3.BoolRef], facts: Sequence[z3.BoolRef]
    ) -> None:
        self.words, self.holds, self.facts = words, holds, facts
        self.changing: dict[Place, list[int]] = {}  # places that a turn changes, and the numbers of their words
        self.is_general = False  # whether a turn begins with any progress: all but the first, which finds some places
        self.is_proved, self.turns = False, 0

    def arrive(self, path: NotedPath, *progress: Any) -> list[Any] | None:
        """The call is reached with this progress. The first time, the path goes on from any progress, which is
        returned. After a turn from there nothing is left to show, and the result is None."""
        progress = tuple(term(one, 64) for one in progress)
        path.prove(self.holds(*progress), "a progress that is not allowed")
        before = path.loop.get(path.address)
        if before is not None:
            self.turns += 1
            self._compare(path, progress, before)
            return None
        if self.is_general:
            self._compare(path, progress, {})
            progress = tuple(fresh("progress") for _ in progress)
            words = self.words(*progress)
            for place, numbers in self.changing.items():
                value = words[numbers[0]] if numbers else fresh("unused")
                path.set(place, value) if isinstance(place, str) else path.put(place, value)
            path.conditions = [*self.facts, self.holds(*progress)]
        path.loop[path.address] = _state(path)
        return list(progress)

    def _compare(self, path: NotedPath, progress: Sequence[Any], before: Mapping[Place, Any]) -> None:
        """Adds the places that have changed, and drops the words that places do not have at this progress."""
        state, words = _state(path), self.words(*progress)
        for place in {*state, *before} if before else ():
            if place not in self.changing and not (place in state and place in before and is_same(state[place], before[place])):
                self.changing[place], self.is_proved = list(range(len(words))), False
        for place, numbers in self.changing.items():
            for number in list(numbers):
                if place not in state or check(*path.conditions, term(state[place], 64) != words[number]) is not None:
                    numbers.remove(number)
                    self.is_proved = False

    def ends(self, start: Callable[[], Path], function: int, calls: Mapping[int, Contract]) -> list[Any]:
        """Returns the ends of the function with the loop, after the proof of a turn from any progress."""
        for _ in range(5):
            self.is_proved, self.turns = self.is_general, 0
            ends = run(start(), function, calls)
            if not self.turns:
                raise Refuted("no turn")
            if self.is_proved:
                return ends
            self.is_general = True
        raise Inconclusive("a loop without a common state")


def _state(path: NotedPath) -> dict[Place, Any]:
    """Returns the registers that a function may use after a call and those for its arguments, and the words that
    are on the stack or lent."""
    stack = path.get("RSP")
    path.stack = {at: byte for at, byte in path.stack.items() if at >= stack}
    places = sorted({at & -8 for at in path.stack})
    state: dict[Place, Any] = {name: term(path.get(name), 64) for name in (*KEPT, *ARGUMENTS)}
    return state | {at: path.word(at) for at in places}
