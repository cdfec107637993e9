"""The bulk exports as functions on blocks of symbolic values or bytes."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from .codec import DESTINATION, RESULT, SOURCE, load, store, word
from .machine import Machine, State
from .memory import Region
from .wire import BV, Integer

NAME, KERNEL = 0x1400_0000, 0x1500_0000


@dataclass(frozen=True)
class Decoded:
    """What a bulk decode comes to: the kind, the offset of an error, how many values and bytes, the slots."""

    kind: BV
    at: BV
    values: BV
    bytes: BV
    slots: list[BV]


@dataclass(frozen=True)
class Kernel:
    """A kernel by name, and a state that holds it."""

    machine: Machine
    state: State
    handle: Region

    @classmethod
    def named(cls, machine: Machine, name: str) -> "Kernel":
        """The kernel of that name, which the CPU must have."""
        state = machine.start.copy()
        text, handle = Region("the name", NAME, len(name)), Region("the kernel", KERNEL, 16, True)
        store(state, NAME, list(name.encode()))
        [state] = machine.call(state, "kernel", [NAME, len(name), KERNEL], [text, handle])
        if state.solver.eval_one(state.regs.rax) != 1:
            raise LookupError(f"the CPU has no kernel {name}")
        return cls(machine, state, Region("the kernel", KERNEL, 16))

    def encode(
        self, state: State, integer: Integer, values: Sequence[BV], room: int
    ) -> Iterator[tuple[State, list[BV], BV]]:
        """The destination and what `encode_slice` returns, on every path."""
        begun, size = state.copy(), integer.bits // 8
        src, dst = Region("the values", SOURCE, size * len(values)), Region("the destination", DESTINATION, room, True)
        for index, value in enumerate(values):
            begun.memory.store(SOURCE + size * index, value, endness="Iend_LE", inspect=False)
        arguments = [KERNEL, SOURCE, len(values), DESTINATION, room]
        for end in self.machine.call(begun, f"kernel_encode_{integer.name}", arguments, [self.handle, src, dst]):
            yield end, load(end, DESTINATION, room), end.regs.rax

    def decode(
        self, state: State, integer: Integer, src: Sequence[BV], room: int, door: str
    ) -> Iterator[tuple[State, Decoded]]:
        """The verdict of `decode_slice` or `decode_slice_canonical`, on every path."""
        begun, size = state.copy(), integer.bits // 8
        source, result = Region("the input", SOURCE, len(src)), Region("the result", RESULT, 32, True)
        dst = Region("the slots", DESTINATION, size * room, True)
        store(begun, SOURCE, src)
        arguments = [KERNEL, SOURCE, len(src), DESTINATION, room, RESULT]
        for end in self.machine.call(
            begun, f"kernel_{door}_{integer.name}", arguments, [self.handle, source, dst, result]
        ):
            slots = [
                end.memory.load(DESTINATION + size * index, size, endness="Iend_LE", inspect=False)
                for index in range(room)
            ]
            yield end, Decoded(*(word(end, RESULT + 8 * index) for index in range(4)), slots)
