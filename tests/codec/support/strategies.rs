//! Strategies that often reach limits: values by encoded length, and bytes by runs that are likely
//! to be invalid varints.
//!
//! The strategies are boxed and of few types. With twelve integer types and a dozen properties,
//! unboxed ones take half a minute to compile.

use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::{Index, select};

use super::oracle::{self, Int};
use super::streams::{Rng, breakpoints, edge_cases, mixed, uniform};
use crate::property::random::check_random_cases;

/// The number of inputs for each property, unless PROPTEST_CASES is set.
const CASES: u32 = 1000;

/// Random input for a property of byte strings.
#[derive(Clone, Debug)]
pub struct Sample {
    /// Valid, overlong, overflowing and endless varints in any order, possibly truncated.
    pub bytes: Vec<u8>,
    /// More bytes of the same kind.
    pub more: Vec<u8>,
    /// A number of values, often less than the number in `bytes`.
    pub n: usize,
    pub canonical: bool,
}

/// Any value, with equal probability for all encoded lengths.
fn value<T: Int>() -> BoxedStrategy<T> {
    let of_length = |(len, seed)| Rng(seed).value(len);
    prop_oneof![
        3 => (1..=T::LONGEST, any::<u64>()).prop_map(of_length),
        1 => select(breakpoints::<T>()),
    ]
    .boxed()
}

/// Up to a few windows of values.
pub fn values<T: Int>() -> BoxedStrategy<Vec<T>> {
    vec(value(), 0..200).boxed()
}

/// Bytes that are valid or almost valid varints of the type.
pub fn samples<T: Int>() -> BoxedStrategy<Sample> {
    samples_of(value::<T>().prop_map(oracle::encode).boxed(), edge_cases::<T>())
}

fn samples_of(valid: BoxedStrategy<Vec<u8>>, edge_cases: Vec<Vec<u8>>) -> BoxedStrategy<Sample> {
    let common = select(&[0x80u8, 0x00, 0xff, 0x7f, 0x01, 0x02, 0x03, 0x0f, 0x10][..]);
    let run = (select(&[0x80u8, 0xff, 0x81][..]), 0..=12usize, common.clone());
    let piece = prop_oneof![
        6 => valid,
        4 => run.prop_map(|(byte, n, last)| [vec![byte; n], vec![last]].concat()),
        3 => vec(common, 1..4),
        2 => select(edge_cases),
        2 => vec(any::<u8>(), 1..8),
    ];
    let truncate = |(pieces, cut): (Vec<Vec<u8>>, Option<Index>)| {
        let mut bytes = pieces.concat();
        bytes.truncate(cut.map_or(usize::MAX, |cut| cut.index(bytes.len() + 1)));
        bytes
    };
    let bytes = (vec(piece.boxed(), 0..8), proptest::option::of(any::<Index>())).prop_map(truncate).boxed();
    (bytes.clone(), bytes, 0..40usize, any::<bool>())
        .prop_map(|(bytes, more, n, canonical)| Sample { bytes, more, n, canonical })
        .boxed()
}

/// A part of a stream.
#[derive(Clone, Debug)]
pub enum Run<T> {
    Values(Vec<T>),
    Bytes(Vec<u8>),
}

impl<T: Int> Run<T> {
    pub fn bytes(&self) -> Vec<u8> {
        match self {
            Self::Values(values) => oracle::encode_all(values),
            Self::Bytes(bytes) => bytes.clone(),
        }
    }

    /// Returns the values of the run, none if it consists of bytes.
    pub fn values(&self) -> &[T] {
        match self {
            Self::Values(values) => values,
            Self::Bytes(_) => &[],
        }
    }
}

/// Up to a dozen runs, and a capacity for none, some or all of their values.
pub fn runs<T: Int>() -> BoxedStrategy<(Vec<Run<T>>, usize)> {
    let run = prop_oneof![
        4 => (1..=T::LONGEST, 1..100usize).prop_map(|(len, n)| Run::Values(uniform(len, n))),
        4 => (1..=T::LONGEST, 1..100usize).prop_map(|(longest, n)| Run::Values(mixed(longest, n))),
        1 => select(edge_cases::<T>()).prop_map(Run::Bytes),
        1 => vec(any::<u8>(), 0..20).prop_map(Run::Bytes),
    ];
    (vec(run, 0..12), 0..1500usize).boxed()
}

/// Runs `check`, which asserts a property, on random input.
pub fn check_random<V: std::fmt::Debug>(input: BoxedStrategy<V>, check: &dyn Fn(V)) {
    check_random_cases(CASES, input, check);
}
