//! `sweep --wire` and `--round-trip`: how the bytes of a codec are checked, and that failures are
//! replayed with the same check.

use std::fs;

#[cfg(unix)]
use crate::exec::child::command;
use crate::support::{assert_refused, in_folder, json, json_file, out, program, sweep};

/// Values of ten bytes, on which the codec article2015 fails.
const FAILING: &str = "9_223_372_036_854_775_000..";

#[test]
fn the_report_names_how_the_bytes_were_checked() {
    assert_eq!(json(&["0..=5000"]).0["wire"], "leb128");
    let (report, code) = json(&["--round-trip", "0..=5000"]);
    assert_eq!((code, &report["wire"], &report["values"]), (Some(0), &"any".into(), &"5001".into()));
    let text = out(&sweep(&["--wire", "leb128", "--codec", "io", "0..=5000"]));
    assert!(text.starts_with("sweep of i64 by codec io\n"), "{text}");
    let text = out(&sweep(&["--round-trip", "--codec", "io", "0..=5000"]));
    assert!(text.starts_with("sweep of i64 by codec io, round trip only\n"), "{text}");
}

#[test]
fn failures_are_replayed_as_they_were_checked() {
    let path = in_folder();
    let (list, report, status) = (path("failures.jsonl"), path("report.json"), path("status.json"));
    let article = ["--codec", "article2015", "--round-trip", "--quiet", FAILING];
    let outputs = ["--failures", &list, "--json", &report, "--status", &status];
    assert_eq!(program().args(article).args(outputs).status().unwrap().code(), Some(1));
    let replay = json_file(&status)["replay"].as_str().expect("a command").to_owned();
    let options = "sweep --type i64 --codec article2015 --round-trip --exhaustive ";
    assert!(replay.starts_with(options), "{replay}");
    for file in [&list, &report] {
        let (replayed, code) = json(&["--replay", file]);
        assert_eq!((code, &replayed["wire"], &replayed["failures"]), (Some(1), &"any".into(), &"808".into()));
        let message = "--replay: the failures are of the wire format any; remove --wire";
        assert_refused(&["--replay", file, "--wire", "leb128"], 2, &[message]);
    }
    let other = path("other");
    for (wire, options, message) in [
        ("sleb128", &[][..], "--wire sleb128: the codec article2015 writes leb128"),
        ("mine", &[], "of the wire format mine; check them in the program that wrote the file"),
        ("leb128", &["--round-trip"], "of the wire format leb128; remove --round-trip"),
    ] {
        let content = fs::read_to_string(&list).unwrap();
        fs::write(&other, content.replace(r#""wire":"any""#, &format!(r#""wire":"{wire}""#))).unwrap();
        assert_refused(&[&["--replay", &other], options].concat(), 2, &[message]);
    }
    assert_eq!(json(&["--replay", &other]).0["wire"], "leb128");
}

/// The tests of the engine have codecs of this format. The child writes LEB128.
#[test]
#[cfg(unix)]
fn the_bytes_of_a_child_are_compared_with_the_wire_format() {
    let child = command("right", 0);
    let (report, code) = json(&["--exec", &child, "--wire", "prefix-varint", "--type", "u64", "0..=300"]);
    assert_eq!((code, &report["wire"]), (Some(1), &"prefix-varint".into()), "{report:#}");
    assert_eq!(report["first_failures"][0]["kind"], "wrong_bytes");
    let (_, code) = json(&["--exec", &child, "--round-trip", "--type", "u64", "0..=300"]);
    assert_eq!(code, Some(0));
}
