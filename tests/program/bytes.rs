//! `sweep bytes` as a user meets it.

use std::process::Output;

use serde_json::Value;

use crate::support::program;
#[cfg(unix)]
use crate::support::signals;

fn sweep(arguments: &[&str]) -> Output {
    program().arg("bytes").args(arguments).output().expect("the program starts")
}

#[test]
fn the_program_reports_in_text_and_json() {
    let output = sweep(&[
        "--len",
        "1",
        "--type",
        "u8,i16",
        "--door",
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
    assert_eq!(report["types"][0]["doors"][1]["kernel"], "scalar");
    assert_eq!(report["disagreements"], "0");
    let text = String::from_utf8_lossy(&output.stderr);
    assert!(text.contains("OK: no disagreement about"), "{text}");
}

#[test]
fn the_program_refuses_what_makes_no_sense() {
    let refused = |arguments: &[&str], code, words: &[&str]| {
        let output = sweep(arguments);
        let message = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(code), "{arguments:?}: {message}");
        assert!(words.iter().all(|word| message.contains(word)), "{arguments:?}: {message}");
    };
    refused(&["--len", "6", "--type", "u8", "--door", "const"], 2, &["--len 6", "2.8e14", "years", "0 to 5"]);
    refused(&["--len", "-1"], 2, &["-1"]);
    refused(&["--door", "x"], 2, &["'x'", "single", "reader"]);
    refused(&["--door", "io", "--kernel", "scalar"], 2, &["leave --kernel out"]);
    refused(&["--kernel", "x"], 2, &["'x'", "scalar"]);
    refused(&["--type", "u128"], 2, &["u128", "u64"]);
    refused(&["--json", "/no/such/folder/report.json"], 3, &["/no/such/folder"]);
}

#[cfg(unix)]
#[test]
fn ctrl_c_ends_with_an_honest_report() {
    use std::io::{BufRead, BufReader, Read};
    use std::process::Stdio;

    let mut program = program()
        .args(["bytes", "--len", "5", "--type", "u64", "--door", "single", "--no-progress", "--json", "-"])
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .expect("the program starts");
    signals::wait_until_interrupts_are_handled(&program);
    std::thread::sleep(std::time::Duration::from_secs(1)); // into the work, if it can be
    signals::send("-INT", &program);
    let mut text = String::new();
    let mut output = BufReader::new(program.stdout.take().expect("piped"));
    output.read_line(&mut text).expect("text");
    output.read_to_string(&mut text).expect("text");
    assert_eq!(program.wait().expect("an end").code(), Some(130));
    let report: Value = serde_json::from_str(&text).expect("JSON");
    assert_eq!((&report["ending"], &report["disagreements"]), (&"interrupted".into(), &"0".into()));
    let lengths = report["types"][0]["lengths"].as_array().expect("lengths");
    let number = |value: &Value| value.as_str().and_then(|text| text.parse::<u64>().ok()).expect("a number");
    let checked: u64 = lengths.iter().map(|length| number(&length["checked"])).sum();
    assert_eq!(checked, number(&report["strings"]));
    assert!(lengths.iter().any(|length| number(&length["checked"]) < number(&length["planned"])));
}
