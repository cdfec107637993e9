//! One value at a time, in slices that touch a guard page: nothing outside them is read or written,
//! and the results are the oracle's.

use crate::support::guard_pages::{Edge, Guarded};
use crate::support::oracle::{self, BulkOutcome, Fault, Int};
use crate::support::streams::{backgrounds, breakpoints, edge_cases};
use crate::support::stride::places;
use zigzag_varint::{BufferTooSmall, Reader};

/// Three of the widest windows of the reader, and some.
const LENGTHS: usize = 3 * 64 + 20;

/// Two of them, and some: what is tried at every place takes the square of it.
const SPAN: usize = 150;

/// Reads all of `src`, at both edges, lenient and canonical.
fn read_all<T: Int>(capacity: &mut Guarded, src: &[u8]) {
    for (edge, canonical) in Edge::BOTH.map(|edge| [(edge, false), (edge, true)]).concat() {
        let bytes = capacity.slice::<u8>(edge, src.len());
        bytes.copy_from_slice(src);
        let mut reader = Reader::new(bytes);
        let mut read = BulkOutcome { values: Vec::<T>::new(), bytes: 0, fault: None };
        let values = if canonical { reader.values_canonical() } else { reader.values() };
        for value in values {
            match value {
                Ok(value) => read.values.push(value),
                Err(error) => read.fault = Some(Fault::from(error)),
            }
        }
        read.bytes = reader.position();
        let expected = oracle::decode_all(src, src.len(), canonical);
        assert_eq!(read, expected, "{} (canonical: {canonical}, {edge:?}) from {src:02x?}", T::NAME);
    }
}

fn every_length<T: Int>() {
    let mut capacity = Guarded::new(LENGTHS);
    for values in backgrounds::<T>(LENGTHS) {
        let bytes = oracle::encode_all(&values);
        for len in 0..=LENGTHS {
            read_all::<T>(&mut capacity, &bytes[..len]);
        }
    }
}

fn bad_bytes_at_every_position<T: Int>() {
    let mut capacity = Guarded::new(SPAN);
    for values in backgrounds::<T>(SPAN) {
        let valid = oracle::encode_all(&values);
        for (turn, bad) in edge_cases::<T>().into_iter().enumerate() {
            for at in places(SPAN, turn) {
                let bytes = [&valid[..at], &bad, &valid].concat();
                read_all::<T>(&mut capacity, &bytes[..SPAN]);
            }
        }
    }
}

fn every_capacity<T: Int>() {
    let mut guarded = Guarded::new(32);
    for value in breakpoints::<T>() {
        let expected = oracle::encode(value);
        for (edge, capacity) in
            Edge::BOTH.iter().flat_map(|&edge| (0..32).map(move |capacity| (edge, capacity)))
        {
            let bytes = guarded.slice::<u8>(edge, capacity);
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
            assert!(bytes[used..].iter().all(|&byte| byte == 0xaa), "{value:?} in {capacity}: {bytes:02x?}");
        }
    }
}

/// Types and ways to move on in turns, so that what the reader knows of the next values is used,
/// kept and dropped.
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
                    assert_eq!(reader.skip(skipped).is_ok(), skipped <= left);
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

for_types!(inputs_of_every_length_are_read_like_the_oracle, every_length);
for_types!(bad_bytes_at_every_position_have_the_oracles_outcome, bad_bytes_at_every_position);
for_types!(nothing_is_stored_past_the_encoding, every_capacity);
