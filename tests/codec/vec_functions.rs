//! The functions that append to a `Vec`: they keep what it contains, and agree with those that
//! return a new one.

use crate::support::oracle::{self, BulkOutcome, ErrorAt, Int};
use crate::support::strategies::{Run, Sample, check_random, runs, samples, values};
use crate::support::streams::mixed;
use zigzag_varint::{
    BulkError, Canonical, Progress, Varint as _, decode_append, decode_to_vec, encode_append, encode_to_vec,
};

fn check_encoding<T: Int>() {
    check_random(values::<T>(), &|values| {
        let mut bytes = b"before".to_vec();
        let expected = oracle::encode_all(&values);
        assert_eq!(encode_append(&values, &mut bytes), expected.len());
        assert_eq!(bytes, [b"before", &expected[..]].concat());
        assert_eq!(encode_to_vec(&values), expected);
    });
}
for_types!(encodings_are_appended_after_the_existing_bytes, check_encoding);

/// Checks a function that appends, and one that returns a new vector, against the expected outcome.
fn check_decoding<T: Int>(
    src: &[u8],
    expected: &BulkOutcome<T>,
    append: impl Fn(&[u8], &mut Vec<T>) -> Result<usize, BulkError>,
    to_vec: impl Fn(&[u8]) -> Result<Vec<T>, BulkError>,
) {
    let before: Vec<T> = mixed(T::LONGEST, src.len() % 5);
    let mut values = before.clone();
    let appended = append(src, &mut values);
    assert_eq!(values, [&before[..], &expected.values].concat(), "{} {src:02x?}", T::NAME);

    let progress = Progress { values: expected.values.len(), bytes: expected.bytes };
    let comparable = |failed: BulkError| (failed.progress, ErrorAt::from(failed.error));
    match expected.error {
        None => {
            assert_eq!(appended, Ok(progress.values), "{} {src:02x?}", T::NAME);
            assert_eq!(to_vec(src).as_ref(), Ok(&expected.values), "{} {src:02x?}", T::NAME);
        }
        Some(error) => {
            assert_eq!(appended.map_err(comparable), Err((progress, error)), "{} {src:02x?}", T::NAME);
            assert_eq!(to_vec(src).map_err(comparable), Err((progress, error)), "{} {src:02x?}", T::NAME);
        }
    }
}

fn check_all<T: Int>(src: &[u8]) {
    let expected = oracle::decode_all::<T>(src, usize::MAX, false);
    check_decoding(src, &expected, decode_append, decode_to_vec);
    let expected = oracle::decode_all::<T>(src, usize::MAX, true);
    check_decoding(src, &expected, Canonical::<T>::decode_append, Canonical::<T>::decode_to_vec);
}

fn check_random_bytes<T: Int>() {
    check_random(samples::<T>(), &|Sample { bytes, .. }| check_all::<T>(&bytes));
    check_random(runs::<T>(), &|(runs, _): (Vec<Run<T>>, usize)| {
        check_all::<T>(&runs.iter().flat_map(Run::bytes).collect::<Vec<_>>());
    });
}
for_types!(values_are_appended_after_the_existing_ones_also_on_errors, check_random_bytes);

#[test]
fn decoding_allocates_once_and_at_most_one_value_per_byte() {
    for (src, valid) in [(vec![0x07; 4096], true), (vec![0x80; 4096], false), (vec![0xff; 4096], false)] {
        let measured = allocation_counter::measure(|| {
            assert_eq!(decode_to_vec::<u128>(&src).is_ok(), valid);
        });
        assert!(measured.count_total <= 1, "{} allocations", measured.count_total);
        let limit = (src.len() * size_of::<u128>()) as u64;
        assert!(measured.bytes_total <= limit, "{} bytes", measured.bytes_total);
    }
}

#[test]
fn appending_within_the_capacity_does_not_allocate() {
    let (values, mut bytes, mut decoded) = ([300u64; 100], Vec::with_capacity(200), Vec::with_capacity(200));
    let measured = allocation_counter::measure(|| {
        encode_append(&values, &mut bytes);
        assert_eq!(decode_append::<u64>(&bytes, &mut decoded), Ok(100));
    });
    assert_eq!((measured.count_total, decoded.len()), (0, 100));
}
