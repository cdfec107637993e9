//! `checks/run` says what it does not run and what it does not record.

use std::path::Path;
use std::process::{Command, Output};

use zigzag_varint_docs::root;

/// Runs `checks/run` in a folder, without the programs that cargo installs.
fn run(folder: &Path, arguments: &[&str]) -> Output {
    // By `bash`, because a script that was just written may not be executable yet: a process that
    // another test starts holds it open for writing until it runs its program.
    let mut command = Command::new("bash");
    command.arg(folder.join("checks/run")).args(arguments).current_dir(folder).env("PATH", "/usr/bin:/bin");
    command.output().expect("bash is installed")
}

#[test]
fn an_unknown_name_is_an_error_that_lists_the_names() {
    let output = run(root(), &["exhaustive", "nothing"]);
    let message = String::from_utf8_lossy(&output.stderr);
    let words = "no check named 'nothing'; available: gate weekly hand all format ";
    assert!(message.starts_with(words), "{message}");
    assert_eq!((output.status.code(), &*output.stdout), (Some(2), &[][..]));
}

#[test]
fn a_check_without_its_tool_is_not_run_and_changed_sources_are_not_recorded() {
    let folder = tempfile::tempdir().expect("a new folder");
    std::fs::create_dir(folder.path().join("checks")).expect("a new folder");
    std::fs::copy(root().join("checks/run"), folder.path().join("checks/run")).expect("a copy");
    let git = Command::new("git").arg("init").current_dir(folder.path()).output();
    assert!(git.is_ok_and(|output| output.status.success()), "git is installed");
    let output = run(folder.path(), &["mutants-codec"]);
    let text = String::from_utf8_lossy(&output.stdout);
    let is_refused = |reason| text.contains(&format!("nothing is recorded: {reason}"));
    assert!(is_refused("the sources differ from the commit:\n?? checks/\n") || is_refused("no jq"), "{text}");
    let row = "mutants-codec        not run: no cargo-mutants; run cargo install cargo-mutants --locked\n";
    assert!(text.contains(row), "{text}");
    assert_eq!(output.status.code(), Some(1), "{text}");
    assert!(!folder.path().join("checks/results.json").exists());
}
