//! Malformed and unusual files: each is refused with a reason, or shown. Where Go is installed, `go tool
//! pprof` must refuse the same files and show the same tables, or the case says why not.

use std::error::Error;
use std::fs;

use pprof_views::{Profile, View, ViewError};

use super::byte_property::gzip;
use super::same_as_go_pprof::{assert_same, has_go, pprof_output};
use super::synthetic::{Message, Synthetic, small};

/// What happens to a file.
enum Expected {
    /// It is refused, with these words, as by pprof.
    Refused(&'static str),
    /// It is refused, with these words, while pprof shows it. The second text says why.
    OnlyPprofShows(&'static str, &'static str),
    /// It is shown as by pprof.
    Shown,
    /// It is shown as by pprof, with no function that a pattern could match.
    ShownEmpty,
    /// It is shown, while pprof refuses it or shows it in another way. The text says why.
    ShownOtherwise(&'static str),
}
use Expected::{OnlyPprofShows, Refused, Shown, ShownEmpty, ShownOtherwise};

fn intact() -> Synthetic {
    small("/x.rs")
}

fn changed(change: impl FnOnce(&mut Synthetic)) -> Vec<u8> {
    let mut synthetic = intact();
    change(&mut synthetic);
    synthetic.bytes()
}

/// Appends a message to an intact profile.
fn with(field: u64, content: impl FnOnce(&mut Message) -> &mut Message) -> Vec<u8> {
    let (mut bytes, mut message) = (Message(intact().bytes()), Message::default());
    content(&mut message);
    bytes.message(field, &message);
    bytes.0
}

/// Appends bytes to an intact profile.
fn and(bytes: &[u8]) -> Vec<u8> {
    [&intact().bytes(), bytes].concat()
}

/// Returns an intact profile with other names of its first function.
fn named(name: &str, system_name: &str) -> Vec<u8> {
    changed(|it| (it.functions[0].0, it.functions[0].1) = (name.into(), system_name.into()))
}

fn valued(value: impl Fn(usize) -> i64) -> Vec<u8> {
    changed(|it| {
        it.samples.iter_mut().enumerate().for_each(|(at, sample)| sample.1 = vec![1, value(at)]);
    })
}

fn typed(types: &[(&str, &str)]) -> Vec<u8> {
    changed(|it| {
        it.types = types.iter().map(|&(kind, unit)| (kind.to_owned(), unit.to_owned())).collect();
        it.samples.iter_mut().for_each(|sample| sample.1 = vec![sample.1[1]; types.len()]);
    })
}

fn labelled(labels: &[(&str, &str, i64, &str)]) -> Vec<u8> {
    changed(|it| {
        let owned = |&(key, text, number, unit): &(&str, &str, i64, &str)| {
            (0, key.to_owned(), text.to_owned(), number, unit.to_owned())
        };
        it.labels = labels.iter().map(owned).collect();
    })
}

/// Returns the bytes of a small profile that only has these messages after its sample type.
fn minimal(strings: &[&str], rest: impl FnOnce(&mut Message)) -> Vec<u8> {
    let mut out = Message::default();
    out.message(1, Message::default().number(1, 1).number(2, 2));
    rest(&mut out);
    for text in strings {
        out.bytes(6, text.as_bytes());
    }
    out.0
}

#[rustfmt::skip]
fn cases() -> Vec<(&'static str, Vec<u8>, Expected)> {
    const STRINGS: &[&str] = &["", "cpu", "count", "f"];
    let intact = || intact().bytes();
    let half = |mut bytes: Vec<u8>| { bytes.truncate(bytes.len() / 2); bytes };
    vec![
        // --- bytes
        ("no bytes", vec![], Refused("empty")),
        ("text", b"samples: 12\n".into(), Refused("pprof's format")),
        ("old heap profile in text", b"heap profile: 1: 8 [1: 8] @ heapprofile\n1: 8 [1: 8] @ 0x1\n".into(),
            OnlyPprofShows("pprof's format", "the formats before profile.proto are not read")),
        ("gzip of nothing", gzip(b""), Refused("empty")),
        ("gzip cut off", half(gzip(&intact())), Refused("gzip")),
        ("gzip with bytes after it", [gzip(&intact()), vec![1, 2, 3]].concat(), Refused("gzip")),
        ("gzip with a wrong checksum", { let mut bytes = gzip(&intact()); let at = bytes.len() - 6; bytes[at] ^= 1; bytes },
            Refused("gzip")),
        ("gzip in two parts", { let all = intact(); [gzip(&all[..99]), gzip(&all[99..])].concat() }, Shown),
        ("gzip in gzip", gzip(&gzip(&intact())), Refused("pprof's format")),
        ("cut off", half(intact()), Refused("pprof's format")),
        ("varint without end", and(&[0x48, 0xff]), Refused("varint")),
        ("varint of eleven bytes", and(&[0x48, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0]), Refused("varint")),
        ("length past the end", and(&[0x12, 0x7f]), Refused("end of a field")),
        ("wire type 7", and(&[0x0f]), Refused("wire type")),
        ("a message that is a number", and(&[0x10, 1]), Refused("wire type")),
        ("field 0", and(&[0x00, 1]), OnlyPprofShows("tag", "Protocol Buffers have no field 0")),
        ("unknown fields", and(&[0x80, 0x08, 1, 0x8a, 0x08, 1, b'x', 0x89, 0x08, 1, 2, 3, 4, 5, 6, 7, 8]), Shown),
        ("two profiles, one after the other", intact().repeat(2), Refused("two concatenated profiles")),
        // --- tables
        ("no strings", minimal(&[], |_| ()), Refused("string table")),
        ("first string not empty", minimal(&["cpu", "cpu", "count"], |_| ()), Refused("string table")),
        ("no sample types", changed(|it| it.types.clear()), Refused("no sample types")),
        ("too few values", changed(|it| it.samples[0].1.truncate(1)), Refused("1 values")),
        ("too many values", changed(|it| it.samples[0].1.push(1)), Refused("3 values")),
        ("location that is not there", changed(|it| it.samples[3].0[0] = 99), Refused("location id 99")),
        ("location 0", changed(|it| it.samples[3].0[1] = 0), Refused("location id 0")),
        ("function that is not there", changed(|it| it.locations[0].1[0].0 = 1 << 60), Refused("function id 1152921504606846976")),
        ("mapping that is not there", changed(|it| it.locations[0].0 = 7), Shown),
        ("function twice", with(5, |it| it.number(1, 1)), Refused("duplicate function id 1")),
        ("location twice", with(4, |it| it.number(1, 2)), Refused("duplicate location id 2")),
        ("mapping twice", with(3, |it| it.number(1, 2)), Refused("duplicate mapping id 2")),
        ("function with the id 0", with(5, |it| it.number(2, 1)), Refused("reserved id 0")),
        ("string that is not there", with(5, |it| it.number(1, 99).number(2, 1 << 40)), Refused("no string 1099511627776")),
        ("string before the first", with(5, |it| it.number(1, 99).number(4, u64::MAX)), Refused("no string -1")),
        ("samples before all tables, with great ids", minimal(STRINGS, |out| {
            out.message(2, Message::default().number(1, u64::MAX).number(2, 5));
            out.message(4, Message::default().number(1, u64::MAX).message(4, Message::default().number(1, 1 << 63)));
            out.message(5, Message::default().number(1, 1 << 63).number(2, 3));
        }), Shown),
        // --- samples
        ("no samples", changed(|it| it.samples.clear()), ShownEmpty),
        ("only zeros", valued(|_| 0), ShownEmpty),
        ("negative values", valued(|at| at as i64 * -7_000_000), Shown),
        ("values that cancel out", valued(|at| if at < 11 { 1_000_000 << at } else { -2_047_000_000 }), Shown),
        ("values at the limits", valued(|at| [i64::MAX, i64::MIN, 1][at % 3]),
            ShownOtherwise("sums saturate, while those of pprof wrap around")),
        ("one sample, without a stack", changed(|it| it.samples = vec![(vec![], vec![1, 1], String::new())]), ShownEmpty),
        ("recursion of 1,000", changed(|it| it.samples[0].0 = [2].repeat(1000)), Shown),
        ("two functions that call each other", changed(|it| it.samples[0].0 = [2, 3].repeat(50)), Shown),
        // --- functions, files, mappings
        ("name of a megabyte", named(&"long".repeat(1 << 18), ""), Shown),
        ("name with separators", named("a;b c 12", ""), Shown),
        ("no name but that of the linker", named("", "linked"), Shown),
        ("neither name", named("", ""), Shown),
        ("name with an escape sequence", named("\u{1b}[31mred\n", ""),
            ShownOtherwise("control characters are replaced: they could change the state of a terminal")),
        ("one name in two files", changed(|it| (it.functions[4].0, it.functions[4].2) = ("main".into(), "/y.c".into())), Shown),
        ("no mappings", changed(|it| { it.mappings.clear(); it.locations.iter_mut().for_each(|location| location.0 = 0); }), Shown),
        ("mapping without a file", changed(|it| it.mappings[0].clear()), Shown),
        ("negative line", changed(|it| it.locations[1].1[0].1 = -5), Shown),
        ("line beyond 32 bits", changed(|it| it.locations[1].1[0].1 = 1 << 40), Shown),
        ("no lines at all", changed(|it| it.locations.iter_mut().for_each(|location| location.1.clear())), Shown),
        // --- sample types and the rest
        ("type without a name", typed(&[("", "")]), Shown),
        ("one type twice", typed(&[("cpu", "count"), ("cpu", "count")]),
            ShownOtherwise("pprof refuses it, but a type can also be selected by its index")),
        ("times in µs", typed(&[("wall", "µs")]), Shown),
        ("sizes in KB", typed(&[("space", "KB")]), Shown),
        ("times in minutes", typed(&[("wall", "minutes")]), Shown),
        ("unknown unit", typed(&[("space", "furlongs")]), Shown),
        ("default type that is not there", changed(|it| it.default_type = "wall".into()), Shown),
        ("ended before it began", changed(|it| (it.time, it.duration) = (-1, -1_000_000)),
            ShownOtherwise("a time before 1970 is not shown")),
        ("the longest duration", changed(|it| (it.time, it.duration) = (i64::MAX, i64::MAX)), Shown),
        // --- labels
        ("label without a key", labelled(&[("", "value", 0, "")]), Shown),
        ("label without a value", labelled(&[("key", "", 0, "")]), Shown),
        ("label with a text and a number", labelled(&[("key", "text", 7, "bytes")]), Shown),
        ("label with two units", labelled(&[("size", "", 7, "bytes"), ("size", "", 7, "kilobytes")]), Shown),
        ("labels at the limits", labelled(&[("size", "", i64::MAX, "bytes"), ("size", "", i64::MIN, "bytes")]), Shown),
        ("a thousand equal labels", labelled(&[("key", "value", 0, ""); 1000]), Shown),
    ]
}

#[test]
fn unusual_files_are_refused_or_shown() {
    for (case, bytes, expected) in cases() {
        let read = Profile::from_bytes(&bytes);
        match expected {
            Refused(words) | OnlyPprofShows(words, _) => {
                let error = read.map(drop).expect_err(case).to_string();
                assert!(error.contains(words), "{case}: no {words:?} in {error:?}");
            }
            Shown | ShownEmpty | ShownOtherwise(_) => {
                let profile = read.unwrap_or_else(|error| panic!("{case}: {error}"));
                assert!(View::new(&profile).top().contains("flat%"), "{case}");
            }
        }
    }
}

#[test]
fn unusual_files_are_shown_as_by_pprof() -> Result<(), Box<dyn Error>> {
    if !has_go() {
        return Ok(());
    }
    let folder = tempfile::tempdir()?;
    let mut differences = String::new();
    for (number, (case, bytes, expected)) in cases().into_iter().enumerate() {
        let file = folder.path().join(format!("{number}.pb"));
        fs::write(&file, &bytes)?;
        println!("{number}: {case}"); // shown if a comparison fails
        let pprof_shows = || {
            let output = pprof_output(&["-top"], &file).expect("Go was found before");
            output.status.success() && !output.stdout.is_empty()
        };
        match expected {
            Refused(_) => assert!(!pprof_shows(), "{case}: pprof shows it"),
            OnlyPprofShows(_, why) => assert!(pprof_shows(), "{case}: pprof refuses it too ({why})"),
            Shown | ShownEmpty => {
                let profile = Profile::from_bytes(&bytes)?;
                let view = View::new(&profile);
                assert_same(&view.top(), &["-top"], &file);
                assert_same(&view.clone().sort_by_cum().top(), &["-top", "-cum"], &file);
                // The exceptions are in docs/profiling.md.
                if !["label with two units", "labels at the limits"].contains(&case) {
                    assert_same(&view.tags(), &["-tags"], &file);
                }
                match expected {
                    Shown => assert_same(&view.peek(".")?, &["-peek=."], &file),
                    _ => assert!(matches!(view.peek("."), Err(ViewError::NoMatch { .. })), "{case}"),
                }
            }
            ShownOtherwise(why) => differences += &format!("{case}: {why}\n"),
        }
    }
    println!("{differences}");
    Ok(())
}
