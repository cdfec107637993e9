"""The exports for slices, as functions on symbolic values or bytes."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from .codec import DESTINATION, RESULT, SOURCE, load, store, word
from .machine import Machine, State
from .memory import Region
from .wire import BV, Integer

NAME, KERNEL = 0x1400_0000, 0x1500_0000


@dataclass(frozen=True)
class BulkOutcome:
    """The outcome of decoding a slice: kind, offset of the error, decoded values and bytes, and the
    slots of the destination."""

    kind: BV
    at: BV
    values: BV
    bytes: BV
    slots: list[BV]


@dataclass(frozen=True)
class Kernel:
    """A kernel and a state in which it is in memory."""

    machine: Machine
    state: State
    handle: Region

    @classmethod
    def named(cls, machine: Machine, name: str) -> "Kernel":
        """Returns the kernel with this name, which the CPU must have."""
        state = machine.start.copy()
        text, handle = Region("the name", NAME, len(name)), Region("the kernel", KERNEL, 16, True)
        store(state, NAME, list(name.encode()))
        [state] = machine.call(state, "kernel", [NAME, len(name), KERNEL], [text, handle])
        if state.solver.eval_one(state.regs.rax) != 1:
            raise LookupError(f"the CPU has no kernel {name}")
        return cls(machine, state, Region("the kernel", KERNEL, 16))

    def encode(
        self, state: State, integer: Integer, values: Sequence[BV], capacity: int
    ) -> Iterator[tuple[State, list[BV], BV]]:
        """Yields the destination after `encode_slice`, and its result, on every path."""
        call_state, size = state.copy(), integer.bits // 8
        src = Region("the values", SOURCE, size * len(values))
        dst = Region("the destination", DESTINATION, capacity, True)
        for index, value in enumerate(values):
            call_state.memory.store(SOURCE + size * index, value, endness="Iend_LE", inspect=False)
        arguments = [KERNEL, SOURCE, len(values), DESTINATION, capacity]
        for end in self.machine.call(call_state, f"kernel_encode_{integer.name}", arguments, [self.handle, src, dst]):
            yield end, load(end, DESTINATION, capacity), end.regs.rax

    def decode(
        self, state: State, integer: Integer, src: Sequence[BV], capacity: int, function: str
    ) -> Iterator[tuple[State, BulkOutcome]]:
        """Yields the outcome of `decode_slice` or `decode_slice_canonical` on every path."""
        call_state, size = state.copy(), integer.bits // 8
        source, result = Region("the input", SOURCE, len(src)), Region("the result", RESULT, 32, True)
        dst = Region("the slots", DESTINATION, size * capacity, True)
        store(call_state, SOURCE, src)
        arguments = [KERNEL, SOURCE, len(src), DESTINATION, capacity, RESULT]
        for end in self.machine.call(
            call_state, f"kernel_{function}_{integer.name}", arguments, [self.handle, source, dst, result]
        ):
            slots = [
                end.memory.load(DESTINATION + size * index, size, endness="Iend_LE", inspect=False)
                for index in range(capacity)
            ]
            yield end, BulkOutcome(*(word(end, RESULT + 8 * index) for index in range(4)), slots)
