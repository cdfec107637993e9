//! The property of the fuzz target `profiles`, on random input and on every input that fuzzing
//! kept: seeds, and what once broke it.

use std::fs;
use std::panic::catch_unwind;
use std::path::{Path, PathBuf};

use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::{Index, select};

use super::property::{check, examples};

/// Random inputs, unless PROPTEST_CASES asks for more or fewer: few of them hit what is rare.
const CASES: u32 = 20_000;

/// A change of an example.
#[derive(Clone, Debug)]
enum Change {
    Set(Index, u8),
    Insert(Index, Vec<u8>),
    /// Removes the bytes between the two places.
    Remove(Index, Index),
    /// Repeats them at the end.
    Repeat(Index, Index),
}

impl Change {
    fn apply(&self, bytes: &mut Vec<u8>) {
        let between = |a: &Index, b: &Index, len: usize| {
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
            Self::Remove(a, b) => drop(bytes.drain(between(a, b, bytes.len()))),
            Self::Repeat(a, b) => bytes.extend_from_within(between(a, b, bytes.len())),
        }
    }
}

fn change() -> impl Strategy<Value = Change> {
    let byte = prop_oneof![any::<u8>(), select(&[0x80u8, 0x00, 0xff, 0x7f, 0x01, 0x02][..])].boxed();
    let place = any::<Index>;
    prop_oneof![
        4 => (place(), byte.clone()).prop_map(|(at, byte)| Change::Set(at, byte)),
        2 => (place(), vec(byte, 1..12)).prop_map(|(at, bytes)| Change::Insert(at, bytes)),
        1 => (place(), place()).prop_map(|(a, b)| Change::Remove(a, b)),
        1 => (place(), place()).prop_map(|(a, b)| Change::Repeat(a, b)),
    ]
}

/// Any bytes, and examples with a few changes or none.
fn input() -> impl Strategy<Value = Vec<u8>> {
    let changed = (select(examples()), vec(change(), 0..5)).prop_map(|(mut bytes, changes)| {
        changes.iter().for_each(|change| change.apply(&mut bytes));
        bytes
    });
    prop_oneof![1 => vec(any::<u8>(), 0..200), 4 => changed]
}

fn config() -> ProptestConfig {
    let usual = ProptestConfig::default(); // with what the environment asks for
    let is_asked = std::env::var_os("PROPTEST_CASES").is_some();
    ProptestConfig { cases: if is_asked { usual.cases } else { CASES }, ..usual }
}

proptest! {
    #![proptest_config(config())]

    #[test]
    fn any_bytes_have_the_property(bytes in input()) {
        check(&bytes);
    }
}

/// The fuzz targets are in the repository only.
fn folder(kind: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../fuzz").join(kind).join("profiles")
}

#[test]
fn every_seed_and_every_input_that_once_broke_the_property_has_it() {
    if !folder("seeds").exists() {
        return println!("skipped: the seeds are in the repository");
    }
    let files = |kind| fs::read_dir(folder(kind)).into_iter().flatten();
    for entry in files("seeds").chain(files("crashes")) {
        let path = entry.expect("a readable folder").path();
        let bytes = fs::read(&path).expect("a readable file");
        assert!(catch_unwind(|| check(&bytes)).is_ok(), "{} breaks the property", path.display());
    }
    assert!(files("seeds").count() > 0, "no seeds in {}", folder("seeds").display());
}

#[test]
#[ignore = "writes the examples to fuzz/seeds"]
fn write_seeds() {
    fs::create_dir_all(folder("seeds")).expect("a folder");
    for (number, bytes) in examples().into_iter().enumerate() {
        fs::write(folder("seeds").join(format!("example-{number:02}")), bytes).expect("a file");
    }
}
