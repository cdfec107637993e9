"""Results that are kept. A kept result is that of a property as long as its contract, the model, and all code and
constants that its proof has used are the same, wherever the library has them now."""

import hashlib
import inspect
import json
import re
from bisect import bisect_right
from pathlib import Path

from iced_x86 import MemorySizeExt, OpKind

from model.image import Image, Inconclusive

from .properties import Property


Place = tuple[str, int, int]


def keep(folder: Path, one: Property, image: Image) -> None:
    """Keeps that a property is proved for this image, in which nothing has been executed but its proof."""
    file = _file(folder, one)
    try:
        places = _places(image)
        kept = {"places": places, "digest": _digest(one, image, *places)}
    except Inconclusive:  # Something that was used has no name to find it by.
        file.unlink(missing_ok=True)
        return
    folder.mkdir(parents=True, exist_ok=True)
    file.write_text(json.dumps(kept))


def is_kept(folder: Path, one: Property, image: Image) -> bool:
    """Whether a property was proved for what this image has."""
    try:
        kept = json.loads(_file(folder, one).read_text())
        return kept["digest"] == _digest(one, image, *kept["places"])
    except (FileNotFoundError, Inconclusive):  # or the image has no such function
        return False


def _file(folder: Path, one: Property) -> Path:
    return folder / f"{re.sub('[^a-z0-9]+', '-', one.name)}.json"


def _places(image: Image) -> tuple[list[Place], list[Place]]:
    """Returns where the instructions of a proof are, and the constants that it has read. A place is a symbol, the
    offset of an instruction in it whose operand is meant, or -1, and the offset from there."""
    code = image.executed()
    operands = {one.ip_rel_memory_address: one.ip for one in code if one.is_ip_rel_memory_operand}
    starts = sorted(operands)

    def place(address: int, is_constant: bool) -> Place:
        label, index = "", bisect_right(starts, address) * is_constant
        if index and address - starts[index - 1] < 1 << 16:
            label = image.around(operands[starts[index - 1]])
            return label, operands[starts[index - 1]] - image.named(label).address, address - starts[index - 1]
        label = image.around(address)
        return label, -1, address - image.named(label).address

    return [place(one.ip, False) for one in code], [place(one, True) for one in sorted(image.read_constants)]


def _digest(one: Property, image: Image, code: list[Place], constants: list[Place]) -> str:
    """Returns the hash of a contract with its arguments, of the prover's modules that it uses, and of the
    instructions and constants at these places."""
    file, modules = Path(inspect.getfile(one.prove.func)), dict[Path, str]()
    pending = [file, *file.parents[1].glob("model/*.py"), file.parents[1] / "requirements.txt"]
    while pending:
        file = pending.pop()
        if file not in modules:
            modules[file] = file.read_text()
            used = re.findall(r"^from \.(\w+) import", modules[file], re.M)
            pending += [file.with_name(f"{name}.py") for name in used]

    def address(place: Place) -> int:
        start = image.named(place[0]).address
        return place[2] + (image.instruction(start + place[1]).ip_rel_memory_address if place[1] >= 0 else start)

    texts = [one.prove.func.__qualname__, repr(sorted(one.prove.keywords.items()))]
    texts += [modules[file] for file in sorted(modules)] + [_text(image, address(place)) for place in code]
    texts += [f"{image.is_constant(address(place))} {image.read(address(place), 1).hex()}" for place in constants]
    return hashlib.sha256("\0".join(texts).encode()).hexdigest()


def _text(image: Image, address: int) -> str:
    """Returns an instruction, in which addresses elsewhere are names."""
    one, meaning = image.instruction(address).copy(), ""
    if one.is_ip_rel_memory_operand:
        # The constants that are read there are compared. An access must be aligned to its size at most.
        one.memory_displacement = one.ip_rel_memory_address % (MemorySizeExt.size(one.memory_size) or 64)
    elif one.op_count and one.op0_kind == OpKind.NEAR_BRANCH64:
        label = image.around(one.near_branch_target)
        meaning = f"{label} {image.panics(one.near_branch_target)}"
        one.near_branch64 -= image.named(label).address
    return f"{address - image.named(image.around(address)).address} {one.len} {one} {meaning}"
