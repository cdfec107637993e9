"""The memory of a decoder: an input of which each byte has a name that tells its place."""

from dataclasses import dataclass
from typing import Any

import z3

from model.failures import Inconclusive, Refuted

from model.image import Image
from .memory import Memory, Region
from .path import Path, fresh
from .solver import COUNTS, names, prove_lengths
from model.terms import Bit, Byte, as_bytes, both, known, term

TABLE = 64  # the greatest number of words in a table that is indexed by an unknown number


@dataclass(frozen=True)
class Masked:
    """A masked load of 64 bytes at an offset of the source. Nothing is known of bytes that are not
    `present`."""

    offset: z3.BitVecRef
    present: list[Bit]
    result: list[z3.BitVecRef]


class DecoderMemory(Memory):
    """`offsets` are those of the bytes of the source, by name. Some bytes are `pinned`: their names are
    replaced by a term, of which some bits are known."""

    def __init__(self, image: Image, regions: list[Region]) -> None:
        super().__init__(image, regions)
        self.offsets: dict[str, z3.BitVecRef] = {}
        self.pinned: dict[str, z3.BitVecRef] = {}
        self.masked: list[Masked] = []

    def copy(self) -> "DecoderMemory":
        other = super().copy()
        other.offsets, other.pinned, other.masked = self.offsets, dict(self.pinned), list(self.masked)
        return other

    def source_length(self) -> z3.BitVecRef:
        """Returns the size of the region that is only read."""
        [region] = [one for one in self.regions if not one.writable]
        return region.size

    def source_byte(self, region: Region, offset: Any) -> z3.BitVecRef:
        """Returns the name of a byte of the source."""
        offset = z3.simplify(term(offset, 64))
        name = super()._byte(region, offset.as_long() if z3.is_bv_value(offset) else offset, 0).term
        self.offsets.setdefault(name.decl().name(), offset)
        return name

    def _byte(self, region: Region, offset: Any, index: int) -> Byte:
        if region.element != 1:
            return super()._byte(region, offset, index)
        name = self.source_byte(region, term(offset, 64) + index)
        return Byte(self.pinned.get(name.decl().name(), name))

    def load(self, path: Path, address: Any, size: int) -> list[Any]:
        if not known(address):
            address = z3.simplify(address)
            if self._region(address) is None and not z3.is_bv_value(address):
                return self._from_table(path, address, size)
        return super().load(path, address, size)

    def _from_table(self, path: Path, address: z3.BitVecRef, size: int) -> list[Any]:
        """Reads any entry of a table of words: an unknown one, after a proof that it is in the library."""
        zero = [(z3.BitVec(name, 64), z3.BitVecVal(0, 64)) for name in names(address)]
        start = z3.simplify(z3.substitute(address, *zero))
        for last in range(TABLE if z3.is_bv_value(start) and self.checked else 0):
            if path.follows(z3.ULE(address - start, size * last)):
                for at in range(start.as_long(), start.as_long() + size * (last + 1)):
                    self._constant(at)
                break
        else:
            if self.checked:
                raise Refuted(f"before {path.address:#x}: reads {size} bytes at any address: {address}")
        COUNTS.accesses += 1
        return as_bytes([fresh("entry", 8 * size)], 8 * size)

    def load_masked(self, path: Path, address: Any, bits: list[Bit]) -> list[Any]:
        if all(known(bit) for bit in bits):
            return super().load_masked(path, address, bits)
        address = z3.simplify(address)
        region = self._region(address)
        if region is None or region.kept or region.writable:
            raise Inconclusive(f"before {path.address:#x}: a masked load of another region")
        offset = z3.simplify(address - region.start)
        COUNTS.accesses += 1
        if self.checked:
            what = f"before {path.address:#x}: a masked load outside {region.name}"
            outside = [both(bit, z3.ULE(region.size - offset, index)) for index, bit in enumerate(bits)]
            claim = z3.And(z3.ULE(offset, region.size), *[z3.Not(one) for one in outside if not known(one)])
            prove_lengths(path.length_conditions(), claim, what)
        result = [fresh("window", 8) for _ in bits]
        self.masked.append(Masked(offset, list(bits), result))
        return [Byte(one) for one in result]
