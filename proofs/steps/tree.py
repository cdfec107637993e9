"""The ways through a function, and the proof that every input takes one of them to an end. What is missing is found from the
ends, not from the paths that are still to be run: a path that is forgotten leaves a side of a fork without an end."""

from collections.abc import Sequence
from dataclasses import dataclass

import z3

from model.image import Inconclusive

from .questions import check, example_of, new_solver, prove

NO_INPUT = "no input"


@dataclass(eq=False)
class Fork:
    """A place where ways part: a branch, or a call with a side for each case of its contract."""

    address: int
    before: "Side | None"  # on which it is
    sides: int


Side = tuple[Fork, int]


class Way:
    """What a tree needs of a path."""

    conditions: list[z3.BoolRef]
    example: z3.ModelRef | None = None  # of an input that takes this path, or has taken it before
    side: Side | None = None  # of the last fork
    ended = ""  # why the path ends before the function does

    def is_taken(self) -> bool:
        """Whether an input takes this path."""
        example = self.example
        if example is None or not all(z3.is_true(example.eval(one, model_completion=True)) for one in self.conditions):
            self.example = check(*self.conditions)
        return self.example is not None

    def check_taken(self, where: str) -> None:
        """Proves that an input comes here."""
        if not self.is_taken():
            raise Inconclusive(f"no input comes to {where}: what is assumed contradicts itself")


class Tree:
    """The ways through a function from its start, and what is known of them."""

    def __init__(self) -> None:
        self.ends: list[tuple[Side | None, str]] = []  # the sides on which paths end, and why
        self.cases: dict[tuple[int, int], set[int]] = {}  # by the number of cases of a contract, those that an input takes
        self.passed = set[int]()  # addresses of forks after which a path goes on

    def end(self, way: Way) -> None:
        """Ends a path that no input takes. The solver is asked again, without the contradictions that are kept."""
        if example_of(new_solver(*way.conditions)) is not None:
            raise Inconclusive("a path that an input takes is left out")
        way.ended = NO_INPUT
        self.ends.append((way.side, NO_INPUT))

    def fork(self, address: int, ways: Sequence[Way], called: int | None = None) -> None:
        """Notes the ways after a branch, or after a call of this function, and ends those that no input takes."""
        fork = Fork(address, ways[0].side if ways else None, len(ways))
        for number, way in enumerate(ways):
            way.side = fork, number
            if not way.is_taken():
                self.end(way)
            elif way.ended:
                self.ends.append((way.side, way.ended))
            else:
                self.passed.add(address)
        taken = {number for number, way in enumerate(ways) if way.ended != NO_INPUT}
        if not taken:
            raise Inconclusive(f"after {address:#x}: no input goes on, as what is assumed contradicts itself")
        if called is None:
            prove(z3.Or(*[way.conditions[-1] for way in ways]), f"at {address:#x}: an input takes no side")
        else:
            self.cases.setdefault((called, len(ways)), set()).update(taken)

    def check(self, done: Sequence[Way]) -> None:
        """Proves that each side of each fork leads to an end of the function, to one that a contract states, or to one
        without input. If a contract states an end, another path must go on from the same place."""
        reached = dict[Fork, set[int]]()
        for side, why in [*((way.side, NO_INPUT) for way in done), *self.ends]:
            if why != NO_INPUT and not (side and side[0].address in self.passed):
                raise Inconclusive(f"{why}, but no path goes on from there")
            while side and side[1] not in reached.setdefault(side[0], set()):
                reached[side[0]].add(side[1])
                side = side[0].before
        for fork, sides in reached.items():
            if len(sides) < fork.sides:
                raise Inconclusive(f"after {fork.address:#x}: a side of a branch or call has no end")
        for (called, count), cases in self.cases.items():
            if len(cases) < count:
                raise Inconclusive(f"an input takes {len(cases)} of {count} cases of the contract of {called:#x}")
        if not done:
            raise Inconclusive("no path to the end of the function")
