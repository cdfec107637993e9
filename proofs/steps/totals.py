"""The length of the encodings of a slice, as the error of an encoder without space has it, from the first instruction."""

import z3

from model.image import Image

from .contract import NotedPath
from .encoder import NOTHING, Encoder
from .executor import Path, run
from .questions import fresh
from .slices import choose, length_of, query
from .wire import Integer, raw

FEW = 8  # values, of src/dispatch.rs, from which on a kernel is called


def too_small(image: Image, integer: Integer) -> None:
    """The length of fewer than eight values is the sum of their lengths, and that of others is what the default kernel
    returns for them. The length of the destination is returned as it was given."""
    encoder, room = Encoder(image, integer, FEW - 1), z3.BitVec("room", 64)

    def whole(path: NotedPath) -> list[Path]:
        """The contract of a kernel's function, which is tested: any length."""
        path.prove(z3.UGE(encoder.count, FEW), "a kernel for a few values")
        path.check_arguments(*encoder.arguments[:2])
        path.calls = [fresh("length")]
        path.set("RAX", path.calls[0])
        return [path]

    start = choose(encoder.start(arguments=[*encoder.arguments[:2], room]))
    kernels = [encoder.function(f"{name}::encoded_len") for name in ("scalar", "avx2::loops", "avx512::encoded_len")]
    calls = query(image) | dict.fromkeys(kernels, whole)
    for after in run(start, image.function(f"zigzag_varint::varint_trait::too_small::<{integer.name}>"), calls):
        lengths = [length_of(raw(one, integer), integer) for one in encoder.next(NOTHING[0])]
        few = z3.Sum(*[z3.If(z3.UGT(encoder.count, at), one, 0) for at, one in enumerate(lengths)])
        after.prove(z3.Or(after.calls[0] is not NOTHING, z3.ULT(encoder.count, FEW)), "no kernel for many values")
        after.check_returned(few if after.calls[0] is NOTHING else after.calls[0], room)
