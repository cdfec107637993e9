"""The AVX2 decoder's loops for runs of values of one length, `uniform::<T>` and its steps `turn::<T, LENGTH>`."""

import z3

from model.failures import Refuted
from model.image import Image
from model.terms import lanes, simplified

from .contract import Slices, again, check_uniform, content_of, ends_of_loop, stored, unknown_bytes
from .executor import LENT, Path, fresh, run
from .notes import NotedPath
from .wire import Integer

MODULE = "zigzag_varint::simd::avx2::decode::steps::uniform::"
REACH = 96  # of uniform.rs


def _turn(image: Image, integer: Integer, length: int, canonical: bool) -> int:
    strict = "true" if canonical and length > 1 else "false"
    return image.function(f"{MODULE}turn::<{integer.name}, {length}, {strict}>")


def turn(image: Image, integer: Integer, canonical: bool) -> None:
    """Decodes some values that each have this length, for all of which it writes the value, and advances by
    them. Or it changes nothing. Each length is a run of its own."""
    slices, data = Slices(integer), unknown_bytes("byte", REACH)
    slices.src.content = content_of(data, slices.bytes)
    for length in range(1, integer.longest + 1):
        path, decoded = NotedPath(image, [slices.src, slices.dst], slices.facts, [LENT, *slices.arguments()]), False
        path.lend(LENT, 16, *slices.at)
        for after in run(path, _turn(image, integer, length, canonical)):
            if not after.result():
                after.expect(LENT, *slices.at, what="progress without values")
                if after.stores:
                    raise Refuted("stores without progress")
                continue
            decoded, count = True, simplified(after.words(LENT, 1)[0] - slices.values)
            after.expect(LENT + 8, slices.bytes + count * length)
            elements = lanes(stored(after, integer.size * count, integer.size * slices.values), integer.bits)
            check_uniform(after, elements, data[: count * length], integer, length, canonical)
        if not decoded:
            raise Refuted("decodes nothing")


def uniform(image: Image, integer: Integer, canonical: bool) -> None:
    """Calls `turn` of the length that it is given until that decodes nothing, and returns the progress. Of any
    other length it decodes nothing."""
    slices = Slices(integer)

    def step(path: NotedPath) -> list[Path]:
        """The contract of a turn."""
        state = path.get("RDI")
        second = again(path, range(state, state + 16))
        path.expect(state, *path.calls[-1])
        path.check_arguments(None, *slices.arguments())
        ways = [path.copy().returning(0)]
        if not second:
            path.calls.append((fresh("values"), fresh("bytes")))
            path.conditions.append(slices.within(*path.calls[-1]))
            path.put(state, *path.calls[-1])
            ways.append(path.returning(1))
        return ways

    for length in range(integer.longest + 2):
        is_length = 1 <= length <= integer.longest
        right = _turn(image, integer, length, canonical) if is_length else 0
        given = z3.BitVec("length", 64) if length > integer.longest else length
        facts = [*slices.facts, *([] if given is length else [z3.UGT(given, integer.longest)])]
        path = NotedPath(image, [slices.src, slices.dst], facts, [given, *slices.arguments(), *slices.at, canonical])
        caller = image.function(f"{MODULE}uniform::<{integer.name}>")
        for after, at in ends_of_loop(path, caller, right, step, slices.at, least=int(is_length)):
            after.prove(z3.And(after.get("RAX") == at[0], after.get("RDX") == at[1]), "another progress")
