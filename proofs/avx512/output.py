"""Shows that the stores of a path are the encodings of the next values, one after another."""

from typing import Any

import z3

from model.failures import Inconclusive, Refuted

from .format import slots
from .job import Job
from .path import Encoded, Pack, Path, Store
from .solver import names, prove, prove_lengths
from model.terms import Bit, known, simplified, term

Slots = list[tuple[Bit, Any]]  # whether a byte is kept, and the byte


def check(path: Path, job: Job, done: Any, written: Any, done_then: Any, written_then: Any) -> None:
    """Proves that a path has encoded the values from `done` to `done_then` to the bytes from `written`
    to `written_then`, and that there are as many. Adds what is known of the lengths then to its
    conditions."""
    values, length = simplified(done_then - done), simplified(written_then - written)
    stores = [one for one in path.log if isinstance(one, Store)]
    calls = [one for one in path.log if isinstance(one, Encoded)]
    if len(calls) == 1 and not stores:
        [call] = calls
        claim = z3.And(call.offset == written, call.values == values, call.length == length)
        prove_lengths(path.length_conditions(), claim, "a call continues elsewhere")
    elif calls:
        raise Inconclusive("a turn with several calls, or with calls and stores")
    elif not known(values):
        raise Inconclusive(f"an unknown number of values: {values}")
    else:
        elements = [_element(path, job, done, index) for index in range(values)]
        packs = [(store, path.pack_of(store.bytes)) for store in stores]
        if any(pack is not None for _, pack in packs):
            _check_packs(path, job, packs, elements, written, length)
        elif not known(length):
            _check_each(path, job, stores, elements, written, length)
        else:
            check_fixed(path, job, stores, elements, written, length)
    within = z3.And(z3.ULE(done_then, job.values), z3.ULE(written_then, job.capacity))
    prove_lengths(path.length_conditions(), within, "more values than there are, or more bytes than fit")


def check_too_small(path: Path, job: Job, done: Any, written: Any) -> None:
    """Proves that the encodings of the next values do not fit."""
    if path.packs:
        elements = [_element(path, job, done, index) for index in range(64 // job.size)]
        count, needed = 0, z3.BitVecVal(0, 64)
        for pack in path.packs:
            by_value, absent = _by_value(pack, _owners(elements))
            _check_values(path, job, elements, by_value, count)
            count += len(by_value)
            needed = z3.simplify(needed + _used(path, pack, len(by_value), absent))
        claim = z3.And(z3.ULE(done + count, job.values), z3.ULT(job.capacity - written, needed))
        prove_lengths(path.length_conditions(), claim, "None, but the next values fit")
        return
    prove_lengths(path.length_conditions(), z3.ULT(done, job.values), "None, but no value is left")
    check_value_too_small(path, job, _element(path, job, done, 0), job.capacity - written)


def check_value_too_small(path: Path, job: Job, value: z3.BitVecRef, left: Any) -> None:
    """Proves that the encoding of a value has more bytes than are left."""
    lengths = range(1, job.integer.longest + 1)
    shortest = next((length for length in lengths if path.follows(z3.ULT(left, length))), None)
    if shortest is None:
        raise Refuted("no space is reported, but there is space for any value")
    present, _ = slots(value, job.integer)[shortest - 1]
    _prove_about(path, value, present, "no space is reported, but the value fits")


def _owners(elements: list[z3.BitVecRef]) -> dict[str, int]:
    return {element.decl().name(): index for index, element in enumerate(elements)}


def _element(path: Path, job: Job, done: Any, index: int) -> z3.BitVecRef:
    """Returns the value at an index from `done` on."""
    return path.memory.element(job.source, job.size * term(done, 64) + job.size * index)


# Packs: the output of VPCOMPRESSB.


def _check_packs(
    path: Path,
    job: Job,
    packs: list[tuple[Store, Pack | None]],
    elements: list[z3.BitVecRef],
    written: Any,
    length: Any,
) -> None:
    owners, next_value, at = _owners(elements), 0, written
    for store, pack in packs:
        if pack is not None:
            by_value, absent = _by_value(pack, owners)
            _check_values(path, job, elements, by_value, next_value)
            next_value += len(by_value)
            used = _used(path, pack, len(by_value), absent)
        elif all(known(byte) for byte in store.bytes):
            used = z3.BitVecVal(0, 64)  # lanes without a value: nothing of them is counted
        else:
            raise Inconclusive("a store of something else")
        conditions = path.length_conditions()
        prove_lengths(conditions, store.offset == at, "a store does not begin where the one before ended")
        stored = [z3.Or(z3.ULE(used, index), _as_term(bit)) for index, bit in enumerate(store.bits or [])]
        prove_lengths(conditions, z3.And(*stored), "a byte of the encoding is not stored")
        at = z3.simplify(at + used)
    if next_value != len(elements):
        raise Refuted(f"{next_value} of {len(elements)} values are stored")
    prove_lengths(path.length_conditions(), at == written + length, "the output has another length")


def _check_values(
    path: Path, job: Job, elements: list[z3.BitVecRef], by_value: dict[int, Slots], first: int
) -> None:
    """Proves that these are the encodings of the values from `first` on."""
    if list(by_value) != list(range(first, first + len(by_value))):
        raise Refuted(f"values {list(by_value)} follow, and value {first} is the next one")
    for index, found in by_value.items():
        _check_value(path, job, elements[index], found, f"value {index} of {len(elements)}")


def _by_value(pack: Pack, owners: dict[str, int]) -> tuple[dict[int, Slots], int]:
    """Returns the slots of each value, by the unknowns in them, and the number of bytes after the
    last value that belong to no value."""
    found: dict[int, Slots] = {}
    absent, last = 0, -1
    for bit, byte in zip(pack.bits, pack.source, strict=True):
        bit, byte = (one if known(one) else z3.simplify(one) for one in (bit, byte if known(byte) else term(byte, 8)))
        bit = bit if known(bit) or not (z3.is_true(bit) or z3.is_false(bit)) else z3.is_true(bit)
        if bit is False:
            continue
        mentioned = frozenset() if known(byte) else names(byte)
        mentioned |= frozenset() if known(bit) else names(bit)
        if not mentioned:
            absent += 1
            continue
        if len(mentioned) != 1 or not mentioned <= set(owners):
            raise Inconclusive(f"a byte of other values: {sorted(mentioned)}")
        index = owners[next(iter(mentioned))]
        if index < last or absent:
            raise Refuted(f"bytes of value {index} are in the wrong order")
        last = index
        found.setdefault(index, []).append((bit, byte))
    return found, absent


def _used(path: Path, pack: Pack, values: int, absent: int) -> z3.BitVecRef:
    """Returns the number of bytes of the values in a pack."""
    count = path.count_of(pack.bits)
    if count is None:
        raise Inconclusive("the length of a pack is not counted")
    path.assume(z3.UGE(count, values + absent))  # The first byte of each value is there, as was just shown.
    return z3.simplify(count - absent)


def _check_value(path: Path, job: Job, value: z3.BitVecRef, found: Slots, what: str) -> None:
    expected = slots(value, job.integer)
    claims = []
    for index in range(max(len(found), len(expected))):
        bit, byte = found[index] if index < len(found) else (False, 0)
        present, specified = expected[index] if index < len(expected) else (z3.BoolVal(False), z3.BitVecVal(0, 8))
        claims += [_as_term(bit) == present, z3.Implies(present, term(byte, 8) == specified)]
    _prove_about(path, value, z3.And(*claims), f"{what} is encoded wrongly")


# A fixed layout: all values have the same known length.


def check_fixed(
    path: Path, job: Job, stores: list[Store], elements: list[z3.BitVecRef], written: Any, length: Any
) -> None:
    """Proves the encodings in stores at known offsets."""
    if not known(length) or (length and length % len(elements)):
        raise Inconclusive(f"{len(elements)} values in {length} bytes")
    layout: dict[int, Any] = {}
    for store in stores:
        offset = z3.simplify(store.offset - term(written, 64))
        if not z3.is_bv_value(offset) or store.bits is not None:
            raise Inconclusive("a store at an unknown offset")
        layout |= {offset.as_signed_long() + index: byte for index, byte in enumerate(store.bytes)}
    if any(at < 0 for at in layout):
        raise Refuted("a store overwrites earlier values")
    each = length // len(elements) if elements else 0
    for index, value in enumerate(elements):
        if missing := set(range(index * each, (index + 1) * each)) - set(layout):
            raise Refuted(f"bytes {sorted(missing)} of the encoding are not stored")
        expected = slots(value, job.integer)
        claims = [present == z3.BoolVal(at < each) for at, (present, _) in enumerate(expected)]
        claims += [term(layout[index * each + at], 8) == byte for at, (_, byte) in enumerate(expected[:each])]
        claims.append(z3.BoolVal(each <= len(expected)))
        _prove_about(path, value, z3.And(*claims), f"value {index} of {len(elements)} is encoded wrongly")


# Values of which the lengths are read from tables.


def _check_each(
    path: Path, job: Job, stores: list[Store], elements: list[z3.BitVecRef], written: Any, length: Any
) -> None:
    """Proves encodings of which each begins where the one before ends. The stores of one are at known
    distances, and those of the next overwrite what does not count."""
    if not elements:
        prove_lengths(path.length_conditions(), length == 0, "the output has another length")
        return
    begins, layouts = [term(written, 64)], [{}]
    for store in stores:
        offset = z3.simplify(store.offset - begins[-1])
        if not z3.is_bv_value(offset):
            begins.append(store.offset)
            layouts.append({})
            offset = z3.BitVecVal(0, 64)
        if offset.as_signed_long() < 0:
            raise Refuted("a store overwrites earlier values")
        layouts[-1] |= {offset.as_signed_long() + index: byte for index, byte in enumerate(store.bytes)}
    if len(layouts) != len(elements):
        raise Inconclusive(f"{len(elements)} values at {len(layouts)} places")
    ends = [*begins[1:], term(written + length, 64)]
    for index, (value, begin, end, layout) in enumerate(zip(elements, begins, ends, layouts, strict=True)):
        used = path.expanded(z3.simplify(end - begin))
        claims = [z3.ULE(used, job.integer.longest)]
        for at, (present, specified) in enumerate(slots(value, job.integer)):
            if at not in layout:
                raise Refuted(f"byte {at} of value {index} is not stored")
            byte = path.expanded(z3.simplify(term(layout[at], 8)))
            claims += [present == z3.ULT(at, used), z3.Implies(present, byte == specified)]
        _prove_about(path, value, z3.And(*claims), f"value {index} of {len(elements)} is encoded wrongly")


def _prove_about(path: Path, value: z3.BitVecRef, claim: z3.BoolRef, what: str) -> None:
    """Proves a claim about a value by the conditions that mention it."""
    name = value.decl().name()
    prove([one for one in path.conditions if name in names(one)], claim, what)


def _as_term(bit: Bit) -> z3.BoolRef:
    return z3.BoolVal(bool(bit)) if known(bit) else bit
