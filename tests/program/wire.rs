//! `sweep --wire` and `--round-trip`: how the bytes of a codec are checked, and that only sweeps
//! with the same check are continued, merged and replayed.

use std::fs;
use std::path::Path;

#[cfg(unix)]
use serde_json::Value;

use crate::support::{assert_refused, json, json_file, out, program, sweep};

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
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    let (list, report, status) = (path("failures.jsonl"), path("report.json"), path("status.json"));
    let article = ["--codec", "article2015", "--round-trip", "--quiet", FAILING];
    let outputs = ["--failures", &list, "--json", &report, "--status", &status];
    assert_eq!(program().args(article).args(outputs).status().unwrap().code(), Some(1));
    let replay = json_file(Path::new(&status))["replay"].as_str().expect("a command").to_owned();
    assert!(
        replay.starts_with("sweep --type i64 --codec article2015 --round-trip --exhaustive "),
        "{replay}"
    );
    for file in [&list, &report] {
        let (replayed, code) = json(&["--replay", file]);
        assert_eq!((code, &replayed["wire"], &replayed["failures"]), (Some(1), &"any".into(), &"808".into()));
        let message = "--replay: the failures are of the wire format any; remove --wire";
        assert_refused(&["--replay", file, "--wire", "leb128"], 2, &[message]);
    }
    let of_wire = |wire: &str| {
        let content = fs::read_to_string(&list).unwrap();
        fs::write(path("other"), content.replace("\"wire\":\"any\"", &format!("\"wire\":\"{wire}\"")))
            .unwrap();
    };
    of_wire("leb128");
    assert_eq!(json(&["--replay", &path("other")]).0["wire"], "leb128");
    let message = "--replay: the failures are of the wire format leb128; remove --round-trip";
    assert_refused(&["--replay", &path("other"), "--round-trip"], 2, &[message]);
    of_wire("sleb128");
    assert_refused(
        &["--replay", &path("other")],
        2,
        &["--wire sleb128: the codec article2015 writes leb128"],
    );
    of_wire("mine");
    let message = "the failures are of the wire format mine; check them in the program that wrote the file";
    assert_refused(&["--replay", &path("other")], 2, &[message]);
}

#[test]
fn checkpoints_and_shards_of_another_check_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    let checkpoint = path("checkpoint");
    let arguments = ["--checkpoint", &checkpoint, "0..=5000"];
    assert_eq!(sweep(&arguments).status.code(), Some(0));
    let words = ["its wire format is leb128, not any", "rerun with the original arguments"];
    assert_refused(&[&arguments[..], &["--round-trip"]].concat(), 3, &words);
    let files = [path("1"), path("2")];
    for (file, shard) in files.iter().zip([&["1/2"][..], &["2/2", "--round-trip"]]) {
        let arguments = [&["--exhaustive", "0..=5000", "--quiet", "--json", file, "--shard"], shard].concat();
        assert_eq!(sweep(&arguments).status.code(), Some(0));
    }
    let output = sweep(&["merge", &files[0], &files[1]]);
    let message = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(3), "{message}");
    assert!(message.contains("its wire format is any, not leb128"), "{message}");
}

/// A codec of `u64` in `PrefixVarint`, for the loop of the example.
#[cfg(unix)]
const PREFIX_VARINT: &str = r#"
import sys

def encode(string):
    n = int.from_bytes(string, "little")
    size = max(1, (n.bit_length() + 6) // 7)
    if size > 8:
        return b"\0" + n.to_bytes(8, "little")
    return ((2 * n + 1) << (size - 1)).to_bytes(size, "little")

def decode(string):
    size = 1
    while size < 9 and string[0] % 2**size == 0:
        size += 1
    n = int.from_bytes(string[1:9], "little") if size == 9 else int.from_bytes(string[:size], "little") >> size
    return bytes([size]) + (n).to_bytes(8, "little")

TASKS = {b"enc u64 ": encode, b"dec u64 ": decode}
"#;

#[test]
#[cfg(unix)]
fn a_prefix_varint_codec_in_python_with_a_fault_at_one_length_is_caught() {
    if !std::process::Command::new("python3").arg("--version").output().is_ok_and(|run| run.status.success())
    {
        println!("skipped: python3 is not installed");
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let (_, example) = every_input::PROTOCOL.iter().find(|(name, _)| *name == "child.py").unwrap();
    let (_, serve) = example.split_once("\nwhile head").expect("the loop of the example");
    let check = |decoded: &str, options: &[&str]| {
        let path = folder.path().join("prefix.py");
        let codec = PREFIX_VARINT.replace("(n)", &format!("({decoded})"));
        fs::write(&path, codec + "while head" + serve).unwrap();
        let command = format!("python3 '{}'", path.display());
        let mut arguments =
            vec!["--type", "u64", "--exec", &command, "--threads", "1", "--max-failures", "0"];
        arguments.extend(options);
        // Around the greatest values of some lengths.
        let around = |bits: u32| format!("{}..={}", (1u64 << bits).saturating_sub(200), (1u64 << bits) + 200);
        let ranges = [0, 7, 14, 42, 49, 56, 63].map(around);
        arguments.extend(ranges.iter().map(String::as_str).chain(["18446744073709551000.."]));
        let (report, code) = json(&arguments);
        let failures = report["first_failures"].as_array().expect("a list").iter();
        let texts =
            |one: &Value| ["kind", "value", "last"].map(|key| one[key].as_str().unwrap_or("").to_owned());
        (code, failures.map(texts).collect::<Vec<_>>())
    };
    assert_eq!(check("n", &["--wire", "prefix-varint"]), (Some(0), vec![]));
    assert_eq!(check("n", &["--round-trip"]), (Some(0), vec![]));
    let (code, failures) = check("n", &[]);
    assert_eq!((code, &failures[0][0]), (Some(1), &"wrong_bytes".to_owned()));
    let fault = "n & ~2**41 if size == 6 else n";
    let range = ["wrong_value", "4398046510904", "4398046511103"].map(str::to_owned);
    let status = folder.path().join("status.json");
    let options = ["--wire", "prefix-varint", "--status", status.to_str().unwrap()];
    for options in [&options[..], &["--round-trip"]] {
        assert_eq!(check(fault, options), (Some(1), vec![range.clone()]));
    }
    let replay = json_file(&status)["replay"].as_str().expect("a command").to_owned();
    assert!(replay.contains(" --wire prefix-varint --exhaustive 4398046510904..="), "{replay}");
}
