//! The laws of the fuzz targets, on random input and on every input that fuzzing kept: seeds, and what once broke a law.

#[macro_use]
mod common;
#[path = "common/laws/mod.rs"]
mod laws;

use std::fs;
use std::panic::catch_unwind;
use std::path::{Path, PathBuf};

use common::strategies::hold_often;
use laws::input::{NUMBERS, renumbered};
use laws::{ALL, Law};
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::{Index, select};

/// Inputs tried for each law: few of them hit what is rare.
const CASES: u32 = 20_000;

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
    let telling =
        select(&[0x80u8, 0x00, 0xff, 0x7f, 0x01, 0x02, b'0', b'9', b'-', b'"', b'{', b'}', b'[', b'.'][..]);
    let byte = prop_oneof![any::<u8>(), telling].boxed();
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
fn inputs(law: Law) -> BoxedStrategy<Vec<u8>> {
    let changed = (select((law.examples)()), vec(change(), 0..5)).prop_map(|(mut bytes, changes)| {
        changes.iter().for_each(|change| change.apply(&mut bytes));
        bytes
    });
    prop_oneof![1 => vec(any::<u8>(), 0..200), 4 => changed].boxed()
}

fn named(name: &str) -> Law {
    *ALL.iter().find(|law| law.name == name).expect("a law of that name")
}

macro_rules! on_any_bytes {
    ($($(#[$when:meta])* $law:ident)*) => {
        mod on_any_bytes {
            use super::*;
            $(
                $(#[$when])*
                #[test]
                fn $law() {
                    let law = named(stringify!($law));
                    hold_often(CASES, inputs(law), &|bytes| (law.hold)(&bytes));
                }
            )*
        }
    };
}

on_any_bytes! {
    doors
    kernels
    chunks
    formats
    #[cfg(feature = "profile")] profiles
}

fn folder(kind: &str, law: Law) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("fuzz").join(kind).join(law.name)
}

/// The files of a folder, if there is one.
fn files(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).into_iter().flatten();
    entries.map(|entry| entry.expect("a readable folder").path()).filter(|path| path.is_file()).collect()
}

/// The published package comes without them.
#[test]
fn every_seed_and_every_input_that_once_broke_a_law_keeps_it() {
    if !Path::new(env!("CARGO_MANIFEST_DIR")).join("fuzz").exists() {
        return println!("skipped: the seeds are in the repository");
    }
    for &law in ALL {
        let seeds = files(&folder("seeds", law));
        assert!(!seeds.is_empty(), "no seeds in {}", folder("seeds", law).display());
        for path in seeds.into_iter().chain(files(&folder("crashes", law))) {
            let bytes = fs::read(&path).expect("a readable file");
            let kept = catch_unwind(|| (law.hold)(&bytes));
            assert!(kept.is_ok(), "{} breaks the law '{}'", path.display(), law.name);
        }
    }
}

#[test]
#[ignore = "writes the examples to fuzz/seeds, where they are not there yet"]
fn write_seeds() {
    for &law in ALL {
        let folder = folder("seeds", law);
        fs::create_dir_all(&folder).expect("a folder");
        for (number, bytes) in (law.examples)().into_iter().enumerate() {
            fs::write(folder.join(format!("example-{number:02}")), bytes).expect("a file");
        }
    }
}
