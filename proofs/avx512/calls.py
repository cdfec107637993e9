"""The calling convention (System V ABI, AMD64), and the start and end of calls."""

from typing import Any

import z3

from model.failures import Refuted

from .explore import RETURN
from model.image import Function, Image
from .job import Job
from model.machine import GENERAL, STACK_POINTER
from .memory import Memory, Region
from .path import Path, fresh, fresh_mask, fresh_vector
from .solver import prove_lengths
from model.terms import as_bytes, lanes, simplified, term

ARGUMENTS = [GENERAL.index(name) for name in ("RDI", "RSI", "RDX", "RCX", "R8", "R9")]
RESULTS = [GENERAL.index(name) for name in ("RAX", "RDX")]
KEPT = [GENERAL.index(name) for name in ("RBX", "RBP", "R12", "R13", "R14", "R15")]
TOP = 1024  # the offset of the return address on the stack
STACK = Region("stack", TOP + 8, writable=True, kept=True)  # what is above belongs to the caller


def method(image: Image, name: str, kernel: str = "avx512::Avx512") -> Function:
    """Returns a method of a kernel, which `name` states with its trait."""
    return image.function(f"<zigzag_varint::simd::{kernel} as zigzag_varint::simd::slices::{name}")


def begin(
    image: Image, job: Job, address: int, arguments: list[Any], regions: list[Region], kind: type[Path] = Path
) -> Path:
    """Returns the state at the start of a function."""
    path = kind(Memory(image, [job.source, job.destination, STACK, *regions]))
    enter(path, job, address, arguments)
    return path


def enter(path: Path, job: Any, address: int, arguments: list[Any]) -> None:
    """Makes a path the state at the start of a function. Everything but its arguments is unknown."""
    path.address = address
    path.general = [fresh("register") for _ in path.general]
    path.vectors, path.masks = [fresh_vector() for _ in path.vectors], [fresh_mask() for _ in path.masks]
    path.flags = dict.fromkeys(path.flags)
    path.general[STACK_POINTER] = STACK.at(TOP)
    put_words(path, STACK, TOP, [RETURN])
    for register, argument in zip(ARGUMENTS, arguments, strict=False):
        path.general[register] = argument
    path.lengths = job.lengths() | {region.name for region in path.memory.regions}
    path.conditions = job.facts()


def check_end(path: Path, start: Path) -> None:
    """Proves that a function restores the registers that it must, and the stack."""
    for register in KEPT:
        if not z3.simplify(term(path.general[register], 64)).eq(start.general[register]):
            raise Refuted(f"{GENERAL[register]} is not restored")
    if not z3.simplify(path.general[STACK_POINTER]).eq(STACK.at(TOP + 8)):
        raise Refuted("the stack pointer is not restored")


def forget_after_call(path: Path) -> None:
    """Makes everything unknown that a called function may change: registers, flags, and the stack
    below the caller's."""
    for register in range(16):
        if register not in (*KEPT, STACK_POINTER):
            path.general[register] = fresh("register")
    path.vectors, path.masks = [fresh_vector() for _ in path.vectors], [fresh_mask() for _ in path.masks]
    path.flags = dict.fromkeys(path.flags)
    below = offset_in(path, STACK, path.general[STACK_POINTER])
    path.memory.kept = {
        (region, offset): byte
        for (region, offset), byte in path.memory.kept.items()
        if region != STACK.name or offset >= below
    }


def offset_in(path: Path, region: Region, address: Any) -> int:
    """Returns the offset of an address in a region."""
    offset = z3.simplify(term(address, 64) - region.start)
    if not z3.is_bv_value(offset):
        raise Refuted(f"at {path.address:#x}: not an address in {region.name}: {address}")
    return offset.as_signed_long()


def words(path: Path, region: Region, offset: int, count: int) -> list[Any]:
    """Returns words of a kept region."""
    loaded = [path.memory.load(path, region.at(offset + 8 * index), 8) for index in range(count)]
    return [simplified(lanes(source, 64)[0]) for source in loaded]


def put_words(path: Path, region: Region, offset: int, new: list[Any]) -> None:
    for index, word in enumerate(new):
        path.memory.store(path, region.at(offset + 8 * index), as_bytes([word], 64))


def prove_equal(path: Path, some: list[Any], others: list[Any], what: str) -> None:
    """Proves that lengths and addresses are equal."""
    for one, other in zip(some, others, strict=True):
        prove_lengths(path.length_conditions(), term(one, 64) == term(other, 64), what)
