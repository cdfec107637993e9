//! The property `profiles`, for tests and the fuzz target. Arbitrary bytes either cause an error, or they are a
//! profile that survives writing and reading and can be shown in every way.
//!
//! The fuzz target includes this file and its submodules.

#![allow(dead_code, unreachable_pub)] // the tests and the fuzz target each use a part

#[path = "synthetic.rs"]
pub mod synthetic;

use std::io::Write;

use flate2::Compression;
use flate2::write::GzEncoder;
use pprof_views::{Profile, View};

use crate::property::Property;

pub const PROPERTY: Property = Property { name: "profiles", check, examples };

#[test]
fn any_bytes_are_a_profile_or_refused() {
    crate::property::random::check(PROPERTY);
}

/// The number of ways in which [`show`] shows a profile.
const WAYS: u8 = 12;

/// Panics if the bytes violate the property. The first byte selects how the profile is shown, and
/// whether it is also read from gzip.
fn check(bytes: &[u8]) {
    let Some((&choice, bytes)) = bytes.split_first() else { return };
    let read = Profile::from_bytes(bytes);
    if choice & 0x80 != 0 && !bytes.starts_with(&[0x1f, 0x8b]) {
        let compressed = Profile::from_bytes(&gzip(bytes));
        assert_eq!(compressed.ok().as_ref(), read.as_ref().ok(), "read from gzip");
    }
    if let Ok(profile) = read {
        let again = Profile::from_bytes(&profile.to_bytes()).expect("a profile that was just written");
        assert_eq!(again, profile, "written and read again");
        show(&profile, choice % WAYS);
    }
}

fn show(profile: &Profile, way: u8) {
    let view = View::new(profile);
    let text = match way {
        0 => Ok(view.top()),
        1 => Ok(view.sort_by_cum().node_count(2).top()),
        2 => view.peek("a"),
        3 => view.list("a"),
        4 => view.flamegraph().map(|_| String::new()),
        5 => view.diff(profile).and_then(|compared| {
            let _ = compared.flamegraph();
            Ok(compared.top() + &compared.peek("a")?)
        }),
        6 => view.ignore("a").and_then(|view| view.hide("b")).and_then(|filtered| {
            let _ = filtered.flamegraph();
            filtered.peek("")
        }),
        7 => {
            let sum = Profile::sum(&[profile.clone(), profile.clone()]).expect("the same sample types");
            assert_eq!(Profile::from_bytes(&sum.to_bytes()).expect("all references are valid"), sum);
            Ok(View::new(&sum).top())
        }
        8 => view.focus("b").map(|view| view.top()),
        9 => Ok(view.all_frames().top()),
        10 => view.diff(profile).and_then(|compared| {
            let filtered = compared.tag_focus("a,.")?.tag_ignore("0:1kb")?;
            let _ = filtered.unmatched();
            Ok(filtered.tags() + &filtered.top())
        }),
        _ => view.tag_root("a,b").tag_ignore("a=b").and_then(|rooted| {
            let _ = rooted.flamegraph();
            Ok(rooted.tags() + &rooted.peek("")?)
        }),
    };
    // Others could change the state of a terminal.
    let text = text.unwrap_or_default();
    let control = text.chars().find(|&char| char.is_control() && !matches!(char, '\n' | '\t'));
    assert_eq!(control, None, "in {text:?}");
}

pub fn gzip(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = GzEncoder::new(vec![], Compression::best());
    encoder.write_all(bytes).and_then(|()| encoder.finish()).expect("writing to memory")
}

/// Returns inputs that reach much of the code. They are the seeds of the fuzz target, and the
/// random test mutates them.
fn examples() -> Vec<Vec<u8>> {
    let mut tiny = synthetic::Message::default();
    tiny.message(1, synthetic::Message::default().number(1, 1).number(2, 2));
    tiny.message(2, synthetic::Message::default().packed(2, [7].into_iter()));
    tiny.bytes(6, b"").bytes(6, b"cpu").bytes(6, b"nanoseconds");
    // A label whose text is an empty string other than the first one, as are the unit and the key of another.
    let mut empty = synthetic::Message::default();
    empty.message(1, synthetic::Message::default().number(1, 1).number(2, 2));
    let mut sample = synthetic::Message::default();
    sample.packed(2, [7].into_iter()).message(3, synthetic::Message::default().number(1, 1).number(2, 3));
    sample.message(3, synthetic::Message::default().number(1, 3).number(4, 3));
    empty.message(2, &sample).bytes(6, b"").bytes(6, b"a").bytes(6, b"bytes").bytes(6, b"");
    let mut few = synthetic::small("a.rs");
    let label = |key: &str, text: &str, number, unit: &str| (0, key.into(), text.into(), number, unit.into());
    few.labels = vec![
        label("a", "b\u{1b}", 0, ""),
        label("a", "", i64::MIN, "bytes"),
        label("a", "", i64::MAX, "hours"),
        label("b", "", 0, "\u{1b}"),
        label("", "", -1, ""),
    ];
    few.samples.truncate(3);
    few.comments.push("\u{1b}[31mred".into());
    few.types[1].1 = "\u{1b}[2J".into();
    let mut extreme = synthetic::small("");
    extreme.samples.iter_mut().for_each(|(_, values, _)| *values = vec![i64::MAX, i64::MIN]);
    (extreme.time, extreme.duration) = (i64::MAX, i64::MIN);
    let mut mangled = synthetic::small("");
    let names = [
        "_ZNSt6vectorIiSaIiEE9push_backERKi",
        "_Z1fI1AXsr1A1vEEvDTcl1gfp_EE.cold",
        "_ZN3$LT$3fmt17h0123456789abcdefE",
        "_RINvC1a1fTmTB8_B8_EKhb_E",
        "__ZN1AcvT_IiEEv",
    ];
    mangled.functions.iter_mut().zip(names).for_each(|(function, name)| function.0 = name.into());
    (mangled.drop_frames, mangled.keep_frames) = ("f.*|[a-c]::.*|memcpy".into(), "f<A.*".into());
    let before = synthetic::small_before("/x.rs");
    let profiles = [tiny.0, empty.0, few.bytes(), extreme.bytes(), mangled.bytes(), before.bytes()];
    let choices = (0..WAYS).chain([0x80]);
    let mut examples: Vec<_> = choices
        .flat_map(|choice| profiles.each_ref().map(|bytes| [&[choice], &bytes[..]].concat()))
        .collect();
    examples.push([&[0], &gzip(&profiles[0])[..]].concat());
    examples
}
