//! Profiles made to take as much memory as they can: they are shown or refused within the bound
//! that is promised.

use std::error::Error;
use std::fs;
use std::path::Path;

use pprof_views::{Profile, View};

use super::synthetic::Message;

/// Bytes of memory; 256 MiB are promised, of which the program itself takes some.
const BOUND: u64 = 224 << 20;
/// As large as a profile can be.
const LARGEST: usize = 32 << 20;

/// A profile that begins with a sample type and the strings given, and then has as much of `more`
/// as fits: the entry of each number.
fn filled(strings: &[&[u8]], size: usize, mut more: impl FnMut(&mut Message, u64)) -> Vec<u8> {
    let mut profile = Message::default();
    profile.message(1, Message::default().number(1, 0));
    profile.bytes(6, b"");
    for text in strings {
        profile.bytes(6, text);
    }
    for number in 1.. {
        let before = profile.0.len();
        more(&mut profile, number);
        if profile.0.len() > size {
            profile.0.truncate(before);
            break;
        }
    }
    profile.0
}

fn id(number: u64) -> Message {
    let mut message = Message::default();
    message.number(1, number);
    message
}

/// A sample of the value 1 with these locations.
fn sample(profile: &mut Message, stack: impl Iterator<Item = u64>) {
    profile.message(2, Message::default().packed(1, stack).packed(2, [1].into_iter()));
}

/// A function with a name of its own, and a location in it.
fn named(profile: &mut Message, number: u64) {
    profile.bytes(6, format!("f{number:x}").as_bytes());
    profile.message(5, id(number).number(2, number));
    profile.message(4, id(number).message(4, &id(number)));
}

/// Stacks of `depth` frames in `functions` functions, hardly two of which are equal.
fn mixed(functions: u64, depth: u64, size: usize) -> Vec<u8> {
    let mut state = 1u64;
    let mut random = move || {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        1 + (state >> 33) % functions
    };
    filled(&[], size, |profile, number| match number <= functions {
        true => named(profile, number),
        false => sample(profile, (0..depth).map(|_| random())),
    })
}

/// All kinds of hostile profiles by name.
fn kinds() -> Vec<(&'static str, Vec<u8>)> {
    let long = vec![b'x'; 65_000];
    let tiny = id(1);
    let inlined = [0x22, 0x00].repeat(400_000);
    let labels = [&[0x12, 0x01, 0x01][..], &[0x1a, 0x00].repeat(500_000)].concat();
    let repeated = |field| {
        let long = &long;
        move |profile: &mut Message, _| {
            profile.bytes(field, long);
        }
    };
    let numbered = |field| {
        move |profile: &mut Message, number| {
            profile.message(field, &id(number));
        }
    };
    vec![
        ("samples", filled(&[], LARGEST, |profile, _| sample(profile, 0..0))),
        ("samples below the limit", filled(&[], 15 << 20, |profile, _| sample(profile, 0..0))),
        (
            "a hundred values in each sample",
            filled(&[], 7 << 20, |profile, number| {
                match number {
                    ..100 => profile.message(1, &tiny),
                    _ => profile.message(2, Message::default().packed(2, (0..100).map(|_| 1))),
                };
            }),
        ),
        (
            "labels",
            filled(&[], LARGEST, |profile, _| {
                profile.bytes(2, &labels);
            }),
        ),
        (
            "deep stacks",
            filled(&[], 12 << 20, |profile, number| match number {
                1 => named(profile, 1),
                _ => sample(profile, std::iter::repeat_n(1, 1_000_000)),
            }),
        ),
        ("locations", filled(&[], LARGEST, numbered(4))),
        ("locations below the limit", filled(&[], 6 << 20, numbered(4))),
        (
            "inlined lines without end in every frame",
            filled(&[], 12 << 20, |profile, number| match number {
                1..6 => {
                    let mut location = id(number);
                    location.0.extend(&inlined);
                    profile.message(4, &location);
                }
                _ => sample(profile, std::iter::repeat_n(number % 5 + 1, 100)),
            }),
        ),
        ("functions", filled(&[], LARGEST, numbered(5))),
        ("functions with names", filled(&[], LARGEST, named)),
        (
            "functions with names and samples",
            filled(&[], 7 << 20, |profile, number| {
                named(profile, number);
                sample(profile, std::iter::once(number));
            }),
        ),
        (
            "all functions in one stack",
            filled(&[], LARGEST, |profile, number| match number {
                ..180_000 => named(profile, number),
                180_000 => sample(profile, 1..180_000),
                _ => profile.0.resize(LARGEST + 1, 0),
            }),
        ),
        ("calls between any two functions", mixed(10_000, 1000, 8 << 20)),
        ("as many calls as can be", mixed(1000, 1000, 8 << 20)),
        ("hardly two stacks alike", mixed(60_000, 8, 6 << 20)),
        (
            "libraries with one long name",
            filled(&[&long], 8 << 20, |profile, number| {
                profile.message(3, id(number).number(5, 1));
                profile.message(4, id(number).number(2, number));
                sample(profile, std::iter::once(number));
            }),
        ),
        (
            "functions without a name in a library with a long one",
            filled(&[&long], 7 << 20, |profile, number| {
                if number == 1 {
                    profile.message(3, id(1).number(5, 1));
                }
                profile.message(5, id(number).number(5, number));
                profile.message(4, id(number).number(2, 1).message(4, &id(number)));
                sample(profile, std::iter::once(number));
            }),
        ),
        ("strings", filled(&[b""], LARGEST, |profile, _| profile.0.extend([0x32, 0x00]))),
        ("long names", filled(&[], LARGEST, repeated(6))),
        (
            "names without a character to print",
            filled(&[], 6 << 20, |profile, number| {
                profile.bytes(6, format!("{}{number}", "\n".repeat(20_000)).as_bytes());
                profile.message(5, id(number).number(2, number).number(3, number).number(4, number));
                profile.message(4, id(number).message(4, &id(number)));
                sample(profile, std::iter::once(number));
            }),
        ),
        (
            "comments",
            filled(&[&long], LARGEST, |profile, _| {
                profile.number(13, 1);
            }),
        ),
        ("comments, packed", filled(&[&long], LARGEST, repeated(13))),
        (
            "sample types",
            filled(&[&long], LARGEST, |profile, _| {
                profile.message(1, &tiny);
            }),
        ),
    ]
}

/// Reads and shows in every way; what became of it.
fn show(file: &Path) -> Vec<(&'static str, String, u64)> {
    let mut seen = vec![];
    let mut profile = None;
    let told = |error: &dyn std::fmt::Display| error.to_string().chars().take(80).collect::<String>();
    let mut measured = |what, work: &mut dyn FnMut() -> Result<(), String>| {
        let mut outcome = Ok(());
        let peak = allocation_counter::measure(|| outcome = work()).bytes_max;
        seen.push((what, outcome.err().unwrap_or_default(), peak));
    };
    measured("read", &mut || {
        Profile::read(file).map(|read| profile = Some(read)).map_err(|error| told(&error))
    });
    let Some(profile) = profile else { return seen };
    let held = allocation_counter::measure(|| std::mem::forget(profile.clone())).bytes_current as u64;
    let view = || View::new(&profile);
    measured("top", &mut || view().top().map(drop).map_err(|error| told(&error)));
    measured("peek", &mut || view().peek("").map(drop).map_err(|error| told(&error)));
    measured("list", &mut || view().list("").map(drop).map_err(|error| told(&error)));
    measured("svg", &mut || view().flamegraph().map(drop).map_err(|error| told(&error)));
    for (_, _, peak) in &mut seen[1..] {
        *peak += held;
    }
    seen
}

#[test]
fn no_profile_takes_more_memory_than_is_promised() -> Result<(), Box<dyn Error>> {
    let folder = tempfile::tempdir()?;
    let file = folder.path().join("x.pb");
    for (kind, bytes) in kinds() {
        assert!(bytes.len() <= LARGEST);
        fs::write(&file, &bytes)?;
        for (what, refusal, peak) in show(&file) {
            println!("{:>4} MiB  {kind} ({} MiB): {what}: {refusal}", peak >> 20, bytes.len() >> 20);
            assert!(peak < BOUND, "{kind}: {what} takes {peak} bytes");
        }
    }
    Ok(())
}
