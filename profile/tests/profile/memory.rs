//! Adversarial profiles that are made to use as much memory as possible. They are shown or rejected
//! within the documented memory limit.

use std::error::Error;
use std::fs;
use std::path::Path;

use pprof_views::{Profile, View};

use super::synthetic::Message;

/// The memory limit of the test in bytes. The documented limit is 256 MiB, of which the program
/// itself needs some.
const LIMIT: u64 = 224 << 20;
/// The maximum size of a profile in bytes.
const MAX_SIZE: usize = 32 << 20;

/// Returns a profile of at most `size` bytes. It begins with a sample type and the strings given.
/// `add` adds the entries 1, 2, 3 and so on until the next one does not fit.
fn filled(strings: &[&[u8]], size: usize, mut add: impl FnMut(&mut Message, u64)) -> Vec<u8> {
    let mut profile = Message::default();
    profile.message(1, Message::default().number(1, 0));
    profile.bytes(6, b"");
    for text in strings {
        profile.bytes(6, text);
    }
    for number in 1.. {
        let before = profile.0.len();
        add(&mut profile, number);
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

/// Adds a sample of the value 1 with these locations.
fn sample(profile: &mut Message, stack: impl Iterator<Item = u64>) {
    profile.message(2, Message::default().packed(1, stack).packed(2, [1].into_iter()));
}

/// Adds a function with a unique name, and a location in it.
fn named(profile: &mut Message, number: u64) {
    profile.bytes(6, format!("f{number:x}").as_bytes());
    profile.message(5, id(number).number(2, number));
    profile.message(4, id(number).message(4, &id(number)));
}

/// Returns a profile with random stacks of `depth` frames in `functions` functions.
fn random_stacks(functions: u64, depth: u64, size: usize) -> Vec<u8> {
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

/// Adversarial profiles by name.
type Profiles = Vec<(&'static str, Vec<u8>)>;

/// Returns profiles with as many entries of one kind as possible.
fn entries_of_one_kind() -> Profiles {
    let long = vec![b'x'; 65_000];
    let tiny = id(1);
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
        ("samples", filled(&[], MAX_SIZE, |profile, _| sample(profile, 0..0))),
        ("samples below the limit", filled(&[], 15 << 20, |profile, _| sample(profile, 0..0))),
        (
            "a hundred values per sample",
            filled(&[], 7 << 20, |profile, number| {
                match number {
                    ..100 => profile.message(1, &tiny),
                    _ => profile.message(2, Message::default().packed(2, (0..100).map(|_| 1))),
                };
            }),
        ),
        (
            "labels",
            filled(&[], MAX_SIZE, |profile, _| {
                profile.bytes(2, &labels);
            }),
        ),
        ("locations", filled(&[], MAX_SIZE, numbered(4))),
        ("locations below the limit", filled(&[], 6 << 20, numbered(4))),
        ("functions", filled(&[], MAX_SIZE, numbered(5))),
        ("strings", filled(&[b""], MAX_SIZE, |profile, _| profile.0.extend([0x32, 0x00]))),
        ("long names", filled(&[], MAX_SIZE, repeated(6))),
        (
            "comments",
            filled(&[&long], MAX_SIZE, |profile, _| {
                profile.number(13, 1);
            }),
        ),
        ("packed comments", filled(&[&long], MAX_SIZE, repeated(13))),
        (
            "sample types",
            filled(&[&long], MAX_SIZE, |profile, _| {
                profile.message(1, &tiny);
            }),
        ),
    ]
}

/// Returns profiles with deep or many stacks.
fn stacks() -> Profiles {
    let inlined = [0x22, 0x00].repeat(400_000);
    vec![
        (
            "deep stacks",
            filled(&[], 12 << 20, |profile, number| match number {
                1 => named(profile, 1),
                _ => sample(profile, std::iter::repeat_n(1, 1_000_000)),
            }),
        ),
        (
            "hundreds of thousands of inlined lines in every frame",
            filled(&[], 12 << 20, |profile, number| match number {
                1..6 => {
                    let mut location = id(number);
                    location.0.extend(&inlined);
                    profile.message(4, &location);
                }
                _ => sample(profile, std::iter::repeat_n(number % 5 + 1, 100)),
            }),
        ),
        (
            "all functions in one stack",
            filled(&[], MAX_SIZE, |profile, number| match number {
                ..180_000 => named(profile, number),
                180_000 => sample(profile, 1..180_000),
                _ => profile.0.resize(MAX_SIZE + 1, 0),
            }),
        ),
        ("calls between any two functions", random_stacks(10_000, 1000, 8 << 20)),
        ("the maximum number of calls", random_stacks(1000, 1000, 8 << 20)),
        ("almost only distinct stacks", random_stacks(60_000, 8, 6 << 20)),
    ]
}

/// Returns profiles with many or long names.
fn names() -> Profiles {
    let long = vec![b'x'; 65_000];
    vec![
        ("functions with names", filled(&[], MAX_SIZE, named)),
        (
            "functions with names and samples",
            filled(&[], 7 << 20, |profile, number| {
                named(profile, number);
                sample(profile, std::iter::once(number));
            }),
        ),
        (
            "libraries that share a long name",
            filled(&[&long], 8 << 20, |profile, number| {
                profile.message(3, id(number).number(5, 1));
                profile.message(4, id(number).number(2, number));
                sample(profile, std::iter::once(number));
            }),
        ),
        (
            "functions without a name in a library with a long name",
            filled(&[&long], 7 << 20, |profile, number| {
                if number == 1 {
                    profile.message(3, id(1).number(5, 1));
                }
                profile.message(5, id(number).number(5, number));
                profile.message(4, id(number).number(2, 1).message(4, &id(number)));
                sample(profile, std::iter::once(number));
            }),
        ),
        (
            "names of control characters",
            filled(&[], 6 << 20, |profile, number| {
                profile.bytes(6, format!("{}{number}", "\n".repeat(20_000)).as_bytes());
                profile.message(5, id(number).number(2, number).number(3, number).number(4, number));
                profile.message(4, id(number).message(4, &id(number)));
                sample(profile, std::iter::once(number));
            }),
        ),
    ]
}

/// Reads a profile and shows it in every way. Returns the name, the error and the peak memory of
/// each step.
fn show(file: &Path) -> Vec<(&'static str, String, u64)> {
    let mut steps = vec![];
    let mut profile = None;
    let shortened = |error: &dyn std::fmt::Display| error.to_string().chars().take(80).collect::<String>();
    let mut measure = |step, work: &mut dyn FnMut() -> Result<(), String>| {
        let mut outcome = Ok(());
        let peak = allocation_counter::measure(|| outcome = work()).bytes_max;
        steps.push((step, outcome.err().unwrap_or_default(), peak));
    };
    measure("read", &mut || {
        Profile::read(file).map(|read| profile = Some(read)).map_err(|error| shortened(&error))
    });
    let Some(profile) = profile else { return steps };
    let held = allocation_counter::measure(|| std::mem::forget(profile.clone())).bytes_current as u64;
    let view = || View::new(&profile);
    measure("top", &mut || view().top().map(drop).map_err(|error| shortened(&error)));
    measure("hide", &mut || {
        view().hide("0").and_then(|view| view.top()).map(drop).map_err(|error| shortened(&error))
    });
    measure("peek", &mut || view().peek("").map(drop).map_err(|error| shortened(&error)));
    measure("list", &mut || view().list("").map(drop).map_err(|error| shortened(&error)));
    measure("svg", &mut || view().flamegraph().map(drop).map_err(|error| shortened(&error)));
    for (_, _, peak) in &mut steps[1..] {
        *peak += held;
    }
    steps
}

fn check(profiles: Profiles) -> Result<(), Box<dyn Error>> {
    let folder = tempfile::tempdir()?;
    let file = folder.path().join("x.pb");
    for (kind, bytes) in profiles {
        assert!(bytes.len() <= MAX_SIZE);
        fs::write(&file, &bytes)?;
        for (step, error, peak) in show(&file) {
            println!("{:>4} MiB  {kind} ({} MiB): {step}: {error}", peak >> 20, bytes.len() >> 20);
            assert!(peak < LIMIT, "{kind}: {step} uses {peak} bytes");
        }
    }
    Ok(())
}

/// One profile of each kind. The tests below have all of them.
#[test]
fn some_profiles_use_no_more_memory_than_documented() -> Result<(), Box<dyn Error>> {
    let few =
        ["samples below the limit", "calls between any two functions", "functions with names and samples"];
    let all = entries_of_one_kind().into_iter().chain(stacks()).chain(names());
    let chosen: Profiles = all.filter(|(kind, _)| few.contains(kind)).collect();
    assert_eq!(chosen.len(), few.len());
    check(chosen)
}

#[test]
#[ignore = "takes a minute of CPU time"]
fn all_profiles_use_no_more_memory_than_documented() -> Result<(), Box<dyn Error>> {
    check(entries_of_one_kind())?;
    check(stacks())?;
    check(names())
}
