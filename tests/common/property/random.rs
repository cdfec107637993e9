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

/// A change to an example: its kind, two places, and new bytes.
type Change = (u8, Index, Index, Vec<u8>);

fn apply(bytes: &mut Vec<u8>, (kind, a, b, new): Change) {
    let [a, b] = [a, b].map(|place| place.index(bytes.len() + 1));
    let span = a.min(b)..a.max(b).min(a.min(b) + 40);
    match kind {
        0..4 => bytes.get_mut(a).into_iter().for_each(|byte| *byte = new[0]),
        4..6 => drop(bytes.splice(a..a, new)),
        6 => drop(bytes.drain(span)),
        7 => bytes.extend_from_within(span),
        _ => *bytes = renumbered(bytes, a, NUMBERS[usize::from(new[0]) % NUMBERS.len()]),
    }
}

fn change() -> impl Strategy<Value = Change> {
    let common =
        select(&[0x80u8, 0x00, 0xff, 0x7f, 0x01, 0x02, b'0', b'9', b'-', b'"', b'{', b'}', b'[', b'.'][..]);
    let byte = prop_oneof![any::<u8>(), common];
    (0..10u8, any::<Index>(), any::<Index>(), vec(byte, 1..12))
}

/// Returns a strategy for random bytes, and for examples with up to four changes.
fn inputs(property: Property) -> BoxedStrategy<Vec<u8>> {
    let changed = (select((property.examples)()), vec(change(), 0..5)).prop_map(|(mut bytes, changes)| {
        changes.into_iter().for_each(|change| apply(&mut bytes, change));
        bytes
    });
    prop_oneof![1 => vec(any::<u8>(), 0..200), 4 => changed].boxed()
}
