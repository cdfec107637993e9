//! Random input that goes to the limits often: values by encoded length, bytes by the runs that make varints go wrong.
//!
//! Few and boxed types of strategy: with twelve integer types and a dozen laws, others take half a minute to compile.

use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::{Index, select};
use proptest::test_runner::{Config, TestRunner};

use super::naive::{self, Int};
use super::streams::{Rng, breakpoints, mixed, nasty, uniform};

/// Inputs tried for each law, unless PROPTEST_CASES asks for more or fewer.
const CASES: u32 = 1000;

/// What a law about bytes draws on.
#[derive(Clone, Debug)]
pub struct Sample {
    /// Sound, overlong, overflowing and endless varints in any order, perhaps cut short.
    pub bytes: Vec<u8>,
    /// More of that kind.
    pub more: Vec<u8>,
    /// A number of values, often less than there are.
    pub n: usize,
    pub canonical: bool,
}

/// Any value; all encoded lengths are equally likely.
fn value<T: Int>() -> BoxedStrategy<T> {
    let of_length = |(len, seed)| Rng(seed).value(len);
    prop_oneof![
        3 => (1..=T::LONGEST, any::<u64>()).prop_map(of_length),
        1 => select(breakpoints::<T>()),
    ]
    .boxed()
}

/// None to a few windows of values.
pub fn values<T: Int>() -> BoxedStrategy<Vec<T>> {
    vec(value(), 0..200).boxed()
}

/// Bytes that are varints of the type, or nearly.
pub fn samples<T: Int>() -> BoxedStrategy<Sample> {
    samples_of(value::<T>().prop_map(naive::encode).boxed(), nasty::<T>())
}

fn samples_of(sound: BoxedStrategy<Vec<u8>>, nasty: Vec<Vec<u8>>) -> BoxedStrategy<Sample> {
    let common = select(&[0x80u8, 0x00, 0xff, 0x7f, 0x01, 0x02, 0x03, 0x0f, 0x10][..]);
    let run = (select(&[0x80u8, 0xff, 0x81][..]), 0..=12usize, common.clone());
    let piece = prop_oneof![
        6 => sound,
        4 => run.prop_map(|(byte, n, last)| [vec![byte; n], vec![last]].concat()),
        3 => vec(common, 1..4),
        2 => select(nasty),
        2 => vec(any::<u8>(), 1..8),
    ];
    let cut_short = |(pieces, cut): (Vec<Vec<u8>>, Option<Index>)| {
        let mut bytes = pieces.concat();
        bytes.truncate(cut.map_or(usize::MAX, |cut| cut.index(bytes.len() + 1)));
        bytes
    };
    let bytes = (vec(piece.boxed(), 0..8), proptest::option::of(any::<Index>())).prop_map(cut_short).boxed();
    (bytes.clone(), bytes, 0..40usize, any::<bool>())
        .prop_map(|(bytes, more, n, canonical)| Sample { bytes, more, n, canonical })
        .boxed()
}

/// A part of a stream.
#[derive(Clone, Debug)]
pub enum Stretch<T> {
    Values(Vec<T>),
    Bytes(Vec<u8>),
}

impl<T: Int> Stretch<T> {
    pub fn bytes(&self) -> Vec<u8> {
        match self {
            Self::Values(values) => naive::encode_all(values),
            Self::Bytes(bytes) => bytes.clone(),
        }
    }

    /// Its values, where it is made of values.
    pub fn values(&self) -> &[T] {
        match self {
            Self::Values(values) => values,
            Self::Bytes(_) => &[],
        }
    }
}

/// Up to a dozen stretches, and room for none, some or all of their values.
pub fn stretches<T: Int>() -> BoxedStrategy<(Vec<Stretch<T>>, usize)> {
    let stretch = prop_oneof![
        4 => (1..=T::LONGEST, 1..100usize).prop_map(|(len, n)| Stretch::Values(uniform(len, n))),
        4 => (1..=T::LONGEST, 1..100usize).prop_map(|(longest, n)| Stretch::Values(mixed(longest, n))),
        1 => select(nasty::<T>()).prop_map(Stretch::Bytes),
        1 => vec(any::<u8>(), 0..20).prop_map(Stretch::Bytes),
    ];
    (vec(stretch, 0..12), 0..1500usize).boxed()
}

/// Tries a law, stated by assertions, on random input.
pub fn hold<V: std::fmt::Debug>(input: BoxedStrategy<V>, law: &dyn Fn(V)) {
    hold_often(CASES, input, law);
}

/// The same on so many inputs.
pub fn hold_often<V: std::fmt::Debug>(cases: u32, input: BoxedStrategy<V>, law: &dyn Fn(V)) {
    let usual = Config::default(); // with what the environment says
    let asked = std::env::var_os("PROPTEST_CASES").is_some();
    let mut runner = TestRunner::new(Config { cases: if asked { usual.cases } else { cases }, ..usual });
    let tried = runner.run(&input, |input| {
        law(input);
        Ok(())
    });
    if let Err(broken) = tried {
        panic!("{broken}");
    }
}
