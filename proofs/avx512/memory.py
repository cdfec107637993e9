"""The memory of a proof: regions at unknown addresses that do not overlap, and the library."""

import copy
from dataclasses import dataclass
from typing import Any

import z3

from model.failures import Inconclusive, Refuted

from model.image import Image
from .path import Path, Store
from .solver import COUNTS, names, prove_lengths
from model.terms import Bit, Byte, both, known, term


@dataclass(frozen=True)
class Region:
    """`size` bytes from an unknown address on. The contents of a `kept` region are known, and are
    accessed at known offsets. Of the others, one is only read, in elements of `element` bytes, and
    one is only written."""

    name: str
    size: z3.BitVecRef | int
    writable: bool = False
    kept: bool = False
    element: int = 8

    @property
    def start(self) -> z3.BitVecRef:
        return z3.BitVec(self.name, 64)

    def at(self, offset: Any) -> z3.BitVecRef:
        return z3.simplify(self.start + term(offset, 64))


class Memory:
    """Bounds of accesses are proved if `checked`."""

    def __init__(self, image: Image, regions: list[Region]) -> None:
        self.image, self.regions, self.checked = image, regions, True
        self.kept: dict[tuple[str, int], Any] = {}
        self._elements: dict[tuple[str, str, int], z3.BitVecRef] = {}

    def copy(self) -> "Memory":
        other = copy.copy(self)
        other.kept = dict(self.kept)
        return other

    def _find(self, path: Path, address: Any, size: int, write: bool) -> tuple[Region | None, Any]:
        """Returns the region of an access and the offset in it, after a proof that it is within."""
        if not known(address):
            address = z3.simplify(address)
        if known(address) or z3.is_bv_value(address):
            return None, address if known(address) else address.as_long()
        region = self._region(address)
        if region is None:
            return None, address
        if write and not region.writable:
            raise Refuted(f"at {path.address:#x}: writes to {region.name}")
        offset, whole = _with_products(z3.simplify(address - region.start)), term(region.size, 64)
        COUNTS.accesses += 1
        if self.checked:
            within = z3.And(z3.ULE(offset, whole), z3.UGE(whole - offset, size))
            verb = "writes" if write else "reads"
            what = f"before {path.address:#x}: {verb} {size} bytes at {offset} of {region.name}"
            prove_lengths(path.length_conditions(), within, what)
        return region, offset.as_long() if z3.is_bv_value(offset) else offset

    def _region(self, address: z3.BitVecRef) -> Region | None:
        found = [region for region in self.regions if region.name in names(address)]
        if len(found) > 1:
            raise Inconclusive(f"an address in two regions: {address}")
        return found[0] if found else None

    # Loads.

    def load(self, path: Path, address: Any, size: int) -> list[Any]:
        region, offset = self._find(path, address, size, write=False)
        if region is None:
            if not known(offset):
                return path.looked_up(offset, size)
            return [self._constant(offset + index) for index in range(size)]
        if region.kept:
            return [self._kept(region, offset, index) for index in range(size)]
        return [self._byte(region, offset, index) for index in range(size)]

    def _constant(self, address: int) -> int:
        if not self.image.is_constant(address):
            raise Inconclusive(f"reads a variable of the library at {address:#x}")
        return self.image.read(address, 1)[0]

    def _kept(self, region: Region, offset: Any, index: int) -> Any:
        if not known(offset) or (region.name, offset + index) not in self.kept:
            raise Inconclusive(f"reads what was not written at {offset} of {region.name}")
        return self.kept[region.name, offset + index]

    def _byte(self, region: Region, offset: Any, index: int) -> Byte:
        """Returns a byte of the input. Bytes of one element are of one unknown."""
        base, constant = (0, offset) if known(offset) else (offset, 0)
        if not known(base) and base.decl().kind() == z3.Z3_OP_BADD and z3.is_bv_value(base.arg(0)):
            constant = base.arg(0).as_signed_long()
            base = z3.simplify(base - constant)
        element, at = divmod(constant + index, region.element)
        key = (region.name, str(base) if known(base) else base.sexpr(), element)
        if key not in self._elements:
            name = f"{region.name}[{base}+{element}]"
            self._elements[key] = z3.BitVec(name.replace("\n", ""), 8 * region.element)
        return Byte(self._elements[key], at)

    def element(self, region: Region, offset: z3.BitVecRef) -> z3.BitVecRef:
        """Returns an element of the input."""
        offset = z3.simplify(offset)
        return self._byte(region, offset.as_long() if z3.is_bv_value(offset) else offset, 0).term

    def load_masked(self, path: Path, address: Any, bits: list[Bit]) -> list[Any]:
        size = _prefix(bits)
        return (self.load(path, address, size) if size else []) + [0] * (len(bits) - size)

    # Stores.

    def store(self, path: Path, address: Any, new: list[Any], bits: list[Bit] | None = None) -> None:
        region, offset = self._find(path, address, len(new), write=True)
        if region is None:
            raise Refuted(f"before {path.address:#x}: writes to the library")
        if not region.kept:
            path.log.append(Store(region.name, term(offset, 64), list(new), None))
        elif not known(offset):
            raise Inconclusive(f"writes at an unknown offset of {region.name}")
        else:
            self.kept |= {(region.name, offset + index): byte for index, byte in enumerate(new)}

    def store_masked(self, path: Path, address: Any, new: list[Any], bits: list[Bit]) -> None:
        if all(known(bit) for bit in bits):
            if size := _prefix(bits):
                self.store(path, address, new[:size])
            return
        address = z3.simplify(address)
        region = self._region(address)
        if region is None or not region.writable or region.kept:
            raise Inconclusive(f"before {path.address:#x}: a masked store to another region")
        offset, whole = z3.simplify(address - region.start), term(region.size, 64)
        COUNTS.accesses += 1
        if self.checked:
            conditions = path.length_conditions()
            prove_lengths(conditions, z3.ULE(offset, whole), f"a masked store begins outside {region.name}")
            outside = [both(bit, z3.ULE(whole - offset, index)) for index, bit in enumerate(bits)]
            claim = z3.And(*[z3.Not(one) for one in outside if not known(one)])
            prove_lengths(conditions, claim, f"before {path.address:#x}: a masked store outside {region.name}")
        path.log.append(Store(region.name, offset, list(new), list(bits)))


def _with_products(offset: z3.BitVecRef) -> z3.BitVecRef:
    """Replaces shifted words of a sum by products, which cancel others. z3 writes a shift as a
    concatenation."""
    pairs = []
    for one in offset.children() if offset.decl().kind() == z3.Z3_OP_BADD else [offset]:
        if one.decl().kind() == z3.Z3_OP_CONCAT and one.num_args() == 2:
            high, low = one.children()
            is_word = high.decl().kind() == z3.Z3_OP_EXTRACT and high.arg(0).size() == 64 and high.params()[1] == 0
            if is_word and z3.is_bv_value(low) and low.as_long() == 0:
                pairs.append((one, high.arg(0) * (1 << low.size())))
    return z3.simplify(z3.substitute(offset, *pairs)) if pairs else offset


def _prefix(bits: list[Bit]) -> int:
    """Returns the number of bits of a mask whose lowest bits are set, and no others."""
    if not all(known(bit) for bit in bits):
        raise Inconclusive("an unknown mask of a load")
    size = sum(map(bool, bits))
    if not all(bits[:size]):
        raise Inconclusive("a mask with gaps")
    return size
