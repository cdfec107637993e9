//! The functions that append to a `Vec`: they keep what it contains, and agree with those that
//! return a new one.

use crate::support::delta_checks::{Sequence, steps, walk};
use crate::support::oracle::{self, BulkOutcome, ErrorAt, Int};
use crate::support::strategies::{Run, Sample, check_random, runs, samples, values};
use crate::support::streams::{Rng, mixed};
use zigzag_varint::{
    BulkError, Canonical, Progress, Varint as _, decode_append, decode_to_vec, delta, encode_append,
    encode_to_vec,
};

fn check_encoding<T: Sequence>() {
    check_random(values::<T>(), &|values| {
        let previous = values.last().copied().unwrap_or_default();
        let mut bytes = b"before".to_vec();
        let expected = oracle::encode_all(&values);
        assert_eq!(encode_append(&values, &mut bytes), expected.len());
        assert_eq!(bytes, [b"before", &expected[..]].concat());
        assert_eq!(encode_to_vec(&values), expected);

        let mut bytes = b"before".to_vec();
        let expected = oracle::encode_all(&steps(&[previous], &values));
        assert_eq!(delta::encode_append([previous], &values, &mut bytes), expected.len());
        assert_eq!(bytes, [b"before", &expected[..]].concat());
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

fn check_all<T: Sequence>(src: &[u8], previous: T) {
    let expected = oracle::decode_all::<T>(src, usize::MAX, false);
    check_decoding(src, &expected, decode_append, decode_to_vec);
    let expected = oracle::decode_all::<T>(src, usize::MAX, true);
    check_decoding(src, &expected, Canonical::<T>::decode_append, Canonical::<T>::decode_to_vec);

    let sequence = |canonical| {
        let BulkOutcome { values, bytes, error } = oracle::decode_all::<T::Step>(src, usize::MAX, canonical);
        BulkOutcome { values: walk(&[previous], &values), bytes, error }
    };
    check_decoding(
        src,
        &sequence(false),
        |src, dst| delta::decode_append([previous], src, dst),
        |src| delta::decode_to_vec([previous], src),
    );
    check_decoding(
        src,
        &sequence(true),
        |src, dst| delta::decode_append_canonical([previous], src, dst),
        |src| delta::decode_to_vec_canonical([previous], src),
    );
}

fn check_random_bytes<T: Sequence>() {
    let previous = |seed: usize| Rng(seed as u64).value(1 + seed % T::LONGEST);
    check_random(samples::<T>(), &|Sample { bytes, n, .. }| check_all::<T>(&bytes, previous(n)));
    check_random(runs::<T>(), &|(runs, n): (Vec<Run<T>>, usize)| {
        check_all::<T>(&runs.iter().flat_map(Run::bytes).collect::<Vec<_>>(), previous(n));
    });
}
for_types!(values_are_appended_after_the_existing_ones_also_on_errors, check_random_bytes);

#[test]
fn parts_of_a_sequence_are_appended_with_the_last_value_as_previous() {
    let values: Vec<i32> = mixed(5, 1000);
    let (mut bytes, mut decoded) = (Vec::new(), Vec::new());
    for part in values.chunks(150) {
        let previous = decoded.last().copied().unwrap_or(-7);
        let start = bytes.len();
        delta::encode_append([previous], part, &mut bytes);
        assert_eq!(delta::decode_append([previous], &bytes[start..], &mut decoded), Ok(part.len()));
    }
    assert_eq!(decoded, values);
    assert_eq!(delta::decode_to_vec([-7], &bytes), Ok(values), "the parts are one sequence");
}

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
        assert_eq!(delta::decode_append([0u64], &bytes, &mut decoded), Ok(100));
    });
    assert_eq!((measured.count_total, decoded.len()), (0, 200));
}
