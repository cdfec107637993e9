//! Every kernel of this CPU does what the scalar one does, and leaves everything else alone.
//!
//! Sources and destinations touch guard pages, or lie between other bytes that must stay as they are.

use std::cell::RefCell;

use zigzag_varint::{BufferTooSmall, BulkError, Kernel, Progress};

use super::input::Input;
use crate::common::guard::{Edge, Guarded};
use crate::common::naive::Int;
use crate::common::sequences::{Codec, Sequence};
use crate::common::suite::Bulk;

/// Bytes of the longest source.
const LONGEST: usize = 2048;
/// Slots behind a destination at the front of its pages, which must stay as they are.
const BEHIND: usize = 64;

/// Bytes to be repeated: each length of a varint divides one of them.
const UNITS: [usize; 4] = [6, 20, 24, 63];

/// Memory that all calls share.
struct Room {
    src: Guarded,
    values: Guarded,
    due: Guarded,
    got: Guarded,
}

thread_local! {
    static ROOM: RefCell<Room> = {
        let new = || Guarded::new((LONGEST + BEHIND) * size_of::<u128>());
        RefCell::new(Room { src: new(), values: new(), due: new(), got: new() })
    };
}

/// What the first bytes choose.
struct Choice {
    canonical: bool,
    what: u8,
    edge: Edge,
    /// Bytes between the source's end and the guard page.
    pad: usize,
    /// Room in the destination, or a number of values.
    n: usize,
}

/// Five bytes choose: type and strictness, what is called, where memory lies, how much room there is, and how often the front of
/// the rest is repeated, so that few bytes make long streams of one kind.
pub fn hold(bytes: &[u8]) {
    let mut input = Input::new(bytes);
    let (kind, what, place, room, repeat) =
        (input.byte(), input.byte(), input.byte(), input.byte(), input.byte());
    let body = input.rest();
    // Most streams are short: they are quick.
    let times = if repeat < 0xc0 { 0 } else { 1 << (repeat & 0x0f).min(9) };
    let unit = &body[..body.len().min(UNITS[usize::from(repeat >> 4 & 3)])];
    let len = body.len() + unit.len() * times;
    if len > LONGEST {
        return;
    }
    let choice = Choice {
        canonical: kind & 0x80 != 0,
        what,
        edge: if place & 0x80 == 0 { Edge::Back } else { Edge::Front },
        pad: if place & 0x40 == 0 { 0 } else { (place & 0x3f).into() },
        n: if room < 0xc0 { room.into() } else { len.saturating_sub(usize::from(room & 0x1f)) },
    };
    ROOM.with_borrow_mut(|shared| {
        let Room { src, values, due, got } = shared;
        let padded = src.slice::<u8>(Edge::Back, len + choice.pad);
        let (repeated, rest) = padded.split_at_mut(unit.len() * times);
        repeated.chunks_mut(unit.len().max(1)).for_each(|chunk| chunk.copy_from_slice(unit));
        rest[..body.len()].copy_from_slice(body);
        let src = &padded[..len];
        by_type!(kind, check(src, &choice, values, due, got));
    });
}

fn check<T: Sequence>(
    src: &[u8],
    choice: &Choice,
    values: &mut Guarded,
    due: &mut Guarded,
    got: &mut Guarded,
) {
    let previous = T::from_wire((u128::from(choice.what) * 0x0101) & T::WIRE_MAX).expect("within the type");
    match choice.what % 6 {
        0 | 1 => decode::<T>(choice, due, got, src, |kernel, dst| {
            Bulk::decode(&kernel, src, dst, choice.canonical)
        }),
        2 => decode::<T>(choice, due, got, src, |kernel, dst| {
            Codec::decode(&kernel, previous, src, dst, choice.canonical)
        }),
        3 => encode(decoded::<T>(src, values), choice, due, got, |kernel, values, dst| {
            (kernel.encode_slice(values, dst), kernel.encoded_len_slice(values))
        }),
        4 => encode(decoded::<T>(src, values), choice, due, got, |kernel, values, dst| {
            let encoded = kernel.encode_delta_slice(previous, values, dst);
            (encoded, kernel.encoded_delta_len_slice(previous, values))
        }),
        _ => scan(src, choice.n),
    }
}

fn others() -> impl Iterator<Item = Kernel> {
    Kernel::available().filter(|&kernel| kernel != Kernel::SCALAR)
}

fn decode<T: Int>(
    choice: &Choice,
    due: &mut Guarded,
    got: &mut Guarded,
    src: &[u8],
    call: impl Fn(Kernel, &mut [T]) -> Result<Progress, BulkError>,
) {
    let room = choice.n.min(src.len() + 1);
    let due = due.slice::<T>(Edge::Back, room);
    let verdict = call(Kernel::SCALAR, due);
    let done = verdict.map_or_else(|failed| failed.progress.values, |progress| progress.values);
    for kernel in others() {
        let (dst, behind) = destination::<T>(got, choice.edge, room);
        let told = call(kernel, dst);
        assert!(
            told == verdict && dst[..done] == due[..done],
            "{kernel} decodes {} (room {room}, canonical: {}) {src:02x?}\n     got: {told:?} {:?}\nexpected: {verdict:?} {:?}",
            T::NAME,
            choice.canonical,
            &dst[..done],
            &due[..done],
        );
        untouched(kernel, behind);
    }
}

type Encoded = (Result<usize, BufferTooSmall>, usize);

fn encode<T: Int>(
    values: &[T],
    choice: &Choice,
    due: &mut Guarded,
    got: &mut Guarded,
    call: impl Fn(Kernel, &[T], &mut [u8]) -> Encoded,
) {
    let need = call(Kernel::SCALAR, values, &mut []).1;
    let room = match choice.n % 4 {
        0 => need,
        1 => need.saturating_sub(1),
        2 => need + choice.n / 4,
        _ => choice.n.min(need),
    };
    let room = room.min(LONGEST * size_of::<u128>());
    let due = due.slice::<u8>(Edge::Back, room);
    let verdict = call(Kernel::SCALAR, values, due);
    let done = verdict.0.unwrap_or(0);
    for kernel in others() {
        let (dst, behind) = destination::<u8>(got, choice.edge, room);
        let told = call(kernel, values, dst);
        assert!(
            told == verdict && dst[..done] == due[..done],
            "{kernel} encodes {} (room {room}) {values:?}\n     got: {told:?} {:02x?}\nexpected: {verdict:?} {:02x?}",
            T::NAME,
            &dst[..done],
            &due[..done],
        );
        untouched(kernel, behind);
    }
}

fn scan(src: &[u8], n: usize) {
    let (held, passed) = (Kernel::SCALAR.count(src), Kernel::SCALAR.skip(src, n));
    for kernel in others() {
        assert_eq!(kernel.count(src), held, "{kernel} counts in {src:02x?}");
        assert_eq!(kernel.skip(src, n), passed, "{kernel} skips {n} of {src:02x?}");
    }
}

/// A destination that ends at a guard page, or begins behind one and has slots behind it, all stale.
fn destination<T: Int>(pages: &mut Guarded, edge: Edge, room: usize) -> (&mut [T], &mut [T]) {
    let stale = T::from_wire(T::WIRE_MAX / 3).expect("within the type");
    let behind = if edge == Edge::Front { BEHIND } else { 0 };
    let all = pages.slice::<T>(edge, room + behind);
    all.fill(stale);
    all.split_at_mut(room)
}

fn untouched<T: Int>(kernel: Kernel, behind: &[T]) {
    let stale = T::WIRE_MAX / 3;
    assert!(
        behind.iter().all(|slot| slot.wire() == stale),
        "{kernel} writes behind its destination: {behind:?}"
    );
}

/// The sound values of `src`, before a guard page.
fn decoded<'p, T: Int>(src: &[u8], pages: &'p mut Guarded) -> &'p [T] {
    let values = pages.slice::<T>(Edge::Back, src.len());
    let (mut held, mut rest) = (0, src);
    while !rest.is_empty() {
        let outcome = Kernel::SCALAR.decode_slice(rest, &mut values[held..]);
        held += outcome.map_or_else(|failed| failed.progress.values, |progress| progress.values);
        rest = outcome.err().and_then(|failed| rest.get(failed.error.offset() + 1..)).unwrap_or_default();
    }
    let spare = values.len() - held;
    values.rotate_right(spare);
    &values[spare..]
}

pub fn examples() -> Vec<Vec<u8>> {
    let headers: Vec<[u8; 5]> = (0..72u8)
        .map(|n| {
            [
                (n % 16) | ((n / 16) << 7),
                n % 6,
                [0, 0x80, 0x45, 0xc1][usize::from(n / 6) % 4],
                [8, 0xc0, 64, 0xc1, 7][usize::from(n) % 5],
                [0, 0xe7, 0xd5, 0xf8, 0xc9][usize::from(n / 5) % 5],
            ]
        })
        .collect();
    super::behind(&headers.iter().map(|header| &header[..]).collect::<Vec<_>>())
}
