//! `validate` and `validate_canonical`: the result of `decode_slice` without a destination.

use crate::support::oracle::{self, Int};
use crate::support::strategies::{Run, Sample, check_random, runs, samples};
use crate::support::streams::{edge_cases, mixed};
use zigzag_varint::{Canonical, Varint as _, decode_slice, validate};

/// Compares the results with those of `decode_slice`: the number of values, or progress and error.
fn check<T: Int>(src: &[u8]) {
    let mut values = vec![T::default(); src.len()];
    let decoded = decode_slice(src, &mut values).map(|progress| progress.values);
    assert_eq!(validate::<T>(src), decoded, "{} {src:02x?}", T::NAME);
    let decoded = Canonical::<T>::decode_slice(src, &mut values).map(|progress| progress.values);
    assert_eq!(Canonical::<T>::validate(src), decoded, "{} {src:02x?}, canonical", T::NAME);
}

fn check_random_bytes<T: Int>() {
    check_random(samples::<T>(), &|Sample { bytes, .. }| check::<T>(&bytes));
    check_random(runs::<T>(), &|(runs, _): (Vec<Run<T>>, usize)| {
        check::<T>(&runs.iter().flat_map(Run::bytes).collect::<Vec<_>>());
    });
}
for_types!(validation_agrees_with_decoding_on_random_bytes, check_random_bytes);

/// Numbers of values at and around multiples of 256, the number of values decoded at a time.
const COUNTS: [usize; 9] = [0, 1, 7, 8, 255, 256, 257, 511, 512];

fn check_edge_cases<T: Int>() {
    let values = mixed::<T>(T::LONGEST, 512);
    for n in COUNTS {
        let valid = oracle::encode_all(&values[..n]);
        check::<T>(&valid);
        for edge_case in edge_cases::<T>() {
            check::<T>(&[&valid[..], &edge_case].concat());
            check::<T>(&[&valid[..], &edge_case, &valid].concat());
        }
    }
}
for_types!(errors_are_found_at_every_position_of_a_block, check_edge_cases, all);
