//! Checks on random input: of any type by a strategy, and of bytes by random changes to examples.

use std::panic::catch_unwind;

use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::{Index, select};
use proptest::test_runner::{Config, TestRunner};

use super::Property;
use super::input::{NUMBERS, renumbered};

/// The number of random inputs for one property. Rare events need many.
const CASES: u32 = 20_000;

/// Runs `check` on `cases` random inputs, or on as many as the environment variable PROPTEST_CASES
/// has. A failing input is reduced to a small one.
pub fn check_random_cases<V: std::fmt::Debug>(cases: u32, input: BoxedStrategy<V>, check: &dyn Fn(V)) {
    let default = Config::default(); // includes PROPTEST_CASES
    let is_set = std::env::var_os("PROPTEST_CASES").is_some();
    let mut runner = TestRunner::new(Config { cases: if is_set { default.cases } else { cases }, ..default });
    let outcome = runner.run(&input, |input| {
        check(input);
        Ok(())
    });
    if let Err(failure) = outcome {
        panic!("{failure}");
    }
}

/// Checks a property on its examples, on these with up to four changes, and on random bytes.
pub fn check(property: Property) {
    for (number, bytes) in (property.examples)().into_iter().enumerate() {
        let passed = catch_unwind(|| (property.check)(&bytes)).is_ok();
        assert!(passed, "example {number} of '{}' fails", property.name);
    }
    check_random_cases(CASES, inputs(property), &|bytes| (property.check)(&bytes));
}

/// A change to an example.
#[derive(Clone, Debug)]
enum Change {
    Set(Index, u8),
    Insert(Index, Vec<u8>),
    /// Removes the bytes between two offsets, at most 40.
    Remove(Index, Index),
    /// Appends a copy of the bytes between two offsets, at most 40.
    Repeat(Index, Index),
    /// Replaces a decimal number.
    Number(u8, &'static str),
}

impl Change {
    fn apply(&self, bytes: &mut Vec<u8>) {
        let span = |a: &Index, b: &Index, len: usize| {
            let (a, b) = (a.index(len + 1), b.index(len + 1));
            a.min(b)..a.max(b).min(a.min(b) + 40)
        };
        match self {
            Self::Set(at, byte) if !bytes.is_empty() => {
                let at = at.index(bytes.len());
                bytes[at] = *byte;
            }
            Self::Set(..) => {}
            Self::Insert(at, more) => {
                let at = at.index(bytes.len() + 1);
                bytes.splice(at..at, more.iter().copied());
            }
            Self::Remove(a, b) => drop(bytes.drain(span(a, b, bytes.len()))),
            Self::Number(which, other) => *bytes = renumbered(bytes, (*which).into(), other),
            Self::Repeat(a, b) => bytes.extend_from_within(span(a, b, bytes.len())),
        }
    }
}

fn change() -> BoxedStrategy<Change> {
    let common =
        select(&[0x80u8, 0x00, 0xff, 0x7f, 0x01, 0x02, b'0', b'9', b'-', b'"', b'{', b'}', b'[', b'.'][..]);
    let byte = prop_oneof![any::<u8>(), common].boxed();
    let place = any::<Index>;
    prop_oneof![
        4 => (place(), byte.clone()).prop_map(|(at, byte)| Change::Set(at, byte)),
        2 => (place(), vec(byte, 1..12)).prop_map(|(at, bytes)| Change::Insert(at, bytes)),
        1 => (place(), place()).prop_map(|(a, b)| Change::Remove(a, b)),
        1 => (place(), place()).prop_map(|(a, b)| Change::Repeat(a, b)),
        2 => (any::<u8>(), select(&NUMBERS[..])).prop_map(|(which, other)| Change::Number(which, other)),
    ]
    .boxed()
}

/// Returns a strategy for random bytes, and for examples with up to four changes.
fn inputs(property: Property) -> BoxedStrategy<Vec<u8>> {
    let changed = (select((property.examples)()), vec(change(), 0..5)).prop_map(|(mut bytes, changes)| {
        changes.iter().for_each(|change| change.apply(&mut bytes));
        bytes
    });
    prop_oneof![1 => vec(any::<u8>(), 0..200), 4 => changed].boxed()
}
