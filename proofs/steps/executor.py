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

from model.image import Image
from model.instructions import execute, target
from model.machine import GENERAL, State, address_of, has_memory, mnemonic, select
from model.terms import Byte, Word, as_bytes, choose, known, lanes, plain, simplified, simplified_bit, term

from model.failures import Inconclusive, Refuted

RETURN, STACK = 0xFFFF_FFFF_0000_0000, 0x7FFF_0000_0000
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

    def _find(self, path: "Path", address: Word, size: int) -> tuple[Region | None, Any]:
        """Returns the region of an access and its offset, after the proof that it is within."""
        names = {str(one) for one in variables(address)}
        found = [one for one in self.regions if one.name in names]
        if len(found) != 1:
            return None, address
        offset, whole = z3.simplify(address - found[0].start), term(found[0].size, 64)
        within = z3.And(z3.ULE(offset, whole), z3.ULE(size, whole - offset))
        path.prove(within, f"accesses {size} bytes at {offset} of {found[0].name}")
        return found[0], simplified(offset)

    def load(self, path: "Path", address: Word, size: int) -> list[Any]:
        address = simplified(address)
        if known(address):
            return [self.fixed(address + index) for index in range(size)]
        region, offset = self._find(path, address, size)
        if region is None:
            return path.table(address, size)
        if region.content is None:
            raise Refuted(f"near {path.address:#x}: reads {region.name}")
        return [region.content(path, offset, index) for index in range(size)]

    def fixed(self, address: int) -> Any:
        """Returns the byte at a known address."""
        if address in self.stack:
            return self.stack[address]
        if address in FRAME or any(address in one for one in self.lent):
            raise Inconclusive(f"reads {address:#x} before it is written")
        if not self.image.is_constant(address):
            raise Inconclusive(f"reads a variable at {address:#x}")
        self.image.read_constants.add(address)
        return self.image.read(address, 1)[0]

    def store(self, path: "Path", address: Word, new: list[Any]) -> None:
        address = simplified(address)
        if known(address):
            if not any(address in one and address + len(new) - 1 in one for one in (FRAME, *self.lent)):
                raise Refuted(f"near {path.address:#x}: writes to {address:#x}")
            self.stack |= {address + index: byte for index, byte in enumerate(new)}
            return
        region, offset = self._find(path, address, len(new))
        if region is None or region.content is not None:
            raise Refuted(f"near {path.address:#x}: writes to {region.name if region else address}")
        path.stores.append((region.name, term(offset, 64), list(new)))

    def load_masked(self, path: "Path", address: Word, bits: list[Any]) -> list[Any]:
        """Returns the bytes that the mask selects, and zeros for the others, which are not accessed."""
        bits = _settled(path, bits)
        offset, region = self._find_masked(path, address, bits)
        if region.content is None:
            raise Refuted(f"near {path.address:#x}: reads {region.name}")
        content = [bit is not False and region.content(path, offset, index) for index, bit in enumerate(bits)]
        return select(bits, content, [0] * len(bits), 1)

    def _find_masked(self, path: "Path", address: Word, bits: list[Any]) -> tuple[Any, Region]:
        region, offset = self._find(path, simplified(address), 0)
        if region is None:
            raise Inconclusive(f"near {path.address:#x}: an unknown mask")
        left = term(region.size, 64) - offset
        within = [z3.Implies(bit, z3.UGT(left, index)) for index, bit in enumerate(bits)]
        path.prove(z3.And(*within), f"accesses bytes at {offset} of {region.name}")
        return offset, region

    def store_masked(self, path: "Path", address: Word, new: list[Any], bits: list[Any]) -> None:
        """Stores the bytes that the mask selects. A contract that allows an unknown mask has a list of masks."""
        bits = [simplified_bit(bit) for bit in bits]
        if path.store_masks is not None and not all(known(bit) for bit in bits):
            offset, region = self._find_masked(path, address, bits)
            if region.content is not None:
                raise Refuted(f"near {path.address:#x}: writes to {region.name}")
            path.store_masks = path.store_masks | {len(path.stores): bits}
            path.stores.append((region.name, term(offset, 64), list(new)))
            return
        count = bits.index(False) if False in bits else len(bits)
        if bits != [True] * count + [False] * (len(bits) - count):
            raise Inconclusive(f"near {path.address:#x}: a store with an unknown mask")
        self.store(path, address, new[:count])


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

    def __init__(self, image: Image, regions: Sequence[Region], facts: Iterable[z3.BoolRef], arguments: Sequence[Any]) -> None:
        super().__init__(Memory(image, regions))
        self.image = image
        self.conditions = list(facts)
        self.stores: list[tuple[str, z3.BitVecRef, list[Any]]] = []  # region, offset and bytes, in order
        self.general = [fresh(name) for name in GENERAL]
        self.forgotten = 0
        self.vectors = list(_unknown_vectors(0))
        self.masks = [[z3.Bool(f"mask{index}.{at}") for at in range(64)] for index in range(8)]
        self.flags = dict.fromkeys(self.flags)
        for name, value in zip(ARGUMENTS, arguments, strict=False):
            self.set(name, value)
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
        return plain(self.general[GENERAL.index(name)])

    def set(self, name: str, value: Any) -> None:
        self.general[GENERAL.index(name)] = value

    def word(self, address: int, width: int = 64) -> Word:
        """Returns a word at a known address."""
        return simplified(lanes([self.memory.fixed(address + at) for at in range(width // 8)], width)[0], width)

    def prove(self, claim: z3.BoolRef, what: str) -> None:
        claim = z3.simplify(claim)
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
        return simplified(super().number_of_zeros(simplified(plain(value), width), width, leading), width)

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
            entries[at] = list(self.image.read(at, size))
            self.image.read_constants.update(range(at, at + size))
        result = None
        for at, entry in entries.items():
            pairs = zip(entry, result or entry, strict=True)
            result = [choose(8, address == at, one, other) for one, other in pairs]
        if result is None:
            raise Inconclusive("a path that no input takes")
        return [one if known(one) else Byte(one) for one in result]


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
    called = target(path, instruction) if flow in (FlowControl.CALL, FlowControl.INDIRECT_CALL) else None
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
    if not has_memory(instruction) or name in ("movdqu", "movups", "lea", "nop"):
        return
    size = MemorySizeExt.size(instruction.memory_size)
    legacy = instruction.encoding == EncodingKind.LEGACY and size == 16
    if legacy or name in ("vmovdqa", "vmovaps", "vmovdqa32", "vmovdqa64"):
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
