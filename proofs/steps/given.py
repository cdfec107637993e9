"""Calls with a kernel that the user chooses, from the first instruction: `Kernel::encode_slice` and `Kernel::decode_slice`."""

import z3

from model.image import Image
from model.terms import Byte

from .contract import NotedPath
from .encoder import Encoder
from .executor import LENT, Path, run
from .questions import fresh
from .slices import KERNELS, Decoder, kernels
from .totals import lengths_of
from .wire import Integer

KERNEL = LENT + 64  # where the kernel is


def _any_kernel(path: NotedPath) -> NotedPath:
    """Puts any kernel where the argument is. The CPU has its instructions."""
    kernel = fresh("kernel", 8)
    path.lend(KERNEL, 1)
    path.stack[KERNEL] = Byte(kernel)
    path.conditions.append(z3.ULT(kernel, KERNELS))
    return path


def kernel_encode(image: Image, integer: Integer) -> None:
    """The kernel's encoder gets all, and its result is returned."""
    encoder = Encoder(image, integer)

    def length(path: NotedPath) -> list[Path]:
        path.prove(path.calls[0] == 0, "there is space")
        path.check_arguments(*encoder.arguments[:2])
        return [path]

    calls = kernels(image, integer, "encode", *[encoder.last(gets_all) for gets_all in (False, True)])
    calls |= dict.fromkeys(lengths_of(encoder), length)
    start = _any_kernel(encoder.start(arguments=[KERNEL, *encoder.arguments]))
    for after in run(start, image.function(f"kernel_encode_{integer.name}"), calls):
        encoder.check_result(after, *after.calls)


def kernel_decode(image: Image, integer: Integer, canonical: bool) -> None:
    """The kernel's decoder gets all, and its result is returned."""
    decoder, kind = Decoder(image, integer, canonical), "canonical_" if canonical else ""
    calls = kernels(image, integer, "decode", decoder.others, decoder.whole)
    start = _any_kernel(decoder.start([], before=[KERNEL]))
    decoder.check_ends(run(start, image.function(f"kernel_decode_{kind}{integer.name}"), calls), returns_place=True)
