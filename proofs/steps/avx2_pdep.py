"""The AVX2 encoder of values one by one, `one_by_one`: `put` writes the encoding of a value."""

from typing import Any

import z3

from model.image import Image
from model.terms import simplified, term

from .executor import Path, Region, fresh, run
from .wire import Integer, encoding, same, takes


def put(image: Image, integer: Integer) -> None:
    """The encoding is written, and its length is returned, for all values."""
    value = z3.BitVec("value", integer.bits)
    passed = value if integer.bits == 64 else z3.Concat(fresh("unspecified", 64 - integer.bits), value)
    for length in range(1, integer.longest + 1):
        to = Region("to", 10 if integer.size == 8 else 8)
        path = Path(image, [to], [takes(value, integer, length)], [passed, to.start])
        for after in run(path, image.function(f"zigzag_varint::simd::avx2::encode::pdep::put::<{integer.name}>").address):
            new: dict[int, Any] = {}
            for _, offset, part in after.stores:
                new |= {simplified(offset) + at: byte for at, byte in enumerate(part)}
            found = [term(new[at], 8) for at in range(length)]
            after.prove(term(after.get("RAX"), 64) == length, "another length")
            after.prove(same(found, encoding(value, integer, length)), "other bytes")
