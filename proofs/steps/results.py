"""Results that are kept. A kept result is that of a property as long as its contract, the model, and all code and
constants that its proof has used are the same, wherever the library has them now."""

import hashlib
import inspect
import json
import re
from bisect import bisect_right
from itertools import groupby
from pathlib import Path
from typing import Any

from iced_x86 import Decoder, Instruction, OpKind

from model.failures import Inconclusive
from model.image import Image

from .properties import Property

Evidence = dict[str, Any]


def keep(folder: Path, one: Property, image: Image) -> None:
    """Keeps that a property is proved for this image, in which nothing has been executed but its proof."""
    try:
        kept = {"contract": _contract(one), "evidence": _evidence(image)}
    except Inconclusive:  # Something that was used has no name to find it by.
        _file(folder, one).unlink(missing_ok=True)
        return
    folder.mkdir(parents=True, exist_ok=True)
    _file(folder, one).write_text(json.dumps(kept))


def is_kept(folder: Path, one: Property, image: Image) -> bool:
    """Whether a property was proved for what this image has."""
    if not _file(folder, one).is_file():
        return False
    kept = json.loads(_file(folder, one).read_text())
    try:
        return kept["contract"] == _contract(one) and _is_same(image, kept["evidence"])
    except Inconclusive:  # The image has no such function.
        return False


def _file(folder: Path, one: Property) -> Path:
    return folder / f"{re.sub('[^a-z0-9]+', '-', one.name)}.json"


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
        label = image.around(instruction.ip)
        at = instruction.ip - image.named(label).address
        code.setdefault(label, []).append(at)
        if instruction.is_ip_rel_memory_operand:
            operands.setdefault(instruction.ip_rel_memory_address, (label, at))
    starts, constants = sorted(operands), list[tuple[str, int, int, str]]()
    for _, run in groupby(enumerate(sorted(image.read_constants)), lambda pair: pair[1] - pair[0]):
        addresses = [address for _, address in run]  # adjacent ones
        first, size = addresses[0], len(addresses)
        index = bisect_right(starts, first)
        if index and first - starts[index - 1] < 1 << 16:
            near = starts[index - 1]
            where = (*operands[near], first - near)
        else:
            label = image.around(first)
            where = (label, -1, first - image.named(label).address)
        constants.append((*where, image.read(first, size).hex()))
    return {"code": {name: (at, _code_digest(image, name, at)) for name, at in code.items()}, "constants": constants}


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
        decoder = Decoder(64, code, ip=address)
        at = decoder.get_constant_offsets(decoder.decode()).displacement_offset
        code, meaning = code[:at] + code[at + 4 :], f"{one.ip_rel_memory_address % 64}"
    elif one.op_count and one.op0_kind == OpKind.NEAR_BRANCH64 and one.near_branch_target not in within and one.len > 4:
        target = image.around(one.near_branch_target)
        offset = one.near_branch_target - image.named(target).address
        meaning = f"{target} {offset} {image.panics(one.near_branch_target)}"
        code = code[:-4]
    return f"{address - within.start} {code.hex()} {meaning}"
