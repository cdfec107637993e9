"""Results that are kept. A kept result is that of a property as long as its contract, the model, and all code and
constants that its proof has used are the same, wherever the library has them now."""

import dataclasses
import hashlib
import inspect
import json
import re
from bisect import bisect_right
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

from iced_x86 import Decoder, Instruction, OpKind

from model.failures import Inconclusive
from model.image import Image

from .properties import Property

Evidence = dict[str, Any]


class Outcome(NamedTuple):
    """How a proof ended, and the processor time that it took."""

    status: str
    detail: str
    seconds: float


@dataclasses.dataclass(frozen=True)
class Result:
    """The result of a proof, the memory it took, the instructions it executed, and which faults survive."""

    name: str
    outcome: Outcome
    kibibytes: int
    code: list[tuple[int, bytes]]  # addresses and bytes
    faults: int
    survivors: list[str]
    is_kept: bool = False  # of an earlier run


class Results:
    """A folder with a file for each result."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        folder.mkdir(parents=True, exist_ok=True)

    def _file(self, one: Property) -> Path:
        return self.folder / f"{re.sub('[^a-z0-9]+', '-', one.name)}.json"

    def save(self, one: Property, image: Image, result: Result) -> None:
        """Keeps a result of this image, in which nothing has been executed but its proof."""
        try:
            kept = {"contract": _contract(one), "evidence": _evidence(image), "result": dataclasses.asdict(result)}
        except Inconclusive:  # Something that was used has no name to find it by.
            self._file(one).unlink(missing_ok=True)
            return
        self._file(one).write_text(json.dumps(kept | {"result": kept["result"] | {"code": []}}))

    def load(self, one: Property, image: Image) -> Result | None:
        """Returns the result that is kept for a property, if it is that of this image."""
        if not self._file(one).is_file():
            return None
        kept = json.loads(self._file(one).read_text())
        try:
            if kept["contract"] != _contract(one) or not _is_same(image, kept["evidence"]):
                return None
        except Inconclusive:  # The image has no such function.
            return None
        outcome = Outcome(*kept["result"]["outcome"])
        return Result(**kept["result"] | {"outcome": outcome, "is_kept": True})


def _contract(one: Property) -> str:
    """Returns the hash of a contract with its arguments and of the prover's modules that it uses."""
    file, texts = Path(inspect.getfile(one.prove.func)), dict[Path, str]()
    pending = [file, *file.parents[1].glob("model/*.py"), file.parents[1] / "requirements.txt"]
    while pending:
        file = pending.pop()
        if file not in texts:
            texts[file] = file.read_text()
            pending += [file.with_name(f"{name}.py") for name in re.findall(r"^from \.(\w+) import", texts[file], re.M)]
    given = [one.prove.func.__qualname__, repr(sorted(one.prove.keywords.items()))]
    return _digest([*given, *(texts[file] for file in sorted(texts))])


def _digest(texts: list[str]) -> str:
    return hashlib.sha256("\0".join(texts).encode()).hexdigest()


def _evidence(image: Image) -> Evidence:
    """Returns what a proof has used: instructions by function, and constants by an instruction or a symbol."""
    code, operands = dict[str, list[int]](), dict[int, tuple[str, int]]()
    for instruction in image.executed():
        function = image.around(instruction.ip)
        code.setdefault(function.name, []).append(instruction.ip - function.address)
        if instruction.is_ip_rel_memory_operand:
            operands.setdefault(instruction.ip_rel_memory_address, (function.name, instruction.ip - function.address))
    starts, constants = sorted(operands), list[tuple[str, int, int, str]]()
    for first, size in _runs(sorted(image.read_constants)):
        index = bisect_right(starts, first)
        if index and first - starts[index - 1] < 1 << 16:
            near = starts[index - 1]
            where = (*operands[near], first - near)
        else:
            symbol = image.around(first)
            where = (symbol.name, -1, first - symbol.address)
        constants.append((*where, image.read(first, size).hex()))
    return {"code": {name: (at, _code_digest(image, name, at)) for name, at in code.items()}, "constants": constants}


def _runs(addresses: list[int]) -> Iterator[tuple[int, int]]:
    """Yields the starts and sizes of runs of adjacent addresses."""
    first = last = None
    for address in [*addresses, None]:
        if last is None or address != last + 1:
            if first is not None and last is not None:
                yield first, last + 1 - first
            first = address
        last = address


def _is_same(image: Image, evidence: Evidence) -> bool:
    """Whether an image has the same code and constants."""
    if any(_code_digest(image, name, places) != digest for name, (places, digest) in evidence["code"].items()):
        return False
    for name, at, offset, content in evidence["constants"]:
        start = image.named(name).address
        if at >= 0:
            start = image.instruction(start + at).ip_rel_memory_address
        address, size = start + offset, len(content) // 2
        if not image.is_constant(address) or image.read(address, size).hex() != content:
            return False
    return True


def _code_digest(image: Image, name: str, places: list[int]) -> str:
    """Returns the hash of instructions of a function, in which addresses elsewhere are names."""
    function = image.named(name)
    return _digest([_text(image, range(function.address, function.end), function.address + at) for at in places])


def _text(image: Image, within: range, address: int) -> str:
    one: Instruction = image.instruction(address)
    code, meaning = image.read(address, one.len), ""
    if one.is_ip_rel_memory_operand:  # The constants that are read there are compared.
        at = Decoder(64, code, ip=address).get_constant_offsets(one).displacement_offset
        code, meaning = code[:at] + code[at + 4 :], f"{one.ip_rel_memory_address % 64}"
    elif one.op_count and one.op0_kind == OpKind.NEAR_BRANCH64 and one.near_branch_target not in within and one.len > 4:
        target = image.around(one.near_branch_target)
        meaning = f"{target.name} {one.near_branch_target - target.address} {image.panics(one.near_branch_target)}"
        code = code[:-4]
    return f"{address - within.start} {code.hex()} {meaning}"
