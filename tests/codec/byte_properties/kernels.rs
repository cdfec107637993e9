//! Every kernel of this CPU agrees with the oracle, and accesses nothing outside its slices, which lie
//! next to guard pages.

use zigzag_varint_oracle::{decode_all, encode_all};

use crate::property::input::Input;
use crate::support::delta_checks::Checker as Sequences;
use crate::support::delta_codecs::rows;
use crate::support::delta_oracle::Scheme;
use crate::support::guard_pages::Edge;
use crate::support::wire_types::{Checker, INTEGERS, codecs};

/// The length of the longest source in bytes.
const LONGEST: usize = 2048;

/// Lengths of the part that is repeated. Each length of a varint up to 10 divides one of them.
const UNITS: [usize; 4] = [6, 20, 24, 63];

/// Four bytes choose the type, the operation, the capacity, and how often the start of the remaining
/// bytes is repeated. The repetition makes long uniform streams from few bytes.
pub fn check(bytes: &[u8]) {
    let mut input = Input::new(bytes);
    let (kind, operation) = (usize::from(input.byte()), input.byte());
    let (capacity, repeat) = (input.byte(), input.byte());
    let body = input.rest();
    // Most streams are short, to save time.
    let times = if repeat < 0xc0 { 0 } else { 1 << (repeat & 0x0f).min(9) };
    let unit = &body[..body.len().min(UNITS[usize::from(repeat >> 4 & 3)])];
    let src = [&unit.repeat(times), body].concat();
    if src.len() > LONGEST {
        return;
    }
    let n =
        if capacity < 0xc0 { capacity.into() } else { src.len().saturating_sub((capacity & 0x1f).into()) };
    let checker = Checker::new(INTEGERS[kind % INTEGERS.len()], codecs());
    match operation % 6 {
        0 | 1 => checker.decode(&src, n.min(src.len() + 1)),
        2 | 4 => differences(kind, operation, n, &src),
        3 => encode(&checker, n, &src),
        _ => checker.scan(&src, n),
    }
}

/// Encodes the valid numbers of `src`.
fn encode(checker: &Checker, n: usize, mut src: &[u8]) {
    let mut numbers = Vec::new();
    while !src.is_empty() {
        let outcome = decode_all(src, checker.bits(), usize::MAX, false);
        numbers.extend(outcome.values);
        src = outcome.error.and_then(|error| src.get(error.offset + 1..)).unwrap_or_default();
    }
    let needed = encode_all(&numbers).len();
    let capacities = [needed, needed.saturating_sub(1), needed + n / 4, n.min(needed)];
    checker.encode(&numbers, capacities[n % 4]);
}

/// Decodes the bytes as differences, or encodes the sequence of the bytes as differences, by a scheme
/// that the operation chooses.
fn differences(kind: usize, operation: u8, n: usize, src: &[u8]) {
    let rows = rows();
    let checker = Sequences::new(rows[kind % rows.len()], Edge::BOTH[n / 4 % 2]);
    let scheme = Scheme::ALL[usize::from(operation / 6) % 3];
    let place = (u128::from(operation) * 0x0101) & checker.format(scheme).greatest();
    let previous = vec![place; if n % 4 == 0 { 3 } else { 1 }];
    if operation % 6 == 2 {
        checker.decode(scheme, &previous, src, n.min(src.len() + 1));
    } else {
        let any = checker.format(Scheme::Zigzag).decode(&previous, src, usize::MAX, false);
        checker.encode(scheme, &previous, &any.values);
    }
}

pub fn examples() -> Vec<Vec<u8>> {
    super::after((0..72u8).map(|n| {
        let capacity = [8, 0xc0, 64, 0xc1, 7][usize::from(n) % 5];
        [n / 6, n % 6, capacity, [0, 0xe7, 0xd5, 0xf8, 0xc9][usize::from(n / 5) % 5]]
    }))
}
