//! Every kernel of this CPU agrees with the scalar kernel and writes nothing outside its
//! destination.
//!
//! Sources and destinations lie next to guard pages, or between other values that must stay
//! unchanged.

use std::cell::RefCell;

use zigzag_varint::{BufferTooSmall, BulkError, Kernel, Progress};

use crate::property::input::Input;
use crate::support::delta_checks::{Checker, MOST};
use crate::support::delta_codecs::{Memory as Sequences, Place, row};
use crate::support::delta_oracle::Scheme;
use crate::support::guard_pages::{Edge, Guarded};
use crate::support::kernel_checks::Bulk;
use crate::support::oracle::Int;

/// The length of the longest source in bytes.
const LONGEST: usize = 2048;
/// The number of values after a destination at the front of its pages, which must stay unchanged.
const AFTER: usize = 64;

/// Lengths of the part that is repeated. Each length of a varint up to 10 divides one of them.
const UNITS: [usize; 4] = [6, 20, 24, 63];

/// Memory that all calls of a thread share.
struct Memory {
    src: Guarded,
    values: Guarded,
    expected: Guarded,
    got: Guarded,
}

thread_local! {
    static SEQUENCES: RefCell<Option<Sequences>> = const { RefCell::new(None) };
    static MEMORY: RefCell<Memory> = {
        let new = || Guarded::new((LONGEST + AFTER) * size_of::<u128>());
        RefCell::new(Memory { src: new(), values: new(), expected: new(), got: new() })
    };
}

/// The parameters in the first bytes of the input.
struct Choice {
    canonical: bool,
    operation: u8,
    edge: Edge,
    /// The number of bytes between the end of the source and the guard page.
    pad: usize,
    /// The capacity of the destination, or a number of values to skip.
    n: usize,
}

/// Five bytes choose the type and strictness, the operation, the placement in memory, the capacity,
/// and how often the start of the remaining bytes is repeated. The repetition makes long uniform
/// streams from few bytes.
pub fn check(bytes: &[u8]) {
    let mut input = Input::new(bytes);
    let (kind, operation, placement, capacity, repeat) =
        (input.byte(), input.byte(), input.byte(), input.byte(), input.byte());
    let body = input.rest();
    // Most streams are short, to save time.
    let times = if repeat < 0xc0 { 0 } else { 1 << (repeat & 0x0f).min(9) };
    let unit = &body[..body.len().min(UNITS[usize::from(repeat >> 4 & 3)])];
    let len = body.len() + unit.len() * times;
    if len > LONGEST {
        return;
    }
    let choice = Choice {
        canonical: kind & 0x80 != 0,
        operation,
        edge: if placement & 0x80 == 0 { Edge::Back } else { Edge::Front },
        pad: if placement & 0x40 == 0 { 0 } else { (placement & 0x3f).into() },
        n: if capacity < 0xc0 { capacity.into() } else { len.saturating_sub(usize::from(capacity & 0x1f)) },
    };
    MEMORY.with_borrow_mut(|shared| {
        let Memory { src, values, expected, got } = shared;
        let padded = src.slice::<u8>(Edge::Back, len + choice.pad);
        let (repeated, rest) = padded.split_at_mut(unit.len() * times);
        repeated.chunks_mut(unit.len().max(1)).for_each(|chunk| chunk.copy_from_slice(unit));
        rest[..body.len()].copy_from_slice(body);
        let src = &padded[..len];
        by_type!(kind, check_type(src, &choice, values, expected, got));
    });
}

fn check_type<T: Place>(
    src: &[u8],
    choice: &Choice,
    values: &mut Guarded,
    expected: &mut Guarded,
    got: &mut Guarded,
) {
    match choice.operation % 6 {
        0 | 1 => decode::<T>(choice, expected, got, src, |kernel, dst| {
            Bulk::decode(&kernel, src, dst, choice.canonical)
        }),
        2 | 4 => differences::<T>(choice, src),
        3 => encode(decoded::<T>(src, values), choice, expected, got, |kernel, values, dst| {
            (kernel.encode_slice::<T>(values, dst), kernel.encoded_len_slice::<T>(values))
        }),
        _ => scan(src, choice.n),
    }
}

/// Decodes the bytes as differences, or encodes the sequence of the bytes as differences, by a scheme
/// that the operation chooses.
fn differences<T: Place>(choice: &Choice, src: &[u8]) {
    let memory = SEQUENCES.take().unwrap_or_else(|| Sequences::new(MOST));
    let mut checker = Checker::of_kernels(row::<T>(), memory);
    let scheme = Scheme::ALL[usize::from(choice.operation / 6) % 3];
    let place = (u128::from(choice.operation) * 0x0101) & checker.format(scheme).greatest();
    let previous = vec![place; if choice.n % 4 == 0 { 3 } else { 1 }];
    if choice.operation % 6 == 2 {
        checker.decode(scheme, &previous, src, choice.n.min(src.len() + 1));
    } else {
        let any = checker.format(Scheme::Zigzag).decode(&previous, src, usize::MAX, false);
        checker.encode(scheme, &previous, &any.values);
    }
    SEQUENCES.set(Some(checker.memory));
}

fn other_kernels() -> impl Iterator<Item = Kernel> {
    Kernel::available().filter(|&kernel| kernel != Kernel::SCALAR)
}

fn decode<T: Int>(
    choice: &Choice,
    expected: &mut Guarded,
    got: &mut Guarded,
    src: &[u8],
    call: impl Fn(Kernel, &mut [T]) -> Result<Progress, BulkError>,
) {
    let capacity = choice.n.min(src.len() + 1);
    let expected = expected.slice::<T>(Edge::Back, capacity);
    let outcome = call(Kernel::SCALAR, expected);
    let done = outcome.map_or_else(|failed| failed.progress.values, |progress| progress.values);
    for kernel in other_kernels() {
        let (dst, after) = destination::<T>(got, choice.edge, capacity);
        let actual = call(kernel, dst);
        assert!(
            actual == outcome && dst[..done] == expected[..done],
            "{kernel} decodes {} (capacity {capacity}, canonical: {}) {src:02x?}\n     got: {actual:?} {:?}\nexpected: {outcome:?} {:?}",
            T::NAME,
            choice.canonical,
            &dst[..done],
            &expected[..done],
        );
        assert_unchanged(kernel, after);
    }
}

type Encoded = (Result<usize, BufferTooSmall>, usize);

fn encode<T: Int>(
    values: &[T],
    choice: &Choice,
    expected: &mut Guarded,
    got: &mut Guarded,
    call: impl Fn(Kernel, &[T], &mut [u8]) -> Encoded,
) {
    let needed = call(Kernel::SCALAR, values, &mut []).1;
    let capacity = match choice.n % 4 {
        0 => needed,
        1 => needed.saturating_sub(1),
        2 => needed + choice.n / 4,
        _ => choice.n.min(needed),
    };
    let capacity = capacity.min(LONGEST * size_of::<u128>());
    let expected = expected.slice::<u8>(Edge::Back, capacity);
    let outcome = call(Kernel::SCALAR, values, expected);
    let done = outcome.0.unwrap_or(0);
    for kernel in other_kernels() {
        let (dst, after) = destination::<u8>(got, choice.edge, capacity);
        let actual = call(kernel, values, dst);
        assert!(
            actual == outcome && dst[..done] == expected[..done],
            "{kernel} encodes {} (capacity {capacity}) {values:?}\n     got: {actual:?} {:02x?}\nexpected: {outcome:?} {:02x?}",
            T::NAME,
            &dst[..done],
            &expected[..done],
        );
        assert_unchanged(kernel, after);
    }
}

fn scan(src: &[u8], n: usize) {
    let (counted, skipped) = (Kernel::SCALAR.count(src), Kernel::SCALAR.skip_values(src, n));
    for kernel in other_kernels() {
        assert_eq!(kernel.count(src), counted, "{kernel} counts in {src:02x?}");
        assert_eq!(kernel.skip_values(src, n), skipped, "{kernel} skips {n} of {src:02x?}");
    }
}

/// Returns a destination that ends at a guard page, or one that begins after a guard page together
/// with the `AFTER` values that follow it. All are filled with a recognizable value.
fn destination<T: Int>(pages: &mut Guarded, edge: Edge, capacity: usize) -> (&mut [T], &mut [T]) {
    let stale = T::from_wire(T::WIRE_MAX / 3).expect("within the type");
    let after = if edge == Edge::Front { AFTER } else { 0 };
    let all = pages.slice::<T>(edge, capacity + after);
    all.fill(stale);
    all.split_at_mut(capacity)
}

fn assert_unchanged<T: Int>(kernel: Kernel, after: &[T]) {
    let stale = T::WIRE_MAX / 3;
    assert!(after.iter().all(|slot| slot.wire() == stale), "{kernel} writes past its destination: {after:?}");
}

/// Returns the valid values of `src`, placed before a guard page.
fn decoded<'p, T: Int>(src: &[u8], pages: &'p mut Guarded) -> &'p [T] {
    let values = pages.slice::<T>(Edge::Back, src.len());
    let (mut counted, mut rest) = (0, src);
    while !rest.is_empty() {
        let outcome = Kernel::SCALAR.decode_slice::<T>(rest, &mut values[counted..]);
        counted += outcome.map_or_else(|failed| failed.progress.values, |progress| progress.values);
        rest = outcome.err().and_then(|failed| rest.get(failed.error.offset() + 1..)).unwrap_or_default();
    }
    let spare = values.len() - counted;
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
    super::examples::after(&headers.iter().map(|header| &header[..]).collect::<Vec<_>>())
}
