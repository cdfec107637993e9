//! Lists of failures with more ranges than fit in memory, whose temporary file cannot be used.

use std::fs;
#[cfg(target_os = "linux")]
use std::fs::File;
use std::path::Path;
#[cfg(target_os = "linux")]
use std::path::PathBuf;
#[cfg(target_os = "linux")]
use std::process::{Command, Stdio};

#[cfg(target_os = "linux")]
use crate::support::out;
use crate::support::{err, program};
#[cfg(target_os = "linux")]
use crate::waiting::wait_for;

/// Writes a list of failing values, none of which is beside another, and more than fit in memory.
fn long_list(path: &Path) {
    let line = |number: i64| {
        let value = number * 1000;
        format!(
            r#"{{"type":"i64","codec":"bulk","wire":"leb128","value":"{value}","kind":"wrong_value","expected":"","got":"","block":1}}"#
        ) + "\n"
    };
    fs::write(path, (0..70_000).map(line).collect::<String>()).unwrap();
}

#[test]
fn a_replay_without_space_for_its_ranges_names_the_folder() {
    let folder = tempfile::tempdir().unwrap();
    long_list(&folder.path().join("list"));
    let mut replay = program();
    replay.args(["--replay", "list", "--quiet"]).current_dir(&folder).env("TMPDIR", "/nonexistent");
    let output = replay.output().unwrap();
    let message = "error: --replay '/nonexistent': a temporary file cannot be used (";
    assert!(err(&output).starts_with(message), "{}", err(&output));
    assert!(err(&output).contains("; free some space there, or set TMPDIR to another folder"));
    assert_eq!(output.status.code(), Some(3));
}

/// The sweep waits for a reader of the list. Meanwhile its temporary file is cut.
#[cfg(target_os = "linux")]
#[test]
fn a_sweep_whose_ranges_cannot_be_read_any_more_is_no_success() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name);
    long_list(&path("list"));
    let made = Command::new("mkfifo").arg(path("pipe")).status();
    assert!(made.unwrap().success());
    let mut sweep = program();
    sweep.args(["--replay", "list", "--failures", "pipe", "--json", "json"]).current_dir(&folder);
    let sweep =
        sweep.stdout(Stdio::piped()).stderr(Stdio::piped()).env("TMPDIR", folder.path()).spawn().unwrap();
    let ranges = wait_for(|| {
        let files = fs::read_dir(format!("/proc/{}/fd", sweep.id())).ok()?.flatten();
        let is_whole = |file: &PathBuf| fs::metadata(file).is_ok_and(|found| found.len() == 70_000 * 24);
        files.map(|entry| entry.path()).find(is_whole)
    });
    // Pages that were read already are in memory.
    File::options().write(true).open(ranges).unwrap().set_len(40_000 * 24).unwrap();
    // Also a writer, so that it waits for none if the sweep has ended before.
    let _reader = File::options().read(true).write(true).open(path("pipe")).unwrap();
    let output = sweep.wait_with_output().unwrap();
    assert_eq!((output.status.code(), &*out(&output)), (Some(3), ""), "{}", err(&output));
    assert!(err(&output).contains("a temporary file cannot be used ("), "{}", err(&output));
    assert!(!path("json").exists());
}
