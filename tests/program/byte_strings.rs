//! The options, reports and messages of `sweep bytes`.

use std::process::Output;

use serde_json::Value;
use zigzag_varint::Kernel;

use crate::support::program;
#[cfg(unix)]
use crate::support::signals;

fn sweep(arguments: &[&str]) -> Output {
    program().arg("bytes").args(arguments).output().expect("the program starts")
}

#[test]
fn the_report_is_printed_as_text_and_json() {
    let output = sweep(&[
        "--len",
        "1",
        "--type",
        "u8,i16",
        "--decoder",
        "single,bulk",
        "--kernel",
        "scalar",
        "--json",
        "-",
    ]);
    assert_eq!(output.status.code(), Some(0));
    let report: Value = serde_json::from_slice(&output.stdout).expect("JSON");
    assert_eq!(
        (&report["swept"], &report["len"], &report["complete"]),
        (&"bytes".into(), &1.into(), &true.into())
    );
    assert_eq!(report["types"][1]["type"], "i16");
    assert_eq!(report["types"][0]["lengths"][1]["truncated"], "128");
    assert_eq!(report["types"][0]["decoders"][1]["kernel"], "scalar");
    assert_eq!(report["disagreements"], "0");
    let text = String::from_utf8_lossy(&output.stderr);
    assert!(text.contains("OK: no disagreement about"), "{text}");
    assert!(text.starts_with("every byte string up to 1 byte, structured ones from 2 to 11\n"), "{text}");
    for heading in ["valid", "overlong", "truncated", "overflow", "stream", "mixed", "appended", "ns/string"]
    {
        let explanation = format!("\n  {heading} ");
        assert!(text.contains(&explanation), "{heading} in {text}");
    }
}

#[test]
fn repeated_names_are_checked_once() {
    let output = sweep(&[
        "--len",
        "0",
        "--type",
        "u8,u8",
        "--decoder",
        "bulk,bulk",
        "--kernel",
        "scalar,scalar",
        "--json",
        "-",
    ]);
    let report: Value = serde_json::from_slice(&output.stdout).expect("JSON");
    assert_eq!(report["types"].as_array().map(Vec::len), Some(1));
    assert_eq!(report["types"][0]["decoders"].as_array().map(Vec::len), Some(1));
}

#[test]
fn a_budget_chooses_the_length() {
    let output = sweep(&["--budget", "1ns", "--type", "u8", "--decoder", "const", "--json", "-"]);
    assert_eq!(output.status.code(), Some(0));
    let report: Value = serde_json::from_slice(&output.stdout).expect("JSON");
    assert_eq!((&report["len"], &report["budget_seconds"]), (&0.into(), &1e-9.into()));
    let text = String::from_utf8_lossy(&output.stderr);
    assert!(text.contains("\n(the length was chosen for --budget 1ns)\n"), "{text}");
}

fn number(value: &Value) -> u64 {
    value.as_str().and_then(|text| text.parse().ok()).expect("a number")
}

/// For `u32` and `u64`, a weekly check has longer strings.
#[test]
fn every_decoder_of_the_crate_is_correct_on_every_kernel() {
    let output = sweep(&["--len", "2", "--type", "u8,u16,i64", "--json", "-", "--quiet"]);
    let report: Value = serde_json::from_slice(&output.stdout).expect("JSON");
    assert_eq!((&report["disagreements"], &report["complete"]), (&"0".into(), &true.into()), "{report}");
    assert_eq!(output.status.code(), Some(0));
    let types = report["types"].as_array().expect("types");
    assert_eq!(types.len(), 3);
    for of_type in types {
        let lengths = of_type["lengths"].as_array().expect("lengths");
        for length in lengths {
            assert_eq!(length["checked"], length["planned"]);
            let outcomes = ["values", "truncated", "overflow"].map(|outcome| number(&length[outcome]));
            assert_eq!(outcomes.iter().sum::<u64>(), number(&length["checked"]));
        }
        let strings = lengths.iter().map(|length| number(&length["checked"])).sum::<u64>();
        assert_eq!(3 * strings, number(&report["strings"]));
        let decoders = of_type["decoders"].as_array().expect("decoders");
        let names = decoders.iter().map(|decoder| (decoder["decoder"].as_str(), decoder["kernel"].as_str()));
        let kernels = Kernel::available().map(|kernel| ("bulk", Some(kernel.name())));
        let others =
            ["free", "reader", "decoder", "pieces", "chunks", "io", "bulk-io"].map(|name| (name, None));
        let expected = [("single", None), ("const", None)].into_iter().chain(kernels).chain(others);
        assert!(names.eq(expected.map(|(name, kernel)| (Some(name), kernel))), "{decoders:?}");
        for decoder in decoders {
            let is_bulk =
                ["bulk", "free", "reader", "bulk-io"].iter().any(|name| decoder["decoder"] == *name);
            let counts = ["one_value", "stream", "all_values", "mixed_stream", "appended"]
                .map(|field| number(&decoder[field]));
            let bulk = if is_bulk { strings } else { 0 };
            assert_eq!(counts, [strings, strings, bulk, bulk, bulk], "{decoder}");
        }
    }
}

#[test]
fn invalid_arguments_are_refused_with_a_remedy() {
    let assert_refused = |arguments: &[&str], code, words: &[&str]| {
        let output = sweep(arguments);
        let message = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(code), "{arguments:?}: {message}");
        assert!(words.iter().all(|word| message.contains(word)), "{arguments:?}: {message}");
    };
    assert_refused(
        &["--len", "6", "--type", "u8", "--decoder", "const"],
        2,
        &["--len 6", "2.8e14", "years", "0 to 5"],
    );
    assert_refused(&["--len", "-1"], 2, &["-1"]);
    assert_refused(&["--len", "x"], 2, &["'x'", "expected a whole number"]);
    assert_refused(&["--max-failures", "x"], 2, &["'x'", "expected a whole number"]);
    assert_refused(&["--len", "2", "--budget", "1s"], 2, &["'--len <N>'", "'--budget <DURATION>'"]);
    assert_refused(&["--budget", "soon"], 2, &["'soon'", "expected a duration"]);
    assert_refused(&["--checkpoint-every", "1s"], 2, &["--checkpoint <FILE>"]);
    assert_refused(
        &["--checkpoint", "/no/such/folder/bytes.json"],
        3,
        &["/no/such/folder", "writable folder"],
    );
    assert_refused(&["--status", "/no/such/folder/status.json"], 3, &["/no/such/folder", "writable folder"]);
    assert_refused(&["--decoder", "x"], 2, &["'x'", "single", "reader"]);
    assert_refused(&["--decoder", "io", "--kernel", "scalar"], 2, &["add --decoder bulk or remove --kernel"]);
    assert_refused(&["--kernel", "x"], 2, &["'x'", "scalar"]);
    assert_refused(&["--type", "u128"], 2, &["u128", "u64"]);
    assert_refused(&["--json", "/no/such/folder/report.json"], 3, &["/no/such/folder"]);
}

#[cfg(unix)]
#[test]
fn ctrl_c_reports_the_strings_checked_so_far() {
    use std::io::{BufRead, BufReader, Read};
    use std::process::Stdio;

    let mut program = program()
        .args(["bytes", "--len", "5", "--type", "u64", "--decoder", "single", "--no-progress", "--json", "-"])
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .expect("the program starts");
    signals::wait_until_interrupts_are_handled(&program);
    std::thread::sleep(std::time::Duration::from_secs(1)); // so that some strings are checked, unless the machine is slow
    signals::send("-INT", &program);
    let mut text = String::new();
    let mut output = BufReader::new(program.stdout.take().expect("piped"));
    output.read_line(&mut text).expect("text");
    output.read_to_string(&mut text).expect("text");
    assert_eq!(program.wait().expect("the program exits").code(), Some(130));
    let report: Value = serde_json::from_str(&text).expect("JSON");
    assert_eq!((&report["ending"], &report["disagreements"]), (&"interrupted".into(), &"0".into()));
    let lengths = report["types"][0]["lengths"].as_array().expect("lengths");
    let checked: u64 = lengths.iter().map(|length| number(&length["checked"])).sum();
    assert_eq!(checked, number(&report["strings"]));
    assert!(lengths.iter().any(|length| number(&length["checked"]) < number(&length["planned"])));
}
