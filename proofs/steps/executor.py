"""Runs a function of which no loop turns without end: single values, and steps. A loop in a function is a
loop of calls of a step, each of which its contract replaces. No invariant is inferred: a proof states what
a function may assume, and what it has to show, in terms of its arguments."""

import copy
import functools
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import z3
from iced_x86 import FlowControl, Instruction, MemorySizeExt

from model import general, lanewise, moves  # noqa: F401, of which each adds rows to SEMANTICS
from model.image import Image, Inconclusive, Outcome, Refuted
from model.machine import GENERAL, Operands, State, address_of, execute, select
from model.terms import Byte, Word, as_bytes, choose, is_same, known, lanes, negate, part, simplified, term

from .questions import check, example_of, fresh, new_solver, only_value, prove, variables
from .tree import Tree, Way

RETURN, STACK = 0xFFFF_FFFF_0000_0000, 0x7FFF_0000_0000  # STACK is where the caller's arguments are
FRAME = range(STACK - (1 << 16), STACK)  # where the function may write
LENT = STACK + 256  # memory of the caller at known addresses
ARGUMENTS = "RDI RSI RDX RCX R8 R9".split()
KEPT = "RBX RBP RSP R12 R13 R14 R15".split()
LONGEST = (1 << 63) - 1  # the greatest size of a Rust slice in bytes
LARGE = 1 << 47  # bytes: more than a process on x86-64 has
LIMIT = 100_000  # instructions of all paths together
ENTRIES = 70  # the most entries of a table that an address may select
JUMPS = (FlowControl.UNCONDITIONAL_BRANCH, FlowControl.INDIRECT_BRANCH)
CALLING = (FlowControl.CALL, FlowControl.INDIRECT_CALL, *JUMPS)


@functools.cache
def _unknown_vectors(serial: int) -> list[list[Byte]]:
    """Vectors of which nothing is known. A path that forgets them again takes the next ones."""
    return [[Byte(z3.BitVec(f"vector{serial}.{index}.{at}", 8)) for at in range(64)] for index in range(32)]


@dataclass
class Region:
    """Memory that the caller lends: its size, its content as a function of an offset and an index, and whether the function
    is part of another one that lends less than there may be in a slice."""

    name: str
    size: Any
    content: Callable[["Path", Any, int], Any] | None = None  # None: it can be written, and is not read
    is_part: bool = False

    @property
    def start(self) -> z3.BitVecRef:
        return z3.BitVec(self.name, 64)


class Path(Way, State):
    """One way through a function. At its start everything but the arguments is unknown."""

    store_masks: dict[int, list[Any]] | None = None  # of stores of which not all bytes are written, by number
    second: Any = None  # the second word of the result of a call
    ran = 0  # the function that ends here

    def __init__(
        self, image: Image, regions: Sequence[Region], facts: Iterable[z3.BoolRef], arguments: Sequence[Any]
    ) -> None:
        super().__init__()
        self.image, self.regions = image, regions
        self.stack: dict[int, Any] = {}  # bytes at known addresses, also those that are lent
        self.lent: list[range] = []
        self.conditions = list(facts)
        self.found: list[tuple[Any, Any, Any]] = []  # offsets, and the bytes there, that the solver has found for a content
        self.stores: list[tuple[str, z3.BitVecRef, list[Any]]] = []  # region, offset and bytes, in order
        self.general = [fresh(name) for name in GENERAL]
        self.forgotten = 0  # times
        self.forget_registers()
        for index, value in enumerate(arguments):
            value = _passed(index, value)
            if not known(value) and value.size() < 64:
                value = z3.Concat(fresh("unspecified", 64 - value.size()), value)
            if index < len(ARGUMENTS):
                self.set(ARGUMENTS[index], value)
            else:
                self.put(STACK + 8 * (index - len(ARGUMENTS)), value)
        self.set("RSP", STACK - 8)
        self.put(STACK - 8, RETURN)
        self.at_start = {name: self.get(name) for name in KEPT}

    def forget_registers(self) -> None:
        """Makes everything unknown that a called function may change, except for its result."""
        for index, name in enumerate(GENERAL):
            self.general[index] = self.general[index] if name in KEPT or name == "RAX" else fresh(name)
        if self.second is not None:
            self.set("RDX", self.second)
            self.second = None
        self.vectors, serial = list(_unknown_vectors(self.forgotten)), self.forgotten
        self.masks = [[z3.Bool(f"mask{index}.{at}.{serial}") for at in range(64)] for index in range(8)]
        self.flags = dict.fromkeys(self.flags)
        self.forgotten += 1

    def copy(self) -> "Path":
        """Returns a path that can go another way. Lists and dictionaries are its own."""
        other = copy.copy(self)
        for name, value in vars(self).items():
            if isinstance(value, list | dict):
                setattr(other, name, value.copy())
        return other

    def end(self, why: str) -> "Path":
        """Returns the path, which ends in a contract that has nothing to show after this."""
        self.ended = why
        return self

    def get(self, name: str) -> Any:
        return self.general[GENERAL.index(name)]

    def set(self, name: str, value: Any) -> None:
        self.general[GENERAL.index(name)] = value

    # Memory: regions at unknown addresses, bytes at known ones, and the constants of the library.

    def regions_of(self, address: Word) -> list[Region]:
        """Returns the regions on whose start an address depends."""
        names = {str(one) for one in variables(address)}
        return [one for one in self.regions if one.name in names]

    def _find(self, address: Word, bits: list[Any], writes: bool) -> tuple[Region, Any] | None:
        """Returns the region of an access and its offset, after the proof that the bytes whose bit is set are
        within. Or it returns that there is no region."""
        found = self.regions_of(address)
        if len(found) != 1:
            return None
        [region] = found
        if writes == (region.content is not None):
            raise Refuted(f"near {self.address:#x}: {'writes to' if writes else 'reads'} {region.name}")
        offset, whole = z3.simplify(address - region.start), term(region.size, 64)
        left, is_whole = whole - offset, all(bit is True for bit in bits)
        each = [z3.ULE(len(bits), left)] if is_whole else [z3.Implies(bit, z3.UGT(left, at)) for at, bit in enumerate(bits)]
        self.prove(z3.And(z3.ULE(offset, whole), *each), f"accesses {len(bits)} bytes not all of which are in {region.name}")
        return region, simplified(offset)

    def load(self, address: Word, size: int) -> list[Any]:
        address = simplified(address)
        if known(address):
            return [self.fixed(address + index) for index in range(size)]
        found = self._find(address, [True] * size, writes=False)
        return [found[0].content(self, found[1], index) for index in range(size)] if found else self.table(address, size)

    def load_masked(self, address: Word, bits: list[Any]) -> list[Any]:
        """Returns the bytes that the mask selects, and zeros for the others, which are not accessed. A bit that is
        the same for all inputs of the path is known."""
        bits, model = [simplified(bit) for bit in bits], check(*self.conditions)
        some = [z3.is_true(model.eval(z3.And(bit), model_completion=True)) for bit in bits]
        if check(*self.conditions, z3.Or(*[bit != one for bit, one in zip(bits, some, strict=True)])) is None:
            bits = some
        found = self._find(simplified(address), bits, writes=False)
        if not found:
            raise Inconclusive(f"near {self.address:#x}: an unknown mask")
        content = [bit is not False and found[0].content(self, found[1], index) for index, bit in enumerate(bits)]
        return select(bits, content, [0] * len(bits), 1)

    def fixed(self, address: int) -> Any:
        """Returns the byte at a known address. What is not written there is unknown, such as padding."""
        if address in self.stack:
            return self.stack[address]
        if address in FRAME or any(address in one for one in self.lent):
            self.stack[address] = Byte(z3.BitVec(f"unwritten{address:x}", 8))
            return self.stack[address]
        if not self.image.is_constant(address):
            raise Inconclusive(f"reads a variable at {address:#x}")
        return self.image.constant(address, 1)[0]

    def store_masked(self, address: Word, new: list[Any], bits: list[Any]) -> None:
        """Stores the bytes that the mask selects. A contract that allows an unknown mask has a list of masks."""
        address, bits = simplified(address), [simplified(bit) for bit in bits]
        is_known = all(known(bit) for bit in bits)
        count = sum(bits) if is_known else len(bits)
        if any(bits[count:]) or not (is_known or (self.store_masks is not None and not known(address))):
            raise Inconclusive(f"near {self.address:#x}: a store with an unknown mask")
        new, bits = new[:count], bits[:count]
        if known(address):
            if not any(address in one and address + len(new) - 1 in one for one in (FRAME, *self.lent)):
                raise Refuted(f"near {self.address:#x}: writes to {address:#x}")
            self.stack |= {address + index: byte for index, byte in enumerate(new)}
            return
        found = self._find(address, bits, writes=True)
        if not found:
            raise Refuted(f"near {self.address:#x}: writes to {address}")
        if not is_known:
            self.store_masks = self.store_masks | {len(self.stores): bits}
        self.stores.append((found[0].name, term(found[1], 64), list(new)))

    def word(self, address: int, width: int = 64) -> Word:
        self.look()
        return simplified(lanes([self.fixed(address + at) for at in range(width // 8)], width)[0], width)

    def words(self, address: int, count: int) -> list[z3.BitVecRef]:
        return [term(self.word(address + 8 * index), 64) for index in range(count)]

    def put(self, address: int, *words: Any) -> None:
        """Puts words of 64 bits there."""
        self.stack |= {address + at: byte for at, byte in enumerate(as_bytes(list(words), 64))}

    def forget(self, addresses: range) -> None:
        """Puts bytes there of which nothing is known. Words make terms smaller."""
        words, rest = addresses[: len(addresses) // 8 * 8], addresses[len(addresses) // 8 * 8 :]
        self.put(addresses.start, *[fresh("unused") for _ in words[::8]])
        self.stack |= {at: Byte(fresh("unused", 8)) for at in rest}

    def lend(self, address: int, size: int, *words: Any) -> range:
        """Lends memory that begins with these words."""
        self.lent.append(range(address, address + size))
        self.put(address, *words)
        return self.lent[-1]

    # Results and arguments.

    def look(self) -> None:
        """Notes that a proof looks at this end of a function, if it is one."""
        self.image.ignored.discard(self.ran)

    def number(self, word: Word, width: int = 64) -> int:
        """Returns the number that a word is for all inputs of the path."""
        return only_value(word, *self.conditions, width=width)

    def result(self) -> z3.BitVecRef:
        """Returns a bool, or a small number, that the function returns, which is in the lowest byte."""
        return z3.Extract(7, 0, term(self.get("RAX"), 64))

    def outcome(self, out: Word) -> Outcome:
        """Returns what is known of a result. `out` is the first argument, which may be where the result is in memory."""
        low, out, returned = simplified(self.result(), 8), simplified(out), simplified(self.get("RAX"))
        in_memory = known(out) and all(at in self.stack for at in range(out, out + 8))
        word = self.word(out) if in_memory else None
        is_address = known(returned) and returned == out  # of which the lowest byte says nothing
        return low if known(low) and not is_address else None, word if known(word) else None

    def is_true(self, at: int | None = None) -> bool:
        """Returns a bool that the function returns, or that is the word at an address. It is the same for all inputs of
        the path."""
        result = self.number(self.result(), 8) if at is None else self.number(self.word(at))
        if result > 1:
            raise Refuted("an unknown result")
        return result == 1

    def returning(self, result: int) -> "Path":
        """Returns the path with this bool as the result of a call."""
        self.set("RAX", z3.Concat(fresh("unspecified", 56), z3.BitVecVal(result, 8)))
        return self

    def expect(self, address: int, *words: Any, what: str = "another progress") -> None:
        """Proves that these words are at an address."""
        self.prove(z3.And(*[a == b for a, b in zip(self.words(address, len(words)), words, strict=True)]), what)

    def check_returned(self, first: Any, second: Any) -> None:
        """Proves that a function returns these two words as the progress."""
        self.prove(z3.And(self.get("RAX") == first, self.get("RDX") == second), "another progress")

    def check_arguments(self, *values: Any) -> None:
        """Proves that a function is called with these arguments, of which `None` may be anything."""
        for number, value in enumerate(values):
            if value is None:
                continue
            value = term(_passed(number, value), 64)
            if number < len(ARGUMENTS):
                given = part(term(self.get(ARGUMENTS[number]), 64), 0, value.size())
            else:
                given = self.word(self.get("RSP") + 8 * (number - len(ARGUMENTS)), value.size())
            self.prove(given == value, f"another argument {number}")

    def prove(self, claim: Any, what: str) -> None:
        self.look()
        claim = z3.simplify(z3.And(claim))
        if not z3.is_true(claim):
            prove(claim, f"near {self.address:#x}: {what}", *self.conditions)

    def lengths(self) -> list[Region]:
        """Returns the regions whose length is an argument, perhaps as a number of values, and any that a slice can have."""
        unknown = [one for one in self.regions if variables(one.size) and not one.is_part]
        return [one for one in unknown if all(map(z3.is_const, one.size.children()))]

    def check_lengths(self) -> None:
        """Proves that the facts at a start bound no length."""
        for one in self.lengths():
            if check(*self.conditions, z3.ULE(LARGE, one.size)) is None:
                raise Inconclusive(f"no input has a long {one.name}: what is assumed bounds its length")

    def check_end(self) -> None:
        """Proves that a function restores the registers that it must, and the stack."""
        self.at_start["RSP"] += 8
        for name, before in self.at_start.items():
            if not is_same(before, simplified(self.get(name))):
                raise Refuted(f"{name} is not restored")

    # What the model leaves to a proof.

    def number_of_zeros(self, value: Any, width: int, leading: bool) -> Word:
        return simplified(super().number_of_zeros(simplified(value, width), width, leading), width)

    def table(self, address: Word, size: int) -> list[Any]:
        """Returns the entry of a table at an address that may have several values."""
        solver, entries = new_solver(*self.conditions), dict[int, bytes]()
        while (model := example_of(solver)) is not None:
            at = model.eval(address, model_completion=True).as_long()
            if len(entries) == ENTRIES:
                raise Inconclusive(f"near {self.address:#x}: reads at an unknown address")
            if not self.image.is_constant(at):
                raise Refuted(f"near {self.address:#x}: reads {at:#x}")
            entries[at] = self.image.constant(at, size)
            solver.add(address != at)
        result: list[Any] = []
        for at, entry in sorted(entries.items()):  # in this order, so that equal tables are equal terms
            result = [choose(8, address == at, *pair) for pair in zip(entry, result or entry, strict=True)]
        return as_bytes(result, 8)


def _passed(number: int, value: Any) -> Word:
    """Returns an argument as it is passed. A bool in a register is extended by the caller, as rustc does."""
    if not isinstance(value, bool | z3.BoolRef):
        return value
    width = 32 if number < len(ARGUMENTS) else 8
    return z3.If(value, z3.BitVecVal(1, width), z3.BitVecVal(0, width))


Contract = Callable[[Path], list[Path]]


def run(start: Path, address: int, calls: Mapping[int, Contract] | None = None) -> list[Path]:
    """Runs all ways through a function to its end: both ways of a branch, unless no input takes one. `calls`
    has the contract of a called function by its address: it proves what that function needs, and returns the
    states after it."""
    start.address, start.side, tree, out, calls = address, None, Tree(), start.get("RDI"), calls or {}
    start.check_taken("the start")
    start.check_lengths()
    pending, done = [start], list[Path]()
    for _ in range(LIMIT):
        if not pending:
            tree.check(done)
            return done
        path = pending.pop()
        if path.address == RETURN:
            path.check_taken("an end")
            path.check_end()
            path.image.results.setdefault(address, set()).add(path.outcome(out))
            path.image.ignored.add(address)
            path.ran = address
            done.append(path)
            continue
        if path.address in calls and path.address != address:  # by a conditional jump
            after = _call(path, path.address, path.address, general.pop(path), calls[path.address], tree)
        else:
            after = _after(path, start.image.instruction(path.address), calls, tree)
        pending += [one for one in after if not one.ended]
    raise Inconclusive("too many instructions")


def _after(path: Path, instruction: Instruction, calls: Mapping[int, Contract], tree: Tree) -> list[Path]:
    """Returns the states after one instruction."""
    flow = instruction.flow_control
    if flow == FlowControl.INDIRECT_BRANCH and not known(to := simplified(Operands(path, instruction).read(0))):
        return _jump(path, instruction, to, tree)
    called = general.target(Operands(path, instruction)) if flow in CALLING else None
    if called in calls:
        to = general.pop(path) if flow in JUMPS else instruction.next_ip
        return _call(path, instruction.ip, called, to, calls[called], tree)
    if flow in (FlowControl.EXCEPTION, FlowControl.INTERRUPT) or path.image.panics(called):
        if check(*path.conditions) is not None:
            raise Refuted(f"at {instruction.ip:#x}: panics")
        tree.end(path)
        return [path]
    _check_alignment(path, instruction)
    taken = execute(path, instruction)
    if taken is None:
        return [path]
    taken = simplified(taken)
    ways = [(instruction.near_branch_target, taken), (instruction.next_ip, negate(taken))]
    if known(taken):
        path.address = ways[not taken][0]
        return [path]
    after = [path.copy(), path.copy()]
    for one, (one.address, condition) in zip(after, ways, strict=True):
        one.conditions.append(condition)
    tree.fork(instruction.ip, after)
    return after


def _call(path: Path, place: int, called: int, to: int, contract: Contract, tree: Tree) -> list[Path]:
    """Returns the states after a call of a function with a contract, which returns to this address. If it is called by a
    jump, that is where the caller returns to."""
    path.address = to
    path.set("RAX", fresh("result"))
    path.check_taken(f"a call at {place:#x}")
    out, outcomes = path.get("RDI"), path.image.contracts.setdefault(called, set())
    after = contract(path)
    for one in after:
        one.forget_registers()
    tree.fork(place, after, called)
    outcomes.update(one.outcome(out) for one in after if not one.ended)
    return after


def _jump(path: Path, instruction: Instruction, address: Word, tree: Tree) -> list[Path]:
    """Returns the states after a jump to one of several addresses, which a table has."""
    solver, after = new_solver(*path.conditions), list[Path]()
    while (model := example_of(solver)) is not None and len(after) < ENTRIES:
        after.append(path.copy())
        after[-1].address = model.eval(address, model_completion=True).as_long()
        after[-1].conditions.append(address == after[-1].address)
        solver.add(address != after[-1].address)
    tree.fork(instruction.ip, after)
    return after


def _check_alignment(path: Path, instruction: Instruction) -> None:
    """Proves that an access is aligned if the CPU requires it."""
    if moves.needs_alignment(instruction):
        address, size = term(address_of(path, instruction), 64), MemorySizeExt.size(instruction.memory_size)
        path.prove(address & (size - 1) == 0, "an access that is not aligned")
