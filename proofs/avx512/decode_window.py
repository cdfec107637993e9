"""Shows that a window of 64 bytes is decoded: `fixed_stride::windows` and the front of `decode::decode`.

VPCOMPRESSB gives the places where values start, PEXT tells which of them are long, POPCNT counts
them: place number i and bit number i belong to value number i, because the masks are those of the
starts and of the ends, which alternate. A lane is then a term of one place and one bit. It is
checked for every place and every length of a value.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import z3

from model.failures import Inconclusive, Refuted

from .decode_format import decodes_to
from .decode_job import Job
from .decode_path import DecoderPath, Progress, prove_bits
from .solver import COUNTS, names, prove, prove_lengths
from model.terms import Bit, known, lanes, same_bits, term

SIZE = 64
PLACE, SELECTED = z3.BitVec("place", 8), z3.Bool("selected")
PLACE_BEFORE, SELECTED_BEFORE = z3.BitVec("place_before", 8), z3.Bool("selected_before")  # of the value before


class Window:
    """The bytes of a window. Values that end in the first `history` bytes were decoded before. `ends` is
    a mask of the last bytes of the values to decode, and `starts` one of their first bytes: the first
    one follows the last end in the history, or is the first byte; after the last value there is a start
    of which the end is not known."""

    def __init__(self, data: list[z3.BitVecRef], present: list[Bit], history: int) -> None:
        self.data, self.present, self.history = data, [_bit(one) for one in present], history
        self.more = [z3.Extract(7, 7, byte) == 1 for byte in data]
        self.ends = [
            z3.BoolVal(False) if k < history else z3.And(self.present[k], z3.Not(self.more[k])) for k in range(SIZE)
        ]
        first = [z3.And(*[z3.Not(one) for one in self.more[max(k - 1, 0) : k]], *self.more[k:history])
                 for k in range(history + 1)]
        self.starts = [*first, *self.ends[history:-1]]
        self.names = frozenset().union(*map(names, self.data))
        self._checked: list[tuple[str, list[Bit]]] = []

    def check(self, masks: str, mask: list[Bit]) -> None:
        """Proves that a mask is that of the `starts` or the `ends`."""
        if not any(masks == what and mask is one for what, one in self._checked):
            prove_bits([], mask, getattr(self, masks), f"the {masks} of the window")
            self._checked.append((masks, mask))


def check_window(path: DecoderPath, job: Job, before: Progress, then: Progress) -> None:
    """Proves that the stores are the values that end in a window, and that a progress is after them."""
    if before.pending:
        window, count = _next_window(path, job, before, then)
    else:
        window, count = _front(path, job, before, then)
    values = z3.simplify(then.values - before.values)
    stored = _stored_lanes(path, job, before, values)
    prove_lengths(path.length_conditions(), z3.ULE(values, count), "more values than end in the window")
    long = False
    for index, lane in enumerate(stored):
        long |= _check_lane(path, job, window, index, lane)
    check_valid(path, job, window, long or not stored)


def _next_window(path: DecoderPath, job: Job, before: Progress, then: Progress) -> tuple[Window, z3.BitVecRef]:
    """Returns the window that shares its first bytes with the one before, and the number of values that
    end in its others: all of them must be decoded."""
    if not then.pending:
        raise Refuted("a value is pending")
    start = z3.simplify(before.bytes - job.history)
    data = [path.memory.source_byte(job.source, start + k) for k in range(SIZE)]
    window = Window(data, [True] * SIZE, job.history)
    count = z3.simplify(then.values - before.values)
    bits = next((bits for bits, name in path.counts if name.eq(count)), None)
    if bits is None:
        raise Refuted(f"the number of values is not counted: {count}")
    prove_bits([], bits, window.ends, "the values that are counted are not those of the window")
    claim = then.bytes == before.bytes + (SIZE - job.history)
    prove_lengths(path.length_conditions(), claim, "the next window is elsewhere")
    return window, count


def _front(path: DecoderPath, job: Job, before: Progress, then: Progress) -> tuple[Window, z3.BitVecRef]:
    """Returns the window of a masked load, and the number of values that end in it. Less may be decoded,
    if there is no space for more."""
    if not path.memory.masked:
        raise Refuted("other values than those that were found")
    if then.pending or len(path.memory.masked) != 1:
        raise Inconclusive(f"{len(path.memory.masked)} masked loads")
    [load] = path.memory.masked
    conditions = path.length_conditions()
    prove_lengths(conditions, load.offset == before.bytes, "the window is elsewhere")
    window = Window(load.result, load.present, 0)
    ends, values = window.ends, z3.simplify(then.values - before.values)
    count = next((name for bits, name in path.counts if _agree(bits, ends)), None)
    if count is None:
        raise Refuted("the values of the window are not counted")
    prove_lengths(conditions, z3.UGE(values, 1), "no value is decoded")
    zeros = next((one for one in path.zeros if one.leading and _is(then.bytes, before.bytes + SIZE - one.count)), None)
    if zeros is None:
        raise Refuted("the end of the last value is not known")
    if _agree(zeros.bits, ends):
        prove_lengths(conditions, values == count, "the last value of the window is not the last one that is decoded")
        return window, count
    field = next((one for one in path.fields if not one.extracts and same_bits(one.result, zeros.bits)), None)
    if field is None:
        raise Refuted("the end of the last value is that of something else")
    prove_bits([], field.mask, ends, "the ends of the window")
    prove_bits(conditions, field.source, [z3.UGT(values, k) for k in range(SIZE)], "the ends of the decoded values")
    return window, count


def _is(a: z3.BitVecRef, b: z3.BitVecRef) -> bool:
    difference = z3.simplify(a - b)
    return z3.is_bv_value(difference) and difference.as_long() == 0


def _agree(some: list[Bit], others: list[Bit]) -> bool:
    try:
        prove_bits([], some, others, "two masks")
    except Refuted:
        return False
    return True


def _stored_lanes(path: DecoderPath, job: Job, before: Progress, values: z3.BitVecRef) -> list[z3.BitVecRef]:
    """Returns the values that were stored one after another, after a proof that they are at least as many
    as there are."""
    conditions, stored, width = path.length_conditions(), [], 8 * job.size
    for store in path.log:
        here = job.size * (before.values + len(stored))
        prove_lengths(conditions, store.offset == here, "values are stored elsewhere")
        if len(store.bytes) % job.size:
            raise Inconclusive("a part of a value is stored")
        present = [
            z3.Implies(z3.UGT(values, len(stored) + index // job.size), _bit(bit))
            for index, bit in enumerate(store.bits or [])
        ]
        prove(conditions, z3.And(*present), "a byte of a value is not stored")
        stored += [z3.simplify(term(lane, width)) for lane in lanes(store.bytes, width)]
    prove_lengths(conditions, z3.ULE(values, len(stored)), "a value is not stored")
    return stored


def check_valid(path: DecoderPath, job: Job, window: Window, long: bool) -> None:
    """Proves that the conditions of the path allow no invalid value in the window, and none that is
    longer than what was checked of the lanes."""
    more, claims, longest = window.more, [], job.integer.longest
    for at in range(window.history, SIZE + 1):
        here = [window.present[at]] if at < SIZE else []
        if long and at < SIZE:
            if at >= longest - 1:
                claims.append(z3.Implies(z3.And(*here, *more[at - longest + 1 : at]), _fits(job, window.data[at])))
        elif at < SIZE and at >= job.size:
            claims.append(z3.Not(z3.And(*here, *more[at - job.size : at])))
        if at >= longest and (window.history or at < SIZE):
            claims.append(z3.Not(z3.And(*here, *more[at - longest : at])))
        if job.canonical and 1 <= at < SIZE:
            claims.append(z3.Not(z3.And(*here, more[at - 1], window.data[at] == 0)))
    conditions = [one for one in path.conditions if names(one) & window.names]
    ids = (window.history, long, job.canonical, *[one.get_id() for one in conditions])
    if ids not in _valid:
        for claim in claims:
            prove(conditions, claim, "a value that is not valid is decoded")
        _valid[ids] = conditions


def valid(job: Job, source: list[z3.BitVecRef]) -> list[z3.BoolRef]:
    """Returns what is true of the bytes of a value in a window without values that are not valid."""
    found = [_fits(job, source[-1])] if len(source) == job.integer.longest else []
    return [*found, source[-1] != 0] if job.canonical and len(source) > 1 else found


def _fits(job: Job, last: z3.BitVecRef) -> z3.BoolRef:
    """What is true of the last byte of a longest value. That of 64 bits is 1, so that it has no redundant
    byte."""
    return last == 1 if job.size == 8 else z3.ULE(last, job.integer.last)


# Lanes.

_valid: dict[tuple[int, ...], list[z3.BoolRef]] = {}
_lanes: dict[tuple[int, ...], tuple[z3.ExprRef, ...]] = {}
_decoded: dict[tuple[int, int, int], tuple[bool, z3.ExprRef, z3.ExprRef]] = {}


def _check_lane(path: DecoderPath, job: Job, window: Window, index: int, lane: z3.BitVecRef) -> bool:
    """Proves that a lane is value number `index` of the window. Returns whether it may be a long value.
    It may depend on the value before, of which a shift of two bytes moves bits into it: these are zero."""
    found = (index, lane.get_id(), window.data[0].get_id())
    if found in _decoded:  # It is on many paths. What its names stand for is the same on all of them.
        return _decoded[found][0]
    mentioned, pairs = names(lane) - window.names, []
    pack = _only([one for one in path.packs if one.result[index].term.decl().name() in mentioned], "places")
    fields = [one for one in path.fields if one.result[index].decl().name() in mentioned]
    for number, place, selected in ((index, PLACE, SELECTED), (index - 1, PLACE_BEFORE, SELECTED_BEFORE)):
        if number >= 0:
            pairs.append((pack.result[number].term, place))
            pairs += [(one.result[number], selected) for one in fields]
    if unknown := mentioned - {name.decl().name() for name, _ in pairs}:
        raise Refuted(f"value {index} is made of something else: {sorted(unknown)}")
    window.check("starts", pack.bits)
    if pack.source != list(range(SIZE)):
        raise Refuted("the places are not packed")
    source: list[Bit] = []
    if fields:
        field = _only(fields, "bits")
        window.check("ends", field.mask)
        source = field.source
    general = z3.simplify(z3.substitute(lane, *pairs))
    key = (general.get_id(), *[_bit(one).get_id() for one in source])
    if key not in _lanes:
        _check_places(job, window, general, source)
        _lanes[key] = (general, *[_bit(one) for one in source])
    _decoded[found] = bool(fields), lane, window.data[0]
    return bool(fields)


def _only(found: list[Any], what: str) -> Any:
    if len(found) != 1:
        raise Refuted(f"a value is made of {len(found)} {what}")
    return found[0]


def _check_places(job: Job, window: Window, lane: z3.BitVecRef, selected: list[Bit]) -> None:
    """Proves the values of all lengths at all places. Without long ones, they fit in a lane."""
    done: set[int] = set()
    has_before = bool(names(lane) & {PLACE_BEFORE.decl().name(), SELECTED_BEFORE.decl().name()})
    fits = z3.Implies(SELECTED_BEFORE, _fits(job, _last_of_long(job, window, PLACE_BEFORE)))
    for one in _each_place(job, window, selected):
        pairs, assumed = [(PLACE, z3.BitVecVal(one.place, 8)), *one.pairs], list(one.assumed)
        if selected:
            pairs.append((SELECTED, one.selected))
        value = z3.simplify(z3.substitute(lane, *pairs))
        if has_before:
            assumed.append(z3.simplify(z3.substitute(fits, *pairs)))
        COUNTS.questions += 1
        if value.get_id() not in done:
            claim = decodes_to(one.source, job.integer, job.canonical, value)
            prove(assumed, claim, f"a value of {len(one.source)} bytes at {one.place} is decoded wrongly")
            _kept.append(value)
            done.add(value.get_id())
    for one in _each_place(job, window, selected) if has_before else []:  # What was assumed of the value before.
        pairs = [(PLACE_BEFORE, z3.BitVecVal(one.place, 8)), (SELECTED_BEFORE, one.selected), *one.pairs]
        claim = z3.simplify(z3.substitute(fits, *pairs))
        prove(one.assumed, claim, f"the bits after a value of {len(one.source)} bytes at {one.place}")


@dataclass(frozen=True)
class Place:
    """A value of a known length at a known place: its bytes, what they are in the window, what is true of
    them, and whether the value is selected as a long one."""

    place: int
    source: list[z3.BitVecRef]
    pairs: list[tuple[z3.ExprRef, z3.ExprRef]]
    assumed: list[z3.BoolRef]
    selected: z3.BoolRef


def _each_place(job: Job, window: Window, selected: list[Bit]) -> Iterator[Place]:
    longest = job.integer.longest if selected else job.size
    groups = [z3.BitVec(f"group_{k}", 7) for k in range(longest)]
    for length in range(1, longest + 1):
        source = [z3.Concat(z3.BitVecVal(int(k < length - 1), 1), groups[k]) for k in range(length)]
        assumed = valid(job, source)
        if length == job.integer.longest and job.size == 8:
            source[-1] = z3.BitVecVal(1, 8)
        for place in range(SIZE):
            end = place + length - 1
            if window.history <= end < SIZE:
                pairs = [(window.data[place + k], byte) for k, byte in enumerate(source)]
                if place:
                    before = z3.Concat(z3.BitVecVal(0, 1), z3.BitVec("group_before", 7))
                    pairs.append((window.data[place - 1], before))
                is_long = z3.simplify(z3.substitute(_bit(selected[end]), *pairs)) if selected else z3.BoolVal(False)
                yield Place(place, source, pairs, assumed, is_long)


def _last_of_long(job: Job, window: Window, place: z3.BitVecRef) -> z3.BitVecRef:
    """Returns the byte of the window after the first `size` bytes from a place on."""
    at, byte = (place + job.size) & (SIZE - 1), window.data[-1]
    for k, other in enumerate(window.data[:-1]):
        byte = z3.If(at == k, other, byte)
    return byte


_kept: list[z3.ExprRef] = []  # Terms whose ids are used stay, so that the ids stay theirs.


def _bit(one: Bit) -> z3.BoolRef:
    return z3.BoolVal(bool(one)) if known(one) else one
