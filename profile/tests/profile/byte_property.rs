//! The property of the fuzz target `profiles`: bytes are a profile, which is the same when written
//! and read again and can be shown in every way, or they are refused.
//!
//! The fuzz target includes this file and those below it.

#![allow(dead_code, unreachable_pub)] // each of the two uses a part

#[path = "synthetic.rs"]
pub mod synthetic;

use std::io::Write;

use flate2::Compression;
use flate2::write::GzEncoder;
use pprof_views::{Profile, View};

use crate::property::Property;

/// The property by the name of its fuzz target.
pub const PROPERTY: Property = Property { name: "profiles", check, examples };

/// The number of ways to show a profile.
const WAYS: u8 = 7;

/// Panics if the bytes break the property. The first byte chooses how a profile is shown, and
/// whether it is packed before.
pub fn check(bytes: &[u8]) {
    let Some((&choice, bytes)) = bytes.split_first() else { return };
    let read = Profile::from_bytes(bytes);
    if choice & 0x80 != 0 && !bytes.starts_with(&[0x1f, 0x8b]) {
        let packed = Profile::from_bytes(&packed(bytes));
        assert_eq!(packed.map_err(|error| error.to_string()).ok(), read.as_ref().ok().cloned(), "packed");
    }
    if let Ok(profile) = read {
        let again = Profile::from_bytes(&profile.to_bytes()).expect("its own bytes");
        assert_eq!(again, profile, "read, written and read again");
        show(&profile, choice % WAYS);
    }
}

/// Reads bytes and, if they are a profile, shows it in every way.
pub fn exercise(bytes: &[u8]) {
    let Ok(profile) = Profile::from_bytes(bytes) else { return };
    (0..WAYS).for_each(|way| show(&profile, way));
}

fn show(profile: &Profile, way: u8) {
    let view = View::new(profile);
    match way {
        0 => _ = view.top().map(|text| printable(&text)),
        1 => _ = view.by_cum().rows(2).top().map(|text| printable(&text)),
        2 => _ = view.peek("a").map(|text| printable(&text)),
        3 => _ = view.list("a").map(|text| printable(&text)),
        4 => _ = view.flamegraph(),
        5 => {
            let Ok(compared) = view.diff(profile) else { return };
            let _ = compared.top().map(|text| printable(&text));
            let _ = compared.flamegraph();
        }
        _ => _ = view.focus("b").and_then(|view| view.top()).map(|text| printable(&text)),
    }
}

/// Panics if the text has characters that could change the state of a terminal.
fn printable(text: &str) {
    let odd = text.chars().find(|&char| char.is_control() && !matches!(char, '\n' | '\t'));
    assert_eq!(odd, None, "in {text:?}");
}

pub fn packed(bytes: &[u8]) -> Vec<u8> {
    let mut packer = GzEncoder::new(vec![], Compression::best());
    packer.write_all(bytes).and_then(|()| packer.finish()).expect("memory")
}

/// Inputs that reach far: the seeds of the fuzz target, and what the random test changes.
pub fn examples() -> Vec<Vec<u8>> {
    let mut tiny = synthetic::Message::default();
    tiny.message(1, synthetic::Message::default().number(1, 1).number(2, 2));
    tiny.message(2, synthetic::Message::default().packed(2, [7].into_iter()));
    tiny.bytes(6, b"").bytes(6, b"cpu").bytes(6, b"nanoseconds");
    let mut few = synthetic::small("a.rs");
    few.samples.truncate(3);
    few.comments.push("\u{1b}[31mred".into());
    let mut extreme = synthetic::small("");
    extreme.samples.iter_mut().for_each(|(_, values, _)| *values = vec![i64::MAX, i64::MIN]);
    (extreme.time, extreme.duration) = (i64::MAX, i64::MIN);
    let whole = [tiny.0, few.bytes(), extreme.bytes(), synthetic::small_before("/x.rs").bytes()];
    let choices = (0..WAYS).chain([0x80]);
    let mut examples: Vec<_> =
        choices.flat_map(|choice| whole.each_ref().map(|bytes| [&[choice], &bytes[..]].concat())).collect();
    examples.push([&[0], &packed(&whole[0])[..]].concat());
    examples
}
