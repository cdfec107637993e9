"""Results that are kept. A kept result is that of a property as long as its contract, the model, and all code and
constants that its proof has used are the same, wherever the library has them now."""

import hashlib
import inspect
import json
import re
from bisect import bisect_right
from dataclasses import dataclass
from pathlib import Path

from iced_x86 import Instruction, MemorySizeExt, Mnemonic, OpKind, Register

from model.image import Image, Inconclusive, Outcome
from model.moves import needs_alignment

from .properties import Property


Place = tuple[str, int, int]
Outcomes = dict[str, list[Outcome]]  # by the label of a function


@dataclass
class Trace:
    """What a proof was about: its instructions with their bytes, the results of functions that it has run, and those in the
    contracts of functions that it has used."""

    code: list[tuple[int, bytes]]
    results: Outcomes
    contracts: Outcomes


def trace(image: Image) -> Trace:
    """Returns what the only proof in this image was about."""
    results, contracts = (
        {symbol.label: [*outcomes] for at, outcomes in found.items() if (symbol := image.around(at))}
        for found in (image.results, image.contracts)
    )
    return Trace([(one.ip, image.read(one.ip, one.len)) for one in image.executed()], results, contracts)


def keep(folder: Path, one: Property, image: Image) -> None:
    """Keeps that a property is proved for this image, in which nothing has been executed but its proof."""
    file, found = _file(folder, one), trace(image)
    try:
        places = _places(image)
        kept = {"places": places, "digest": _digest(one, image, *places), "found": [found.results, found.contracts]}
    except Inconclusive:  # Something that was used has no name to find it by.
        file.unlink(missing_ok=True)
        return
    folder.mkdir(parents=True, exist_ok=True)
    file.write_text(json.dumps(kept))


def kept_trace(folder: Path, one: Property, image: Image) -> Trace | None:
    """Returns what the proof of a property was about, if it was proved for what this image has."""
    try:
        kept = json.loads(_file(folder, one).read_text())
        code = [(each.ip, image.read(each.ip, each.len)) for each in _instructions(image, kept["places"][0])]
        is_same = kept["digest"] == _digest(one, image, *kept["places"])
        return Trace(code, *kept["found"]) if is_same else None
    except (FileNotFoundError, Inconclusive):  # or the image has no such function
        return None


def _file(folder: Path, one: Property) -> Path:
    return folder / f"{re.sub('[^a-z0-9]+', '-', one.name)}.json"


def _places(image: Image) -> tuple[list[Place], list[Place]]:
    """Returns where the instructions of a proof are, and the constants that it has read. A place is a symbol, the
    offset of an instruction in it whose operand is meant, or -1, and the offset from there."""
    code = image.executed()
    operands = {one.ip_rel_memory_address: one.ip for one in code if one.is_ip_rel_memory_operand}
    starts = sorted(operands)

    def place(address: int) -> Place:
        symbol, before = image.around(address), bisect_right(starts, address)
        if not before or (symbol and not symbol.label.startswith("anon.")):  # The compiler gives these other names.
            label, offset = _named(image, address)
            return label, -1, offset
        return *_named(image, operands[starts[before - 1]]), address - starts[before - 1]

    return [place(one.ip) for one in code], [place(one) for one in sorted(image.read_constants)]


def _named(image: Image, address: int) -> tuple[str, int]:
    """Returns an address as a symbol and an offset."""
    symbol = image.around(address)
    if symbol is None:
        raise Inconclusive(f"{address:#x} has no name")
    return symbol.label, address - symbol.address


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
    texts = [one.prove.func.__qualname__, repr(sorted(one.prove.keywords.items()))]
    texts += [modules[file] for file in sorted(modules)] + _texts_of_code(image, code)
    texts += [_text_of_constant(image, place) for place in constants]
    return hashlib.sha256("\0".join(texts).encode()).hexdigest()


def _start(image: Image, label: str, instruction: int) -> int:
    """Returns the address from which the offset of a place counts."""
    start = image.named(label).address
    return image.instruction(start + instruction).ip_rel_memory_address if instruction >= 0 else start


def _instructions(image: Image, code: list[Place]) -> list[Instruction]:
    return [image.instruction(_start(image, *place) + offset) for *place, offset in code]


def _texts_of_code(image: Image, code: list[Place]) -> list[str]:
    """Returns instructions, in which addresses elsewhere are names, or the remainders on which alignment depends. What
    is read there is compared as a constant."""
    texts, instructions = list[str](), _instructions(image, code)
    aligned = [one for one in instructions if needs_alignment(one)]
    # Only an access through a register can be to the address that an instruction computes.
    computed = 1 if all(one.memory_base in (Register.RSP, Register.RIP) for one in aligned) else 64
    for one in instructions:
        text, meaning = one.copy(), ""
        if one.is_ip_rel_memory_operand:
            size = MemorySizeExt.size(one.memory_size) if one in aligned else computed if one.mnemonic == Mnemonic.LEA else 1
            text.memory_displacement = one.ip_rel_memory_address % size
        elif one.op_count and one.op0_kind == OpKind.NEAR_BRANCH64:
            label, text.near_branch64 = _named(image, one.near_branch_target)
            meaning = f"{label} {image.panics(one.near_branch_target)}"
        texts.append(f"{_named(image, one.ip)[1]} {one.len} {text} {meaning}")
    return texts


def _text_of_constant(image: Image, place: Place) -> str:
    """Returns a byte, or if it is one of an address, that address as a symbol and an offset. A table of jumps has
    offsets from its start, each of four bytes."""
    label, instruction, offset = place
    start = _start(image, label, instruction)
    pointer = image.pointers.get(start + offset & -8)
    if pointer is None and instruction >= 0:
        entry = start + int.from_bytes(image.read(start + offset // 4 * 4, 4), "little", signed=True)
        pointer = entry if image.around(entry) == image.named(label) else None
    meaning = image.read(start + offset, 1).hex() if pointer is None else _named(image, pointer)
    return f"{image.is_constant(start + offset)} {meaning}"
