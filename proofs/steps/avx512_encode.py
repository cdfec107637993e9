"""The AVX-512 encoder, in these steps:

    any                       a block of 32 values of any lengths
    Shape::block              a block of 32 values of one length of 2 to 8 bytes
    uniform::block_of_bytes   64 values of one byte
    up_to_eight               up to 8 values, and no byte after the destination

A vector is compressed: of its slots, those of each value are adjacent, and those that are kept are its encoding."""

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import z3

from model.image import Image, Refuted
from model.terms import Byte, as_bytes, joined, known, simplified, term

from .contract import NotedPath, content_of
from .encoder import NOTHING, Encoder
from .executor import LENT, Contract, Path, run
from .loops import Loop, progress_of
from .questions import check, fresh, prove, variables
from .singles import check_encodings
from .wire import Integer, encoding, raw, takes

MODULE = "zigzag_varint::simd::avx512::encode::"
WIDE, SHAPE, RESULT = LENT + 64, LENT + 128, LENT + 1024
MIXED, UNIFORM, TAIL, DONE = range(4)  # the next loop; or the block is done
LONG = 1 << 56  # the least value of nine bytes


class _Slots(NamedTuple):
    """The values whose slots a vector has, the number of slots of each, and how many are kept for them. A lane
    without a value has a byte after all others."""

    values: list[int]
    width: int
    kept: z3.BitVecRef


class Job(Encoder):
    """Values that a step encodes: the names of the first ones, and their slots in vectors."""

    def __init__(self, image: Image, integer: Integer, least: int, count: int | None = None) -> None:
        super().__init__(image, integer, count=count)
        self.named = [z3.BitVec(f"value{at}", integer.bits) for at in range(64)]
        self.src.content = content_of(as_bytes(self.named, integer.bits))
        self.facts.append(z3.ULE(least, self.count))
        self.slots: dict[str, _Slots] = {}
        self.proved: dict[tuple[Any, ...], list[Any]] = {}

    def path(self, arguments: list[Any]) -> NotedPath:
        """Returns the state at the start of a step, of which the job is at a known place."""
        path = NotedPath(self.image, [self.src, self.dst], self.facts, arguments)
        path.lend(LENT, 32, *self.rest(*NOTHING))
        path.store_masks = {}
        path.vectors[:2] = [_least(8), _least(4)]
        return path

    def raw(self, value: z3.BitVecRef) -> z3.BitVecRef:
        return z3.ZeroExt(64 - self.integer.bits, raw(value, self.integer))

    # Vectors of slots.

    def check_stores(self, path: NotedPath) -> tuple[int, z3.BitVecRef]:
        """Proves that the stores are the encodings of the next values. Returns how many these are, and the number
        of bytes."""
        done, total = 0, z3.BitVecVal(0, 64)
        for index, (_, offset, new) in enumerate(path.stores):
            path.prove(offset == total, "a store at another place")
            packs = [one for one in path.packs if new and one[0][0].same(new[0])]
            if not packs:  # The next store is at the same place.
                continue
            if not all(one.same(other) for one, other in zip(packs[0][0], new, strict=True)):
                raise Refuted("not a vector that was compressed")
            slots = self.check_slots(path, *packs[0], done)
            mask = enumerate(path.store_masks.get(index, []))
            path.prove(z3.And(*[bit == z3.ULT(at, slots.kept) for at, bit in mask]), "other bytes are stored")
            done, total = done + len(slots.values), z3.simplify(total + slots.kept)
        return done, total

    def check_slots(self, path: NotedPath, names: list[Byte], bits: list[Any], source: list[Any], first: int) -> _Slots:
        """Proves that the slots are those of the next values."""
        slots = self.slots.get(str(names[0].term))
        if slots is None:
            owners = [self._owner(bit, byte) for bit, byte in zip(bits, source, strict=True)]
            found = sorted({one for one in owners if one is not None})
            width = owners.index(found[1]) if len(found) > 1 else 16
            if len(found) == 1 and check(*path.conditions, z3.UGE(self.raw(self.named[found[0]]), LONG)) is None:
                width = 8
            for index, number in enumerate(found):
                part = slice(index * width, (index + 1) * width)
                if any(one not in (number, None) for one in owners[part]):
                    raise Refuted("slots of another value")
                self._check_value(number, bits[part], source[part])
            absent = sum(simplified(joined([bit]), 1) == 1 for bit in bits[len(found) * width :])
            slots = self.slots[str(names[0].term)] = _Slots(found, width, path.count_of(joined(bits)) - absent)
        if slots.values != list(range(first, first + len(slots.values))):
            raise Refuted("other values")
        raws = [self.raw(self.named[number]) for number in slots.values]
        if slots.width == 10:  # Then all values are long.
            path.prove(z3.And(*[z3.UGE(one, LONG) for one in raws]), "a short value")
        elif 7 * slots.width < self.integer.bits:
            path.prove(z3.And(*[z3.ULT(one, 1 << 7 * slots.width) for one in raws]), "a long value")
        return slots

    def _owner(self, bit: Any, byte: Any) -> int | None:
        """Returns the number of the value on which a slot depends, if it does on one."""
        terms = [one if known(one) else z3.simplify(one) for one in (bit, byte if known(byte) else term(byte, 8))]
        found = {str(name) for one in terms for name in variables(one)}
        numbers = [number for number, value in enumerate(self.named) if str(value) in found]
        if len(numbers) != len(found) or len(numbers) > 1:
            raise Refuted(f"depends on {found}")
        return numbers[0] if numbers else None

    def _check_value(self, number: int, bits: list[Any], source: list[Any]) -> None:
        """Proves that the first slots have the encoding of a value, and are kept, for each of its lengths."""
        value = z3.BitVec("value", self.integer.bits)
        kept, bytes_ = joined(bits), [term(byte, 8) for byte in source]
        terms = [z3.simplify(z3.substitute(one, (self.named[number], value))) for one in (kept, *bytes_)]
        key = tuple(one.get_id() for one in terms)
        if key in self.proved:
            return
        for length in range(9 if len(bits) == 10 else 1, min(len(bits), self.integer.longest) + 1):
            right = [one == byte for one, byte in zip(terms[1:], encoding(value, self.integer, length), strict=False)]
            right.append(terms[0] == (1 << length) - 1)
            prove(z3.And(*right), f"value {number} of {length} bytes", takes(value, self.integer, length))
        self.proved[key] = terms


def _possible(following: Any, length: Any) -> z3.BoolRef:
    """Whether a loop may name this one as the next."""
    return z3.And(z3.ULE(following, TAIL), z3.Implies(following == UNIFORM, z3.And(z3.ULE(1, length), z3.ULE(length, 8))))


def _result_of_any(result: Any, length: Any) -> z3.BoolRef:
    return z3.Or(result == DONE, _possible(result, length))


def _not_uniform(result: Any, _: Any) -> z3.BoolRef:
    return z3.And(z3.ULE(result, DONE), result != UNIFORM)


def _rests(encoder: Encoder, least: int) -> Loop:
    """Returns a loop of which each turn is given what is left, with at least this number of values."""
    return Loop(encoder.rest, lambda at, bytes_: z3.And(encoder.within(at, bytes_), z3.ULE(least, encoder.count - at)))


def loops(image: Image, integer: Integer) -> None:
    """Each loop calls its step with what is left, and with the constants that the step is proved for. It returns what is
    left, and the next loop."""
    name, small, uniform = integer.name, 8 if integer.size == 8 else 4, f"{MODULE}uniform::"
    least, order = [_least(8), _least(4)], [_interleaved(small)]
    _loop(image, integer, f"{MODULE}mixed::<{name}>", f"{MODULE}any::<{name}>", [RESULT, LENT], 32, _result_of_any, least)
    tail = f"{MODULE}tail::<{name}>", f"{MODULE}up_to_eight::<{name}>"
    _loop(image, integer, *tail, [LENT], 1, lambda result, _: z3.ULE(result, 1), least[:1])
    caller, callee = (f"{uniform}{one}::<{name}, {small}>" for one in ("bytes", "block_of_bytes"))
    _loop(image, integer, caller, callee, [RESULT, LENT], 64, _not_uniform, order)
    for length in range(2, min(8, integer.longest) + 1):
        size = 8 if length > 4 else small
        caller, callee = f"{uniform}vectors::<{name}, {size}>", f"<{uniform}Shape<{size}>>::block::<{name}>"
        _loop(image, integer, caller, callee, [RESULT, LENT, length], 32, _not_uniform, shape=_shape(size, length))


def _loop(
    image: Image, integer: Integer, caller: str, callee: str, arguments: list[Any], least: int,
    results: Callable[[Any, Any], z3.BoolRef], vectors: Sequence[list[int]] = (), shape: Sequence[int] = (),
) -> None:  # fmt: skip
    """`least`: the number of values that the step needs. `results`: what is true of its result. The constants are in
    registers, or in memory before the job."""
    encoder, is_tail = Encoder(image, integer), arguments[0] == LENT
    loop = _rests(encoder, least)

    def place(path: NotedPath) -> int:
        return path.number(path.get("RSI" if shape else "RDI"))

    def end(path: NotedPath) -> Any:
        at = progress_of(path)[:2]
        path.expect(place(path), *encoder.rest(*at), what="another rest")
        return at

    def step(path: NotedPath, *at: Any) -> list[Path]:
        if not is_tail:
            path.check_arguments(*[None] * (1 + bool(shape)), encoder.rest(*at)[0])
        found = [path.fixed(path.number(path.get("RDI")) + byte) for byte in range(len(shape))]
        if found != list(shape) or path.vectors[: len(vectors)] != list(vectors):
            raise Refuted("other constants")
        result, length, new = fresh("result"), fresh("length"), encoder.any_progress(path)
        path.put(place(path), *encoder.rest(*new))
        path.set("RAX", result)
        path.second, path.calls = length, [(*new, result)]
        path.conditions.append(results(result, length))
        return [path]

    path = encoder.start(arguments=arguments, at=(*NOTHING, 1))
    path.lend(LENT, 32, *encoder.rest(*NOTHING))
    path.lend(RESULT, 64)
    for after in loop.ends(path, image.function(caller), {image.function(callee): loop.turn(end, step)}):
        values, bytes_, result = progress_of(after)
        if is_tail:
            whole = z3.And(values == encoder.count, after.get("RDX") == encoder.room - bytes_)
            after.prove(z3.If(after.get("RAX") == 0, result == 0, z3.And(after.get("RAX") == 1, whole)), "another result")
            continue
        after.expect(RESULT, *encoder.rest(values, bytes_), what="another rest")
        after.prove(_possible(*after.words(RESULT + 32, 2)), "an unknown loop")


def encode(image: Image, integer: Integer) -> None:
    """Each loop goes on with what the one before it has left. The result is the length that is used, or nothing if the last
    one has no space."""
    encoder, size = Encoder(image, integer), 8 if integer.size == 8 else 4
    loop = _rests(encoder, 0)

    def part(lengths: range) -> Contract:
        """Returns the contract of a loop, which is for values of these lengths if it is for some."""

        def end(path: NotedPath) -> Any:
            path.expect(path.number(path.get("RSI")), *encoder.rest(*progress_of(path)), what="another rest")
            if lengths:
                length = term(path.get("RDX"), 64)
                path.prove(z3.And(z3.ULE(lengths[0], length), z3.ULE(length, lengths[-1])), "another length")
            return progress_of(path)

        def contract(path: NotedPath, *at: Any) -> list[Path]:
            result = path.number(path.get("RDI"))
            following, length, new = fresh("following"), fresh("length"), encoder.any_progress(path)
            path.put(result, *encoder.rest(*new), following, length)
            path.conditions.append(_possible(following, length))
            return [path]

        return loop.turn(end, contract)

    def tail(path: NotedPath) -> list[Path]:
        """The contract of the loop for the last values."""
        at = progress_of(path)
        path.expect(path.number(path.get("RDI")), *encoder.rest(*at), what="another rest")
        has_result, left = fresh("result"), fresh("left")
        path.conditions += [z3.ULE(has_result, 1), z3.ULE(left, encoder.room - at[1])]
        path.set("RAX", has_result)
        path.second, path.calls = left, [has_result, encoder.room - left]
        return [path]

    names = {f"mixed::<{integer.name}>": range(0), f"uniform::bytes::<{integer.name}, {size}>": range(0)}
    names |= {f"uniform::vectors::<{integer.name}, {one}>": range(2, one + 1) for one in {size, min(8, 2 * size)}}
    calls = {image.function(f"{MODULE}{name}"): part(lengths) for name, lengths in names.items()}
    calls[image.function(f"{MODULE}tail::<{integer.name}>")] = tail

    for after in encoder.ends(loop, image.function(f"{MODULE}encode::<{integer.name}>"), calls):
        encoder.check_result(after, *after.calls)


def _least(size: int) -> list[int]:
    """Returns the least value at which each byte is kept, in lanes of this size."""
    return ([0] + [1] * (size - 1)) * (64 // size)


def _interleaved(size: int) -> list[int]:
    """Returns the order of the bytes of 64 values that were merged."""
    return [value % (64 // size) * size + value // (64 // size) for value in range(64)]


def _shape(size: int, length: int) -> list[int]:
    """Returns a `Shape`: the order of bytes, the least value, the bits that no value has, and the continuation
    bits, in each lane; and the length."""
    lanes, width = 64 // size, (1 << 8 * size) - 1
    shape = [byte // length * size + byte % length for byte in range(lanes * length)]
    shape += [0] * (64 - len(shape))
    for word in (1 << 7 * (length - 1), -1 << 7 * length & width, 0x8080808080808080 & (1 << 8 * (length - 1)) - 1):
        shape += list(word.to_bytes(size, "little")) * lanes
    return shape + list(length.to_bytes(8, "little"))


def any_lengths(image: Image, integer: Integer) -> None:
    """The values that are stored are encoded one after another, and the job advances by them: 30 of 32 if all
    are long, fewer if there is no space, and otherwise all. The length of the next loop is possible."""
    job, counts = Job(image, integer, least=32), set[int]()
    path = job.path([LENT, job.src.start, WIDE])
    path.lend(WIDE, 8, fresh("wide"))
    for after in run(path, image.function(f"{MODULE}any::<{integer.name}>")):
        done, total = job.check_stores(after)
        after.expect(LENT, *job.rest(done, total), what="another rest")
        counts.add(done)
        result, length = (term(after.get(name), 64) for name in ("RAX", "RDX"))
        after.prove(_result_of_any(result, length), "an unknown result, or a length that no lane has")
    if max(counts) != 32:
        raise Refuted("not a block")


def up_to_eight(image: Image, integer: Integer) -> None:
    """The next values, at most eight, are encoded. Or the result is false, and there is no space for them."""
    for count in range(1, 9):
        job = Job(image, integer, least=8 if count == 8 else count, count=None if count == 8 else count)
        encoded = False
        for after in run(job.path([LENT]), image.function(f"{MODULE}up_to_eight::<{integer.name}>")):
            if after.is_true():
                encoded, (done, total) = True, job.check_stores(after)
                if done != count:
                    raise Refuted("another number of values")
                after.expect(LENT, *job.rest(count, total), what="another rest")
                continue
            done, total = 0, z3.BitVecVal(0, 64)
            for pack in after.packs:  # If the first half does not fit, there is no second one.
                slots = job.check_slots(after, *pack, done)
                done, total = done + len(slots.values), total + slots.kept
            after.prove(z3.UGT(total, job.room), "enough space")
        if not encoded:
            raise Refuted("encodes nothing")


# Values of one length.


def block(image: Image, integer: Integer, size: int, length: int) -> None:
    """A block of values of one length is encoded; or nothing, or a part of it if there is no space."""
    job = Job(image, integer, least=32)
    path = job.path([SHAPE, LENT, job.src.start])
    path.stack |= {SHAPE + at: byte for at, byte in enumerate(_shape(size, length))}
    _check_block(path, job, f"<{MODULE}uniform::Shape<{size}>>::block::<{integer.name}>", length, 64 // size, 32)


def block_of_bytes(image: Image, integer: Integer) -> None:
    """64 values of one byte are encoded, or nothing."""
    job, size = Job(image, integer, least=64), 8 if integer.size == 8 else 4
    path = job.path([LENT, job.src.start])
    path.vectors[0] = _interleaved(size)
    _check_block(path, job, f"{MODULE}uniform::block_of_bytes::<{integer.name}, {size}>", 1, 64, 64)


def _check_block(path: NotedPath, job: Job, function: str, length: int, each: int, count: int) -> None:
    """Proves that each store has the encodings of the next `each` values, which all have this length, and that
    the job advances by them. Some end is after `count` values."""
    ended = False
    for after in run(path, path.image.function(function)):
        result, done = after.number(after.get("RAX")), len(after.stores) * each
        if result not in (MIXED, TAIL, DONE) or (done == count) != (result == DONE):
            raise Refuted("another result")
        ended = ended or done == count
        after.expect(LENT, *job.rest(done, done * length), what="another rest")
        if done:
            after.prove(z3.And(*[takes(one, job.integer, length) for one in job.named[:count]]), "another length")
        for index, (_, offset, new) in enumerate(after.stores):
            after.prove(offset == index * each * length, "a store at another place")
            check_encodings(new, job.named[index * each : (index + 1) * each], job.integer, length)
    if not ended:
        raise Refuted("encodes no block")
