//! The command of docs/ci.md fails the job and writes both files.

use std::fs;

use serde_json::{Value, json as value};

use crate::exec::child;
use crate::support::program;

const PAGE: &str = include_str!("../../docs/ci.md");

/// Returns the command lines of the page: for a shell, GitHub and GitLab.
fn commands() -> Vec<&'static str> {
    PAGE.lines().filter_map(|line| Some(line.split_once("sweep --exec ")?.1)).collect()
}

#[test]
fn the_command_fails_at_one_wrong_value_and_writes_both_files() {
    let commands = commands();
    assert_eq!(commands.len(), 3);
    assert!(commands.iter().all(|command| *command == commands[0]), "{commands:?}");

    let folder = tempfile::tempdir().expect("a folder");
    let words = shell_words::split(commands[0]).expect("words");
    let [codec, budget, duration, others @ ..] = &words[..] else { panic!("{words:?}") };
    assert_eq!((&**codec, &**budget, &**duration), ("python3 codec.py", "--budget", "5m"));
    let output = program()
        .current_dir(folder.path())
        .args(["--exec", &child::command("is-wrong", 300), "--budget", "1s"])
        .args(others)
        .output()
        .expect("the program starts");
    assert_eq!(output.status.code(), Some(1), "{}", String::from_utf8_lossy(&output.stderr));

    let read = |name: &str| fs::read_to_string(folder.path().join(name)).expect("a file");
    let report: Value = serde_json::from_str(&read("sweep.json")).expect("JSON");
    let printed =
        PAGE.split_once("jq .first_failures sweep.json\n").and_then(|(_, rest)| rest.split_once("\n```"));
    let printed: Value = serde_json::from_str(printed.expect("the output of jq").0).expect("JSON");
    assert_eq!(report["first_failures"], printed);
    assert_eq!(
        report["first_failures"],
        value!([{"value": "300", "kind": "wrong_value", "expected": "300", "got": "301", "block": 1}])
    );

    let junit = read("junit.xml");
    let name = format!("exec: {}", child::command("is-wrong", 300))
        .replace('&', "&amp;")
        .replace('"', "&quot;")
        .replace('>', "&gt;");
    let junit = junit.replace(&name, "exec: python3 codec.py");
    let xml = PAGE.split_once("```xml\n").and_then(|(_, rest)| rest.split_once("\n```")).expect("XML").0;
    for line in xml.lines().filter(|line| line.trim() != "..." && !line.contains(" time=")) {
        assert!(junit.lines().any(|other| other == line), "no line {line} in {junit}");
    }
}
