//! Single values in slices next to a guard page: no byte outside the slice is read or written, and
//! the results match the oracle.

use crate::support::guard_pages::{Edge, Guarded};
use crate::support::oracle::{self, BulkOutcome, ErrorAt, Int};
use crate::support::streams::{backgrounds, breakpoints, edge_cases};
use crate::support::stride::positions;
use zigzag_varint::{BufferTooSmall, Canonical, Reader, Varint};

/// More than three of the reader's widest windows.
const LENGTHS: usize = 3 * 64 + 20;

/// More than two of them. Tests that try every position take time proportional to its square.
const SPAN: usize = 150;

/// Reads all of `src` next to either guard page, leniently and canonically.
fn read_all<T: Int>(pages: &mut Guarded, src: &[u8]) {
    for (edge, canonical) in Edge::BOTH.map(|edge| [(edge, false), (edge, true)]).concat() {
        let bytes = pages.slice::<u8>(edge, src.len());
        bytes.copy_from_slice(src);
        let read = if canonical { read_values::<Canonical<T>>(bytes) } else { read_values::<T>(bytes) };
        let expected = oracle::decode_all(src, src.len(), canonical);
        assert_eq!(read, expected, "{} (canonical: {canonical}, {edge:?}) from {src:02x?}", T::NAME);
    }
}

fn read_values<W: Varint>(bytes: &[u8]) -> BulkOutcome<W::Value> {
    let mut reader = Reader::new(bytes);
    let mut read = BulkOutcome { values: Vec::new(), bytes: 0, error: None };
    for value in reader.values::<W>() {
        match value {
            Ok(value) => read.values.push(value),
            Err(error) => read.error = Some(ErrorAt::from(error)),
        }
    }
    read.bytes = reader.position();
    read
}

fn every_length<T: Int>() {
    let mut pages = Guarded::new(LENGTHS);
    for values in backgrounds::<T>(LENGTHS) {
        let bytes = oracle::encode_all(&values);
        for len in 0..=LENGTHS {
            read_all::<T>(&mut pages, &bytes[..len]);
        }
    }
}

fn invalid_bytes_at_every_position<T: Int>() {
    let mut pages = Guarded::new(SPAN);
    for values in backgrounds::<T>(SPAN) {
        let valid = oracle::encode_all(&values);
        for (turn, edge_case) in edge_cases::<T>().into_iter().enumerate() {
            for at in positions(SPAN, turn) {
                let bytes = [&valid[..at], &edge_case, &valid].concat();
                read_all::<T>(&mut pages, &bytes[..SPAN]);
            }
        }
    }
}

fn every_capacity<T: Int>() {
    let mut pages = Guarded::new(32);
    for value in breakpoints::<T>() {
        let expected = oracle::encode(value);
        for (edge, capacity) in
            Edge::BOTH.iter().flat_map(|&edge| (0..32).map(move |capacity| (edge, capacity)))
        {
            let bytes = pages.slice::<u8>(edge, capacity);
            bytes.fill(0xaa);
            let stored = value.encode_to_slice(bytes);
            let used = if capacity < expected.len() {
                assert_eq!(stored, Err(BufferTooSmall { needed: expected.len(), available: capacity }));
                0
            } else {
                assert_eq!(stored, Ok(expected.len()));
                assert_eq!(T::decode(bytes), Ok((value, expected.len())));
                assert_eq!(bytes[..expected.len()], expected, "{value:?}");
                expected.len()
            };
            assert!(
                bytes[used..].iter().all(|&byte| byte == 0xaa),
                "{value:?} with capacity {capacity}: {bytes:02x?}"
            );
        }
    }
}

/// Alternates types and calls, so that the reader's look-ahead state is used, kept and discarded.
#[test]
fn reads_of_several_types_and_skips_mix_in_any_order() {
    let values: Vec<u128> = backgrounds::<u64>(SPAN).concat().into_iter().map(u128::from).collect();
    let bytes = oracle::encode_all(&values);
    for start in 0..40 {
        let mut reader = Reader::new(&bytes);
        let mut values = values.iter();
        let mut turn = start;
        while !reader.is_empty() {
            let position = reader.position();
            match turn % 7 {
                0 => assert_eq!(reader.read::<u128>(), Ok(*values.next().unwrap())),
                1 => {
                    let skipped = turn % 5;
                    let left = values.len();
                    assert_eq!(reader.skip_values(skipped).is_ok(), skipped <= left);
                    if skipped > 0 && skipped <= left {
                        values.nth(skipped - 1);
                    }
                }
                2 => match reader.read::<u16>() {
                    Ok(value) => assert_eq!(u128::from(value), *values.next().unwrap()),
                    Err(_) => assert_eq!(reader.position(), position),
                },
                _ => assert_eq!(reader.read::<u64>().map(u128::from), Ok(*values.next().unwrap())),
            }
            turn += 1;
        }
        assert_eq!(values.next(), None);
    }
}

for_types!(inputs_of_every_length_match_the_oracle, every_length);
for_types!(invalid_bytes_at_every_position_match_the_oracle, invalid_bytes_at_every_position);
for_types!(nothing_is_written_past_the_encoding, every_capacity);
