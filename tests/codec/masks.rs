//! Every mask of continuation bits around each group of eight bytes of a window, and every length of
//! source and destination up to three windows. The masks alone choose the loop, the rows of tables and
//! the shuffles of a vector kernel.

use crate::support::guard_pages::Edge;
use crate::support::wire_types::{AnyWireType, Checker, Codec, Int, codecs, pair};
use crate::support::wires::{Rng, THREE_WINDOWS, backgrounds, positions};
use zigzag_varint::Kernel;
use zigzag_varint_oracle::{count, decode_all, encode_all};

/// Returns a checker for each guard page. Tests take them in turn, to save time. The scalar kernel, which
/// has no masks, is left to `kernels.rs`.
fn checkers(rows: [AnyWireType; 2]) -> [Checker; 2] {
    let is_at = |(kernel, at): &Codec, edge| *kernel != Some(Kernel::SCALAR) && *at == edge;
    Edge::BOTH
        .map(|edge| Checker::new(rows, codecs().into_iter().filter(|codec| is_at(codec, edge)).collect()))
}

/// Decodes at most `capacity` values, and encodes them into slices of the exact length and of one byte
/// less.
fn check(checker: &Checker, src: &[u8], capacity: usize) {
    checker.decode(src, capacity);
    let numbers = decode_all(src, checker.bits(), capacity, false).values;
    let needed = encode_all(&numbers).len();
    checker.encode(&numbers, needed);
    checker.encode(&numbers, needed.saturating_sub(1));
}

/// Replaces the group, the byte before it and the two after it in valid streams of each kind, which are
/// long enough for another window. Payloads that decide whether an encoding is overlong or too large are
/// frequent.
fn every_mask(checkers: &[Checker; 2]) {
    let bits = checkers[0].bits();
    let mut rng = Rng(11);
    for (turn, numbers) in backgrounds(bits, THREE_WINDOWS).iter().enumerate() {
        let mut bytes = encode_all(numbers);
        bytes.truncate(160);
        for first in (0..64usize).step_by(8).map(|group| group.saturating_sub(1)) {
            for mask in positions(bits, 1 << 11, turn + first) {
                let mut src = bytes.clone();
                for (at, byte) in src[first..first + 11].iter_mut().enumerate() {
                    let random = rng.next() as usize;
                    let payload = *[0, 1, 1, 0x7f].get(random >> 8 & 0xf).unwrap_or(&(random & 0x7f));
                    *byte = (payload | (mask >> at & 1) << 7) as u8;
                }
                check(&checkers[rng.below(2)], &src, THREE_WINDOWS);
            }
        }
    }
}

fn every_length(checkers: &[Checker; 2]) {
    for numbers in backgrounds(checkers[0].bits(), THREE_WINDOWS) {
        let bytes = encode_all(numbers);
        for src in (0..=THREE_WINDOWS).map(|len| &bytes[..len]) {
            for capacity in 0..=count(src) + 1 {
                let checker = &checkers[(src.len() + capacity) % 2];
                check(checker, src, capacity);
                checker.scan(src, capacity);
            }
        }
    }
}

fn every_mask_and_length<T: Int>() {
    let checkers = checkers(pair::<T>());
    every_mask(&checkers);
    every_length(&checkers);
}

test_each!(every_mask_and_length_of: every_mask_and_length, u16 i16 u32 i32 u64 i64 u128);
