//! Checks on random input: any type by a strategy, and bytes by random changes of examples.

use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::{Index, select};
use proptest::test_runner::{Config, TestRunner};

use super::Property;
use super::input::{NUMBERS, renumbered};

/// Random inputs for one property of bytes: a rare event needs many.
const CASES: u32 = 20_000;

/// Runs `check` on `cases` random inputs, unless PROPTEST_CASES asks for more or fewer. A failure
/// is shrunk to a small input.
pub fn check_random_cases<V: std::fmt::Debug>(cases: u32, input: BoxedStrategy<V>, check: &dyn Fn(V)) {
    let usual = Config::default(); // with what the environment says
    let asked = std::env::var_os("PROPTEST_CASES").is_some();
    let mut runner = TestRunner::new(Config { cases: if asked { usual.cases } else { cases }, ..usual });
    let outcome = runner.run(&input, |input| {
        check(input);
        Ok(())
    });
    if let Err(failure) = outcome {
        panic!("{failure}");
    }
}

/// Checks a property on random bytes and on its examples, changed a little or not at all.
pub fn check_random_bytes(property: Property) {
    check_random_cases(CASES, inputs(property), &|bytes| (property.check)(&bytes));
}

/// A change of an example.
#[derive(Clone, Debug)]
enum Change {
    Set(Index, u8),
    Insert(Index, Vec<u8>),
    /// From here to there, or the other way round.
    Remove(Index, Index),
    Repeat(Index, Index),
    /// A number in decimal becomes another.
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

/// Any bytes, and examples with a few changes or none.
fn inputs(property: Property) -> BoxedStrategy<Vec<u8>> {
    let changed = (select((property.examples)()), vec(change(), 0..5)).prop_map(|(mut bytes, changes)| {
        changes.iter().for_each(|change| change.apply(&mut bytes));
        bytes
    });
    prop_oneof![1 => vec(any::<u8>(), 0..200), 4 => changed].boxed()
}
