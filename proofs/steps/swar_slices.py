"""The loops of the SWAR kernel, `swar::decode::<T>` and `swar::encode::<T>`: each calls its step until it does nothing,
and the scalar loop for the rest."""

from typing import Any

import z3

from model.image import Image, Refuted

from .contract import CANONICAL, WINDOW, NotedPath, Slices
from .encoder import Encoder
from .executor import LENT, Path, fresh
from .loops import Loop, progress_of
from .swar import MODULE, MOST, READ
from .wire import Integer, raw


def decode(image: Image, integer: Integer) -> None:
    """Each window begins where the values before it end, and is decoded to the next slots."""
    slices, size = Slices(integer), integer.size

    def words(values: Any, bytes_: Any) -> list[Any]:
        return [values, bytes_, slices.src.start + bytes_, slices.dst.start + size * values, slices.window(bytes_).ends]

    def has_space(values: Any, bytes_: Any) -> z3.BoolRef:
        space = z3.And(z3.ULE(READ, slices.len - bytes_), z3.ULE(WINDOW, slices.space - values))
        return z3.And(slices.within(values, bytes_), space)

    loop = Loop(words, has_space)

    def window(path: NotedPath, values: Any, bytes_: Any) -> list[Path]:
        """The contract of `decode_window`."""
        path.check_arguments(None, *[words(values, bytes_)[at] for at in (2, 4, 3)], CANONICAL)
        done, result = (fresh("values"), fresh("bytes")), path.number(path.get("RDI"))
        none, some = path.copy(), path.copy()
        none.put(result, 0)
        some.put(result, 1, *done)
        some.conditions += [z3.ULE(1, done[0]), z3.ULE(done[0], done[1]), z3.ULE(done[1], WINDOW)]
        some.calls = [(values + done[0], bytes_ + done[1])]
        return [none, some]

    def rest(path: NotedPath) -> list[Path]:
        """The contract of the scalar loop, which writes the result."""
        path.check_arguments(LENT, *slices.arguments, *progress_of(path), CANONICAL)
        path.calls = []
        return [path]

    path = slices.path(image, [LENT, *slices.arguments, CANONICAL])
    path.lend(LENT, 32)
    path.calls = [(0, 0)]
    calls = {image.function(f"{MODULE}decode_window::<{integer.name}>"): loop.turn(progress_of, window)}
    calls[image.function(f"zigzag_varint::simd::scalar::decode::<{integer.name}>")] = rest
    for after in loop.ends(path, image.function(f"{MODULE}decode::<{integer.name}>"), calls):
        if after.stores or after.calls:
            raise Refuted("ends without the scalar loop")


def encode(image: Image, integer: Integer) -> None:
    """The next eight values are encoded where those before them end."""
    encoder = Encoder(image, integer, ahead=8)

    def wire(values: Any) -> list[z3.BitVecRef]:
        return [z3.Extract(63, 0, z3.ZeroExt(64, raw(one, integer))) for one in encoder.next(values)]

    loop = encoder.loop(8, 8, MOST, lambda values, _: [integer.size * (encoder.count - values), *wire(values)])

    def eight(path: NotedPath, values: Any, bytes_: Any) -> list[Path]:
        """The contract of `encode_eight`."""
        path.check_arguments(None, encoder.dst.start + bytes_)
        path.expect(path.number(path.get("RDI")), *wire(values), what="other values")
        return [encoder.store(path, 8, MOST, MOST)]

    calls = {image.function(f"{MODULE}encode_eight"): loop.turn(progress_of, eight)}
    calls[encoder.function("scalar::encode")] = encoder.last(gets_all=True)
    for after in encoder.ends(loop, encoder.function("swar::encode"), calls):
        encoder.check_result(after, *after.calls)
