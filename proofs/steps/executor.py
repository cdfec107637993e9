"""Runs a function of which no loop turns without end: single values, and steps. A loop in a function is a
loop of calls of a step, each of which its contract replaces. No invariant is inferred: a proof states what
a function may assume, and what it has to show, in terms of its arguments."""

import copy
import functools
import itertools
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import z3
from iced_x86 import EncodingKind, FlowControl, Instruction, MemorySizeExt

from model.failures import Inconclusive, Refuted
from model.image import Image
from model.instructions import execute, target
from model.machine import GENERAL, Operands, State, address_of, has_memory, mnemonic, select
from model.moves import ALIGNED, UNALIGNED
from model.terms import Byte, Word, as_bytes, choose, known, lanes, part, simplified, simplified_bit, term, zero_extend

RETURN, STACK = 0xFFFF_FFFF_0000_0000, 0x7FFF_0000_0000  # STACK is where the caller's arguments are
FRAME = range(STACK - (1 << 16), STACK)  # where the function may write
LENT = STACK + 256  # memory of the caller at known addresses
ARGUMENTS = "RDI RSI RDX RCX R8 R9".split()
KEPT = "RBX RBP RSP R12 R13 R14 R15".split()
LONGEST = (1 << 63) - 1  # the greatest size of a Rust slice in bytes
LIMIT = 100_000  # instructions of all paths together
ENTRIES = 70  # the most entries of a table that an address may select
_serial = itertools.count()


def fresh(name: str, width: int = 64) -> z3.BitVecRef:
    """Returns a new unknown."""
    return z3.BitVec(f"{name}!{next(_serial)}", width)


@functools.cache
def _unknown_vectors(serial: int) -> list[list[Byte]]:
    """Vectors of which nothing is known. A path that forgets them again takes the next ones."""
    return [[Byte(z3.BitVec(f"vector{serial}.{index}.{at}", 8)) for at in range(64)] for index in range(32)]


def check(*claims: z3.BoolRef) -> z3.ModelRef | None:
    """Returns an example of which all claims are true, or None if there is none."""
    solver = z3.SolverFor("QF_UFBV")
    solver.set("timeout", 60_000)
    solver.add(*claims)
    answer = solver.check()
    if answer == z3.unknown:
        raise Inconclusive(f"the solver has no answer: {solver.reason_unknown()}")
    return solver.model() if answer == z3.sat else None


@dataclass
class Region:
    """Memory that the caller lends: its size, and its content as a function of an offset and an index."""

    name: str
    size: Any
    content: Callable[["Path", Any, int], Any] | None = None  # None: it can be written, and is not read

    @property
    def start(self) -> z3.BitVecRef:
        return z3.BitVec(self.name, 64)


class Memory:
    """Regions at unknown addresses, and bytes at known ones: the stack, what is lent, and the library."""

    def __init__(self, image: Image, regions: Sequence[Region]) -> None:
        self.image, self.regions = image, regions
        self.stack: dict[int, Any] = {}
        self.lent: list[range] = []

    def copy(self) -> "Memory":
        other = copy.copy(self)
        other.stack = dict(self.stack)
        return other

    def _find(self, path: "Path", address: Word, bits: list[Any], writes: bool) -> tuple[Region, Any] | None:
        """Returns the region of an access and its offset, after the proof that the bytes whose bit is set are
        within. Or it returns that there is no region."""
        names = {str(one) for one in variables(address)}
        found = [one for one in self.regions if one.name in names]
        if len(found) != 1:
            return None
        [region] = found
        if writes == (region.content is not None):
            raise Refuted(f"near {path.address:#x}: {'writes to' if writes else 'reads'} {region.name}")
        offset, whole = z3.simplify(address - region.start), term(region.size, 64)
        left, is_whole = whole - offset, all(bit is True for bit in bits)
        each = [z3.ULE(len(bits), left)] if is_whole else [z3.Implies(bit, z3.UGT(left, at)) for at, bit in enumerate(bits)]
        path.prove(z3.And(z3.ULE(offset, whole), *each), f"accesses {len(bits)} bytes at {offset} of {region.name}")
        return region, simplified(offset)

    def load(self, path: "Path", address: Word, size: int) -> list[Any]:
        address = simplified(address)
        if known(address):
            return [self.fixed(address + index) for index in range(size)]
        found = self._find(path, address, [True] * size, writes=False)
        return [found[0].content(path, found[1], index) for index in range(size)] if found else path.table(address, size)

    def load_masked(self, path: "Path", address: Word, bits: list[Any]) -> list[Any]:
        """Returns the bytes that the mask selects, and zeros for the others, which are not accessed."""
        bits = _settled(path, bits)
        found = self._find(path, simplified(address), bits, writes=False)
        if not found:
            raise Inconclusive(f"near {path.address:#x}: an unknown mask")
        content = [bit is not False and found[0].content(path, found[1], index) for index, bit in enumerate(bits)]
        return select(bits, content, [0] * len(bits), 1)

    def fixed(self, address: int) -> Any:
        """Returns the byte at a known address."""
        if address in self.stack:
            return self.stack[address]
        if address in FRAME or any(address in one for one in self.lent):
            raise Inconclusive(f"reads {address:#x} before it is written")
        if not self.image.is_constant(address):
            raise Inconclusive(f"reads a variable at {address:#x}")
        return self.image.constant(address, 1)[0]

    def store(self, path: "Path", address: Word, new: list[Any]) -> None:
        self.store_masked(path, address, new, [True] * len(new))

    def store_masked(self, path: "Path", address: Word, new: list[Any], bits: list[Any]) -> None:
        """Stores the bytes that the mask selects. A contract that allows an unknown mask has a list of masks."""
        address, bits = simplified(address), [simplified_bit(bit) for bit in bits]
        if all(known(bit) for bit in bits):
            count = sum(bits)
            is_front, new, bits = not any(bits[count:]), new[:count], bits[:count]
        else:
            is_front = path.store_masks is not None and not known(address)
        if not is_front:
            raise Inconclusive(f"near {path.address:#x}: a store with an unknown mask")
        if known(address):
            if not any(address in one and address + len(new) - 1 in one for one in (FRAME, *self.lent)):
                raise Refuted(f"near {path.address:#x}: writes to {address:#x}")
            self.stack |= {address + index: byte for index, byte in enumerate(new)}
            return
        found = self._find(path, address, bits, writes=True)
        if not found:
            raise Refuted(f"near {path.address:#x}: writes to {address}")
        if not all(bit is True for bit in bits):
            path.store_masks = path.store_masks | {len(path.stores): bits}
        path.stores.append((found[0].name, term(found[1], 64), list(new)))


def _settled(path: "Path", bits: list[Any]) -> list[Any]:
    """Returns the bits as they are for all inputs of a path, if they are the same for all."""
    bits = [simplified_bit(bit) for bit in bits]
    model = check(*path.conditions)
    if model is None:
        raise Inconclusive("a path that no input takes")
    some = [bit if known(bit) else z3.is_true(model.eval(bit, model_completion=True)) for bit in bits]
    others = [bit != one for bit, one in zip(bits, some, strict=True) if not known(bit)]
    return bits if check(*path.conditions, z3.Or(*others)) is not None else some


class Path(State):
    """One way through a function. At its start everything but the arguments is unknown."""

    memory: Memory
    store_masks: dict[int, list[Any]] | None = None  # of stores of which not all bytes are written, by number
    asks_for_all = True  # whether the solver is asked if every input takes a way

    def __init__(
        self, image: Image, regions: Sequence[Region], facts: Iterable[z3.BoolRef], arguments: Sequence[Any]
    ) -> None:
        super().__init__(Memory(image, regions))
        self.image = image
        self.conditions = list(facts)
        self.stores: list[tuple[str, z3.BitVecRef, list[Any]]] = []  # region, offset and bytes, in order
        self.general = [fresh(name) for name in GENERAL]
        self.forgotten = 0
        self.vectors = list(_unknown_vectors(0))
        self.masks = [[z3.Bool(f"mask{index}.{at}") for at in range(64)] for index in range(8)]
        self.flags = dict.fromkeys(self.flags)
        for index, value in enumerate(arguments):
            if isinstance(value, bool):  # As rustc does, the caller extends it in a register.
                width = 32 if index < len(ARGUMENTS) else 8
                value = z3.Concat(fresh("unspecified", 64 - width), z3.BitVecVal(value, width))
            if index < len(ARGUMENTS):
                self.set(ARGUMENTS[index], value)
            else:
                self.put(STACK + 8 * (index - len(ARGUMENTS)), value)
        self.set("RSP", STACK - 8)
        self.memory.store(self, STACK - 8, as_bytes([RETURN], 64))
        self.at_start = {name: self.get(name) for name in KEPT}

    def copy(self) -> "Path":
        other = copy.copy(self)
        other.general, other.vectors, other.masks = list(self.general), list(self.vectors), list(self.masks)
        other.flags, other.conditions, other.stores = dict(self.flags), list(self.conditions), list(self.stores)
        other.memory = self.memory.copy()
        return other

    def get(self, name: str) -> Any:
        return self.general[GENERAL.index(name)]

    def set(self, name: str, value: Any) -> None:
        self.general[GENERAL.index(name)] = value

    def word(self, address: int, width: int = 64) -> Word:
        """Returns a word at a known address."""
        return simplified(lanes([self.memory.fixed(address + at) for at in range(width // 8)], width)[0], width)

    def words(self, address: int, count: int) -> list[z3.BitVecRef]:
        return [term(self.word(address + 8 * index), 64) for index in range(count)]

    def put(self, address: int, *words: Any) -> None:
        """Puts words of 64 bits at a known address."""
        self.memory.stack |= {address + at: byte for at, byte in enumerate(as_bytes(list(words), 64))}

    def forget(self, addresses: range) -> None:
        """Puts bytes there of which nothing is known."""
        self.memory.stack |= {at: Byte(fresh("unused", 8)) for at in addresses}

    def lend(self, address: int, size: int, *words: Any) -> None:
        """Lends memory that begins with these words."""
        self.memory.lent = [*self.memory.lent, range(address, address + size)]
        self.put(address, *words)

    def result(self) -> Any:
        """Returns a bool that the function returns, which is in the lowest byte."""
        return simplified(z3.Extract(7, 0, term(self.get("RAX"), 64)), 8)

    def returning(self, result: int) -> "Path":
        """Returns the path with this bool as the result of a call."""
        self.set("RAX", z3.Concat(fresh("unspecified", 56), z3.BitVecVal(result, 8)))
        return self

    def expect(self, address: int, *words: Any, what: str = "another progress") -> None:
        """Proves that these words are at an address."""
        self.prove(z3.And(*[a == b for a, b in zip(self.words(address, len(words)), words, strict=True)]), what)

    def check_arguments(self, *values: Any) -> None:
        """Proves that a function is called with these arguments, of which `None` may be anything."""
        for number, value in enumerate(values):
            if value is None:
                continue
            is_bool = isinstance(value, bool) or (not known(value) and value.size() == 8)
            width = 64 if not is_bool else 32 if number < len(ARGUMENTS) else 8
            if number < len(ARGUMENTS):
                given = part(term(self.get(ARGUMENTS[number]), 64), 0, width)
            else:
                given = term(self.word(self.get("RSP") + 8 * (number - len(ARGUMENTS)), width), width)
            expected = zero_extend(term(value, 8), 8, width) if is_bool else value
            self.prove(given == expected, f"another argument {number}")

    def prove(self, claim: Any, what: str) -> None:
        claim = z3.simplify(z3.And(claim))
        if z3.is_true(claim):
            return
        model = check(*self.conditions, z3.Not(claim))
        if model is not None:
            example = ", ".join(f"{one} = {model[one]}" for one in itertools.islice(model.decls(), 6))
            raise Refuted(f"near {self.address:#x}: {what}: {example}")

    def check_end(self) -> None:
        """Proves that a function restores the registers that it must, and the stack."""
        for name in KEPT:
            before, now = self.at_start[name], self.get(name)
            if name == "RSP":
                before = before + 8
            if not (before == now if known(now) or known(before) else before.eq(z3.simplify(now))):
                raise Refuted(f"{name} is not restored")

    # What the model leaves to a proof.

    def number_of_zeros(self, value: Any, width: int, leading: bool) -> Word:
        return simplified(super().number_of_zeros(simplified(value, width), width, leading), width)

    def extracted(self, source: list[Any], mask: list[Any]) -> list[Any]:
        bits = [simplified_bit(bit) for bit in mask]
        if not all(known(bit) for bit in bits):
            raise Inconclusive(f"near {self.address:#x}: PEXT with an unknown mask")
        kept = [one for one, bit in zip(source, bits, strict=True) if bit]
        return kept + [False] * (64 - len(kept))

    def table(self, address: Word, size: int) -> list[Any]:
        """Returns the entry of a table at an address that may have several values."""
        entries: dict[int, list[Any]] = {}
        while (model := check(*self.conditions, *[address != one for one in entries])) is not None:
            at = model.eval(address, model_completion=True).as_long()
            if len(entries) == ENTRIES:
                raise Inconclusive(f"near {self.address:#x}: reads at an unknown address")
            if not self.image.is_constant(at):
                raise Refuted(f"near {self.address:#x}: reads {at:#x}")
            entries[at] = list(self.image.constant(at, size))
        result = None
        for at, entry in entries.items():
            pairs = zip(entry, result or entry, strict=True)
            result = [choose(8, address == at, one, other) for one, other in pairs]
        if result is None:
            raise Inconclusive("a path that no input takes")
        return as_bytes(result, 8)


def variables(expression: z3.ExprRef) -> set[z3.ExprRef]:
    """Returns the unknowns of a term."""
    seen, found, pending = set(), set(), [expression]
    while pending:
        one = pending.pop()
        if one.get_id() in seen:
            continue
        seen.add(one.get_id())
        if z3.is_const(one) and one.decl().kind() == z3.Z3_OP_UNINTERPRETED:
            found.add(one)
        pending += one.children()
    return found


Contract = Callable[[Path], list[Path]]


def run(start: Path, address: int, calls: Mapping[int, Contract] | None = None) -> list[Path]:
    """Runs all ways through a function to its end: both ways of a branch, unless no input takes one. `calls`
    has the contract of a called function by its address: it proves what that function needs, and returns the
    states after it."""
    start.address, facts = address, list(start.conditions)
    pending, done = [start], list[Path]()
    for _ in range(LIMIT):
        if not pending:
            ways = z3.Or(*[z3.And(*one.conditions[len(facts) :]) for one in done])
            if start.asks_for_all and check(*facts, z3.Not(ways)) is not None:
                raise Inconclusive("an input takes no way")
            return done
        path = pending.pop()
        if path.address == RETURN:
            path.check_end()
            done.append(path)
        else:
            pending += _after(path, start.image.instruction(path.address), calls or {})
    raise Inconclusive("too many instructions")


def _after(path: Path, instruction: Instruction, calls: Mapping[int, Contract]) -> list[Path]:
    """Returns the states after one instruction."""
    flow = instruction.flow_control
    called = target(Operands(path, instruction)) if flow in (FlowControl.CALL, FlowControl.INDIRECT_CALL) else None
    if called in calls:
        path.address = instruction.next_ip
        after = calls[called](path)
        for one in after:
            _forget(one)
        return after
    _check_alignment(path, instruction)
    taken = None
    if flow not in (FlowControl.EXCEPTION, FlowControl.INTERRUPT):
        taken = execute(path, instruction)
        panics = flow in (FlowControl.CALL, FlowControl.INDIRECT_CALL) and path.image.panics(path.address)
    else:
        panics = True
    if panics:
        if check(*path.conditions) is not None:
            raise Refuted(f"at {instruction.ip:#x}: panics")
        return []
    if taken is None:
        return [path]
    taken, ways = simplified_bit(taken), []
    for wanted, address in ((True, instruction.near_branch_target), (False, instruction.next_ip)):
        one = path
        if known(taken):
            if taken != wanted:
                continue
        else:
            one = path.copy()
            one.conditions.append(taken if wanted else z3.Not(taken))
            if check(*one.conditions) is None:
                continue
        one.address = address
        ways.append(one)
    return ways


def _check_alignment(path: Path, instruction: Instruction) -> None:
    """Proves that an access is aligned if the CPU requires it: in SSE any that is not a move of unaligned data."""
    name = mnemonic(instruction)
    if not has_memory(instruction) or name in UNALIGNED or name in ("lea", "nop"):
        return
    size = MemorySizeExt.size(instruction.memory_size)
    legacy = instruction.encoding == EncodingKind.LEGACY and size == 16
    if legacy or name in ALIGNED:
        address = term(address_of(path, instruction), 64)
        path.prove(address & (size - 1) == 0, "an access that is not aligned")


def _forget(path: Path) -> None:
    """Makes everything unknown that a called function may change, except for its result."""
    for name in GENERAL:
        if name not in KEPT and name != "RAX":
            path.set(name, fresh(name))
    path.forgotten += 1
    path.vectors = list(_unknown_vectors(path.forgotten))
    path.masks = [[z3.Bool(f"mask{index}.{at}.{path.forgotten}") for at in range(64)] for index in range(8)]
    path.flags = dict.fromkeys(path.flags)
