//! Adversarial profiles that are made to use as much memory as possible. They are shown or rejected
//! within the documented memory limit.

use std::error::Error;
use std::fmt::Debug;
use std::fs;
use std::iter::{once, repeat_n};

use pprof_views::{Profile, View};

use super::synthetic::Message;

/// The memory limit of the test in bytes. The documented limit is 256 MiB, of which the program
/// itself needs some.
const LIMIT: u64 = 224 << 20;

/// Returns a profile with a sample type and the entries that `add` adds, given their numbers from 1
/// on.
fn filled(count: u64, mut add: impl FnMut(&mut Message, u64)) -> Vec<u8> {
    let mut profile = Message::default();
    profile.bytes(6, b"").message(1, Message::default().number(1, 0));
    (1..=count).for_each(|number| add(&mut profile, number));
    profile.0
}

/// Adds a function with a unique name, and a location in it.
fn named(profile: &mut Message, number: u64) {
    let mut id = Message::default();
    id.number(1, number);
    profile.bytes(6, format!("f{number:x}").as_bytes());
    profile.message(4, Message::default().number(1, number).message(4, &id));
    profile.message(5, id.number(2, number));
}

/// Adds a sample of the value 1 with these locations.
fn sample(profile: &mut Message, stack: impl Iterator<Item = u64>) {
    profile.message(2, Message::default().packed(1, stack).packed(2, [1].into_iter()));
}

/// Runs a step, which must stay within the memory limit. Returns its value, if it has no error, and
/// the memory that is used thereafter.
fn step<T, E: Debug>(name: &str, used: u64, work: impl FnOnce() -> Result<T, E>) -> (Option<T>, u64) {
    let (mut value, mut error) = (None, None);
    let memory = allocation_counter::measure(|| match work() {
        Ok(done) => value = Some(done),
        Err(failed) => error = Some(failed),
    });
    let peak = used + memory.bytes_max;
    println!("{:>4} MiB  {name} {error:.90?}", peak >> 20);
    assert!(peak < LIMIT, "{name} uses {peak} bytes");
    (value, used + memory.bytes_current as u64)
}

/// Reads a profile and shows it in every way.
fn show(kind: &str, bytes: &[u8]) -> Result<(), Box<dyn Error>> {
    let file = tempfile::NamedTempFile::new()?;
    fs::write(file.path(), bytes)?;
    let (profile, used) =
        step(&format!("{kind} ({} MiB)", bytes.len() >> 20), 0, || Profile::read(file.path()));
    let profile = profile.ok_or_else(|| format!("{kind} are rejected"))?;
    let view = || View::new(&profile);
    step("top", used, || view().top());
    step("peek", used, || view().peek(""));
    step("list", used, || view().list(""));
    step("flamegraph", used, || view().flamegraph());
    Ok(())
}

#[test]
fn largest_profiles_are_shown_within_the_memory_limit() -> Result<(), Box<dyn Error>> {
    let mut state = 1u64;
    let mut random = |limit| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        1 + (state >> 33) % limit
    };
    let long = "\n".repeat(60_000);
    let profiles = [
        (
            "samples, in a file of the maximum size",
            filled(520_000, |profile, number| match number {
                1 => named(profile, 1),
                2 => _ = profile.bytes(99, &vec![0xff; 26 << 20]), // an unknown field
                _ => profile.0.extend(b"\x12\x08\x0a\x01\x01\x12\x01\x01\x1a\x00"), // with an empty label
            }),
        ),
        (
            "deep stacks",
            filled(5, |profile, number| match number {
                1 => named(profile, 1),
                _ => sample(profile, repeat_n(1, 1_000_000)),
            }),
        ),
        (
            "a stack of all functions",
            filled(174_000, |profile, number| match number {
                ..174_000 => named(profile, number),
                _ => sample(profile, 1..174_000),
            }),
        ),
        (
            "calls between any two functions",
            filled(13_000, |profile, number| match number {
                ..=10_000 => named(profile, number),
                _ => sample(profile, (0..900).map(|_| random(10_000))),
            }),
        ),
        (
            "names of control characters",
            filled(130, |profile, number| {
                let mut id = Message::default();
                id.number(1, number);
                profile.bytes(6, format!("{long}{number}").as_bytes());
                profile.message(4, Message::default().number(1, number).number(2, number).message(4, &id));
                profile.message(3, Message::default().number(1, number).number(5, number));
                profile.message(5, id.number(2, number).number(4, number));
                sample(profile, once(number));
            }),
        ),
    ];
    for (kind, bytes) in profiles {
        assert!(bytes.len() <= 32 << 20);
        show(kind, &bytes)?;
    }
    Ok(())
}
