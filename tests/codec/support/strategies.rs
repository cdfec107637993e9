//! Strategies that often reach limits: values by encoded length, and bytes by runs that are likely
//! to be invalid varints.
//! Integer types are numbers of bits.

use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::{Index, select};

use zigzag_varint_oracle::encode_all;

use super::wires::{Rng, breakpoints, edge_cases, longest, mixed, uniform};
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

/// Any number of at most `bits` bits, with equal probability for all encoded lengths.
fn wire(bits: u32) -> BoxedStrategy<u128> {
    prop_oneof![
        3 => (1..=longest(bits), any::<u64>()).prop_map(move |(len, seed)| Rng(seed).wire(bits, len)),
        1 => select(breakpoints(bits)),
    ]
    .boxed()
}

/// Up to a few windows of numbers.
pub fn wires(bits: u32) -> BoxedStrategy<Vec<u128>> {
    vec(wire(bits), 0..200).boxed()
}

/// Bytes that are valid or almost valid varints of at most `bits` bits.
pub fn samples(bits: u32) -> BoxedStrategy<Sample> {
    let valid = wire(bits).prop_map(|number| encode_all([number]));
    let common = select(&[0x80u8, 0x00, 0xff, 0x7f, 0x01, 0x02, 0x03, 0x0f, 0x10][..]);
    let run = (select(&[0x80u8, 0xff, 0x81][..]), 0..=12usize, common.clone());
    let piece = prop_oneof![
        6 => valid,
        4 => run.prop_map(|(byte, n, last)| [vec![byte; n], vec![last]].concat()),
        3 => vec(common, 1..4),
        2 => select(edge_cases(bits)),
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
pub enum Run {
    Numbers(Vec<u128>),
    Bytes(Vec<u8>),
}

impl Run {
    pub fn bytes(&self) -> Vec<u8> {
        match self {
            Self::Numbers(numbers) => encode_all(numbers),
            Self::Bytes(bytes) => bytes.clone(),
        }
    }

    /// Returns the numbers of the run, none if it consists of bytes.
    pub fn numbers(&self) -> &[u128] {
        match self {
            Self::Numbers(numbers) => numbers,
            Self::Bytes(_) => &[],
        }
    }
}

/// Up to a dozen runs for numbers of at most `bits` bits, and a capacity for none, some or all of
/// their values.
pub fn runs(bits: u32) -> BoxedStrategy<(Vec<Run>, usize)> {
    let numbers = move |(len, n)| Run::Numbers(uniform(bits, len, n));
    let run = prop_oneof![
        4 => (1..=longest(bits), 1..100usize).prop_map(numbers),
        4 => (1..=longest(bits), 1..100usize).prop_map(move |(longest, n)| Run::Numbers(mixed(bits, longest, n))),
        1 => select(edge_cases(bits)).prop_map(Run::Bytes),
        1 => vec(any::<u8>(), 0..20).prop_map(Run::Bytes),
    ];
    (vec(run, 0..12), 0..1500usize).boxed()
}

/// Runs `check`, which asserts a property, on random input.
pub fn check_random<V: std::fmt::Debug>(input: BoxedStrategy<V>, check: &dyn Fn(V)) {
    check_random_cases(CASES, input, check);
}

/// The same for a property that is checked for each wire type, of which there are many.
pub fn check_random_for_each<V: std::fmt::Debug>(input: BoxedStrategy<V>, check: &dyn Fn(V)) {
    check_random_cases(CASES / 5, input, check);
}
