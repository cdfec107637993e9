//! Functions that the tests of the program share.

pub(crate) mod faulty_decoder;
#[cfg(unix)]
pub(crate) mod limited_memory;
#[cfg(all(feature = "http", unix))]
pub(crate) mod served_sweep;
#[cfg(unix)]
pub(crate) mod signals;

use std::fs;
use std::path::Path;
use std::process::{Command, Output};
use std::sync::LazyLock;

use every_input::Report;
use jsonschema::Validator;
use serde_json::Value;

/// Returns a command that runs `sweep`.
pub(crate) fn program() -> Command {
    Command::new(env!("CARGO_BIN_EXE_sweep"))
}

pub(crate) fn sweep(arguments: &[&str]) -> Output {
    program().args(arguments).output().expect("the program starts")
}

pub(crate) fn out(output: &Output) -> String {
    String::from_utf8_lossy(&output.stdout).into_owned()
}

pub(crate) fn err(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

/// Checks that `sweep` ends with this exit code, prints only an error, and that its message contains
/// these words.
#[track_caller]
pub(crate) fn assert_refused(arguments: &[&str], expected_code: i32, words: &[&str]) {
    let output = sweep(arguments);
    let message = err(&output);
    assert_eq!(output.status.code(), Some(expected_code), "{arguments:?}: {message}");
    assert_eq!(out(&output), "", "{arguments:?}: nothing on standard output");
    assert!(message.starts_with("error: "), "{arguments:?}: {message}");
    for word in words {
        assert!(message.contains(word), "{arguments:?}: no {word:?} in {message}");
    }
}

pub(crate) fn json_file(path: &Path) -> Value {
    document(&fs::read(path).expect("a file"))
}

/// Returns a JSON document that the program wrote. Every document but a checkpoint must be of exactly
/// one kind of the schema.
#[track_caller]
pub(crate) fn document(json: &[u8]) -> Value {
    static SCHEMA: LazyLock<Validator> = LazyLock::new(|| {
        let schema = serde_json::from_str(Report::JSON_SCHEMA).expect("JSON");
        jsonschema::validator_for(&schema).expect("a schema")
    });
    let document: Value = serde_json::from_slice(json)
        .unwrap_or_else(|error| panic!("{error}: {}", String::from_utf8_lossy(json)));
    if document.get("content").is_none() {
        SCHEMA.validate(&document).unwrap_or_else(|error| panic!("{error} in {document:#}"));
    }
    document
}

/// Runs `sweep` and returns its JSON report and its exit code.
pub(crate) fn json(arguments: &[&str]) -> (Value, Option<i32>) {
    let output = program().args(["--json", "-"]).args(arguments).output().expect("the program starts");
    (document(&output.stdout), output.status.code())
}

/// Returns the first word of each line in the section of `sweep --list` that starts with `title`.
pub(crate) fn listed(title: &str) -> Vec<String> {
    let output = program().arg("--list").output().expect("the program starts");
    let text = String::from_utf8(output.stdout).expect("text");
    let section = text.lines().skip_while(|line| !line.starts_with(title)).skip(1);
    let names = section.take_while(|line| !line.is_empty()).filter_map(|line| line.split_whitespace().next());
    names.map(str::to_owned).collect()
}
