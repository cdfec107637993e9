"""Calls with a kernel that the user chooses, from the first instruction: `Kernel::encode_slice` and `Kernel::decode_slice`."""

from model.image import Image

from .contract import NotedPath
from .encoder import Encoder
from .executor import LENT, Path, run
from .slices import Decoder, choose, kernels
from .totals import lengths_of
from .wire import Integer

KERNEL = LENT + 64  # where the kernel is


def kernel_encode(image: Image, integer: Integer) -> None:
    """The kernel's encoder gets all, and its result is returned."""
    encoder = Encoder(image, integer)

    def length(path: NotedPath) -> list[Path]:
        path.prove(path.calls[0] == 0, "there is space")
        path.check_arguments(*encoder.arguments[:2])
        return [path]

    calls = kernels(image, integer, "encode", *[encoder.last(gets_all) for gets_all in (False, True)])
    calls |= dict.fromkeys(lengths_of(encoder), length)
    start = choose(encoder.start(arguments=[KERNEL, *encoder.arguments]), KERNEL)
    for after in run(start, image.function(f"kernel_encode_{integer.name}"), calls):
        encoder.check_result(after, *after.calls)


def kernel_decode(image: Image, integer: Integer, canonical: bool) -> None:
    """The kernel's decoder gets all, and its result is returned."""
    decoder, kind = Decoder(image, integer, canonical), "canonical_" if canonical else ""
    calls = kernels(image, integer, "decode", decoder.others, decoder.whole)
    start = choose(decoder.start([], before=[KERNEL]), KERNEL)
    decoder.check_ends(run(start, image.function(f"kernel_decode_{kind}{integer.name}"), calls), returns_place=True)
