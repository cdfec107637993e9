"""What instructions do, by mnemonic (Intel SDM, volume 2)."""

from collections.abc import Callable

from iced_x86 import Instruction

from .machine import State

Run = Callable[[State, Instruction], object]

# The width of operands or lanes in bits, by the last letter of a mnemonic.
WIDTHS = {"b": 8, "w": 16, "d": 32, "q": 64}


class Semantics(dict[str, Run]):
    """Functions that execute an instruction, by mnemonic."""

    def defines(self, *names: str) -> Callable[[Run], Run]:
        """Adds a function under all these names."""

        def add(run: Run) -> Run:
            self.update(dict.fromkeys(names, run))
            return run

        return add
