//! `Delta`: every scheme and kernel, across the boundaries of the blocks in which sequences are
//! processed, on valid and invalid bytes.

use crate::support::delta_checks::Checker;
use crate::support::delta_codecs::{row, rows};
use crate::support::delta_oracle::Scheme;
use crate::support::guard_pages::Edge;
use crate::support::wire_types::Int;
use crate::support::wires::{Rng, THREE_WINDOWS};
use zigzag_varint::{BulkError, Delta, DeltaError, ErrorKind};

fn suite<T: Int>() {
    Checker::new(row::<T>(), Edge::Back).suite();
}

test_each! {
    every_kernel_agrees_with_the_oracle_on_sequences_of: suite,
    u8 i8 u16 i16 u32 i32 u64 i64 u128 i128 usize
}

/// Sequences and bytes next to either guard page: every number of values up to three of the widest
/// windows, and bytes truncated at every position.
#[test]
fn no_kernel_accesses_memory_outside_its_slices() {
    for row in rows() {
        let mut checker = Checker::new(row, Edge::Back);
        let mut rng = Rng(1);
        let longest = checker.format(Scheme::Zigzag).sequence(&mut rng, &[0], THREE_WINDOWS);
        let longest = checker.format(Scheme::Zigzag).encode(&[0], &longest).expect("any order");
        for n in 0..=THREE_WINDOWS {
            checker.edge = Edge::BOTH[n % 2];
            for scheme in [Scheme::Zigzag, Scheme::StrictGaps] {
                let values = checker.format(scheme).sequence(&mut rng, &[0], n);
                checker.encode(scheme, &[0], &values);
                let bytes = checker.format(scheme).encode(&[0], &values).expect("in order");
                checker.decode(scheme, &[0], &bytes, n);
                checker.decode(scheme, &[0], &longest[..n], n);
            }
        }
    }
}

/// Every difference of two places among the least, the middle and the greatest ones.
#[test]
fn any_two_values_agree_with_the_oracle() {
    for row in rows() {
        let checker = Checker::new(row, Edge::Back);
        let greatest = checker.format(Scheme::Zigzag).greatest();
        let ends = (0..row.bits).step_by(7).map(|bit| (1 << bit) - 1).chain([greatest / 2, greatest]);
        let places: Vec<u128> = ends.flat_map(|end| [end, end.saturating_add(1).min(greatest)]).collect();
        for (scheme, &left, &right) in places.iter().flat_map(|left| {
            places.iter().flat_map(move |right| Scheme::ALL.map(move |scheme| (scheme, left, right)))
        }) {
            checker.encode(scheme, &[left], &[right]);
        }
    }
}

#[test]
fn a_sequence_in_pieces_equals_the_whole_sequence() {
    let mut rng = Rng(3);
    let documents: Vec<u32> = (1..3000).map(|n| 5 * n + rng.below(5) as u32).collect();
    for delta in [Delta::zigzag, Delta::gaps, Delta::strict_gaps] {
        let (mut whole, mut bytes, mut values) = (vec![], vec![], vec![]);
        delta([0]).encode_append(&documents, &mut whole).expect("in order");
        for piece in documents.chunks(170) {
            let previous = *values.last().unwrap_or(&0);
            let begin = bytes.len();
            delta([previous]).encode_append(piece, &mut bytes).expect("in order");
            assert_eq!(delta([previous]).decode_append(&bytes[begin..], &mut values), Ok(piece.len()));
        }
        assert!(bytes == whole && values == documents);
    }
}

/// Encodes a sequence and decodes it again.
fn both_ways<T: Int>(delta: Delta<T, 1>, values: &[T], bytes: &[u8]) {
    let (mut encoded, mut decoded) = (vec![], vec![]);
    assert_eq!(delta.encode_append(values, &mut encoded), Ok(bytes.len()));
    assert_eq!(delta.decode_append(bytes, &mut decoded), Ok(values.len()));
    assert_eq!((&encoded[..], &decoded[..]), (bytes, values));
}

#[test]
fn differences_wrap_around_and_gaps_reach_the_greatest_value() {
    both_ways(Delta::zigzag([0]), &[u64::MAX, 0, 1], &[0x01, 0x02, 0x02]); // -1, +1, +1
    both_ways(Delta::zigzag([i8::MAX]), &[i8::MIN], &[0x02]);
    // The difference from 0 to 2^63 is encoded as i64::MIN.
    let minimum = [0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x01];
    both_ways(Delta::zigzag([0]), &[1u64 << 63], &minimum);
    both_ways(Delta::gaps([i8::MIN]), &[i8::MIN, i8::MAX], &[0, 0xff, 0x01]);
    both_ways(Delta::strict_gaps([0]), &[1u8, 255], &[0, 253, 1]);
}

#[test]
fn strict_gaps_stop_at_the_greatest_value() {
    for [previous, value] in [[0, 0], [7, 7], [7, 6], [255u8, 255], [255, 0]] {
        let encoded = Delta::strict_gaps([previous]).encode_slice(&[value], &mut [0; 3]);
        assert_eq!(encoded, Err(DeltaError::Unsorted { index: 0 }), "{previous} {value}");
    }
    // Nothing follows the greatest value, and no gap leads back to the value before.
    for (previous, src) in [(255u8, &[0][..]), (0, &[0xff, 0x01]), (255, &[0xff, 0x01])] {
        let failed = Delta::strict_gaps([previous]).decode_slice(src, &mut [0; 1]).map_err(kind_and_offset);
        assert_eq!(failed, Err((ErrorKind::Overflow, 0)), "{previous} {src:02x?}");
    }
}

/// The first error in the bytes is reported: of a varint, or of a sum.
#[test]
fn the_first_error_of_varints_and_sums_is_reported() {
    let decode = |src: &[u8]| {
        let mut values = vec![];
        let decoded = Delta::gaps([0u8]).decode_append(src, &mut values).map_err(kind_and_offset);
        (decoded, values)
    };
    assert_eq!(decode(&[200, 1, 0x80, 0x01, 0x80]), (Err((ErrorKind::Overflow, 2)), vec![200]));
    assert_eq!(decode(&[200, 1, 0x80, 0x02, 0x7f]), (Err((ErrorKind::Overflow, 3)), vec![200]));
    assert_eq!(decode(&[200, 1, 1, 0x80]), (Err((ErrorKind::Truncated, 4)), vec![200, 201]));
}

fn kind_and_offset(failed: BulkError) -> (ErrorKind, usize) {
    (failed.error.kind(), failed.error.offset())
}
