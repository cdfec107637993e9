"""Which functions of a library have the code of functions that proofs run, wherever the linker has put them. Instructions are
the same except for addresses. Functions of the crate that are called, and constants, are compared in turn; other functions and
variables by their names. Constants of unknown size are compared as far as the next place, in one of the libraries, to which
an instruction, a pointer or a symbol refers."""

import functools
import re
from bisect import bisect_left, bisect_right
from collections import Counter
from collections.abc import Collection, Mapping

from iced_x86 import FlowControl, Instruction, MemorySizeExt, OpKind

from model.image import Function, Image, Inconclusive

CRATE = "zigzag_varint"
ENTRY = 4  # bytes of an entry in a table of jumps, which is an offset from the table

Pairs = list[tuple[int, int]]  # of addresses in two libraries


class Code:
    """The functions of a library by address, their instructions, and where data ends at the latest."""

    def __init__(self, image: Image) -> None:
        self.image = image
        self.functions = {one.address: one for one in image.functions() if one.size}
        self.code = {at: image.code(one) for at, one in self.functions.items()}
        referred = {_referred(one) for code in self.code.values() for one in code} - {None}
        self._starts = sorted({*referred, *image.pointers.values(), *image.borders()})
        self._pointers = sorted(image.pointers)

    def of_crate(self, exports: Collection[str]) -> list[Function]:
        """Returns the functions of the crate, and those with the name of an export."""
        return [one for one in self.functions.values() if CRATE in one.label or one.name in exports]

    def size(self, address: int) -> int:
        """Returns the most bytes that data at an address can have."""
        return self._starts[bisect_right(self._starts, address)] - address

    def pointers(self, address: int, size: int) -> list[int]:
        """Returns the offsets of pointers in data."""
        first, last = (bisect_left(self._pointers, at) for at in (address, address + size))
        return [at - address for at in self._pointers[first:last]]

    def jumps(self, address: int, size: int, function: Function) -> list[int]:
        """Returns the offsets in a function that a table of jumps begins with."""
        found = list[int]()
        for at in range(address, address + size - ENTRY + 1, ENTRY):
            offset = address + int.from_bytes(self.image.read(at, ENTRY), "little", signed=True) - function.address
            if offset not in range(function.size):
                break
            found.append(offset)
        return found

    def called(self, address: int) -> Function:
        """Returns the function at an address, or the one to which it only jumps."""
        [first, *_] = self.code[address]
        target = _referred(first) if first.flow_control == FlowControl.UNCONDITIONAL_BRANCH else None
        return self.called(target) if target != address and target in self.functions else self.functions[address]

    def variable(self, address: int) -> tuple[str, int] | None:
        """Returns the name of a variable, or of a function of another library, and the offset in it. Constants have none."""
        try:
            if self.image.is_constant(address):
                return None
        except Inconclusive:  # It is not in the file, which has no zeros.
            pass
        symbol = self.image.around(address)
        return (symbol.name, address - symbol.address) if symbol else (str(self.image.path), address)


def _referred(one: Instruction) -> int | None:
    """Returns the address in an instruction."""
    if one.is_ip_rel_memory_operand:
        return one.ip_rel_memory_address
    return one.near_branch_target if one.op_count and one.op0_kind == OpKind.NEAR_BRANCH64 else None


def _without_address(one: Instruction) -> Instruction:
    one = one.copy()
    if one.is_ip_rel_memory_operand:
        one.memory_displacement = 0
    elif _referred(one) is not None:
        one.near_branch64 = 0
    return one


def compare_shipped(
    shipped: Code, builds: Mapping[str, Code], executed: Mapping[str, Collection[int]]
) -> tuple[list[str], dict[str, int]]:
    """Returns which functions of the crate in a library do not have the code of functions that proofs run, and figures of
    all. Types are left out of the names. What no proof executes of a function is listed elsewhere."""
    exports = {one.name for one in builds["release"].functions.values() if one.kind == "T"}
    proved = {
        Matcher(shipped, code): [one for one in code.of_crate(exports) if one.address in executed[build]]
        for build, code in builds.items()
    }
    functions = shipped.of_crate(exports)
    other = [one for one in functions if not any(pair.counterpart(one, among) for pair, among in proved.items())]
    lines = [f"{count:>5} {name}" for name, count in Counter(_without_types(one) for one in other).items()]
    size, left = (sum(one.size for one in some) for some in (functions, other))
    return lines, {
        "functions shipped": len(functions), "with proved code": len(functions) - len(other),
        "bytes of their code": size, "bytes of proved code": size - left,
    }  # fmt: skip


class Matcher:
    """Finds functions of one library in another one."""

    def __init__(self, one: Code, other: Code) -> None:
        self.one, self.other = one, other
        self._calls = functools.cache(self._calls)

    def counterpart(self, function: Function, among: Collection[Function]) -> Function | None:
        """Returns a function of the other library with the name and the code of one of the first library."""
        alike = (one for one in among if one.size == function.size and _last_name(one) == _last_name(function))
        return next((one for one in alike if self._is_same(function.address, one.address)), None)

    def _is_same(self, one: int, other: int) -> bool:
        pending, seen = [(one, other)], set[tuple[int, int]]()
        while pending:
            pair = pending.pop()
            if pair not in seen:
                seen.add(pair)
                calls = self._calls(*pair)
                if calls is None:
                    return False
                pending += calls
        return True

    def _calls(self, one: int, other: int) -> Pairs | None:
        """Returns the pairs of functions of the crate that two functions call, or None if their own code differs."""
        functions, calls = (self.one.functions[one], self.other.functions[other]), Pairs()
        if functions[0].size != functions[1].size:
            return None
        for a, b in zip(self.one.code[one], self.other.code[other], strict=False):
            if a.ip - one != b.ip - other or _without_address(a) != _without_address(b):
                return None
            places, size = (_referred(a), _referred(b)), MemorySizeExt.size(a.memory_size)
            if places[0] is not None and not self._is_same_place(*places, size, functions, calls, set()):
                return None
        return calls

    def _is_same_place(
        self, a: int, b: int, size: int, functions: tuple[Function, Function], calls: Pairs, seen: set[tuple[int, int]]
    ) -> bool:
        """Whether what two functions refer to is the same. Adds functions that have to be compared to `calls`."""
        one, other = functions
        if a in range(one.address, one.end) or b in range(other.address, other.end):
            return a - one.address == b - other.address
        if a in self.one.functions and b in self.other.functions:
            both = self.one.called(a), self.other.called(b)
            if all(CRATE in each.label for each in both):
                calls.append((both[0].address, both[1].address))
                return True
            return _last_name(both[0]) == _last_name(both[1])
        if self.one.image.is_code(a) or self.other.image.is_code(b):
            return False
        names = self.one.variable(a), self.other.variable(b)
        if (a, b) in seen or names != (None, None):
            return names[0] == names[1]
        seen.add((a, b))
        count = size or min(self.one.size(a), self.other.size(b))
        pointers = self.one.pointers(a, count)
        if pointers != self.other.pointers(b, count):
            return False
        starts = [0, *(at + 8 for at in pointers)]
        if all(
            self.one.image.read(a + start, end - start) == self.other.image.read(b + start, end - start)
            for start, end in zip(starts, [*pointers, count], strict=True) if start < end
        ):  # fmt: skip
            targets = [(self.one.image.pointers[a + at], self.other.image.pointers[b + at]) for at in pointers]
            return all(self._is_same_place(*pair, 0, functions, calls, seen) for pair in targets)
        jumps = [] if size else self.one.jumps(a, count, one)
        return bool(jumps) and jumps == self.other.jumps(b, count, other)


def _without_types(function: Function) -> str:
    return re.sub(r"::<.*>$", "", function.name)


def _last_name(function: Function) -> str:
    return _without_types(function).rsplit("::", 1)[-1]
