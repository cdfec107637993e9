"""The length of the encodings of a slice, from the first instruction: `encoded_len_slice`, and `too_small` for the error of an
encoder without space (src/varint_trait.rs)."""

from typing import Any

import z3

from model.image import Image

from .contract import NotedPath
from .encoder import NOTHING, Encoder
from .executor import Path, run
from .questions import fresh
from .slices import choose, length_of, query
from .wire import Integer, raw

FEW = 8  # values, of src/dispatch.rs, from which on a kernel is called


def lengths_of(encoder: Encoder) -> list[int]:
    """Returns the functions of kernels for the length of a slice. The others use that of the scalar code."""
    return [encoder.function(f"{name}::encoded_len") for name in ("scalar", "avx2::loops", "avx512::encoded_len")]


def _check(image: Image, integer: Integer, function: int, *more: Any) -> None:
    """Proves that the length of fewer than eight values is the sum of their lengths, and that of others what the default kernel
    returns for them; and that an argument after the slice is returned as it is."""
    encoder = Encoder(image, integer, FEW - 1)

    def whole(path: NotedPath) -> list[Path]:
        """The contract of a kernel's function, which is tested: any length."""
        path.check_arguments(*encoder.arguments[:2])
        path.calls = [fresh("length")]
        path.set("RAX", path.calls[0])
        return [path]

    lengths = [length_of(raw(one, integer), integer) for one in encoder.next(NOTHING[0])]
    few = z3.Sum(*[z3.If(z3.UGT(encoder.count, at), one, 0) for at, one in enumerate(lengths)])
    start = choose(encoder.start(arguments=[*encoder.arguments[:2], *more]))
    for after in run(start, function, query(image) | dict.fromkeys(lengths_of(encoder), whole)):
        [length] = after.calls
        if length is NOTHING:
            after.prove(z3.ULT(encoder.count, FEW), "no kernel for many values")
            length = few
        after.check_returned(length, *more or [after.get("RDX")])


def encoded_len_slice(image: Image, integer: Integer) -> None:
    _check(image, integer, image.function(f"encoded_len_slice_{integer.name}"))


def too_small(image: Image, integer: Integer) -> None:
    function = image.function(f"zigzag_varint::varint_trait::too_small::<{integer.name}>")
    _check(image, integer, function, z3.BitVec("room", 64))
