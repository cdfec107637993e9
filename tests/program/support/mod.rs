//! Functions that the tests of the program share.

pub(crate) mod faulty_decoder;
#[cfg(unix)]
pub(crate) mod limited_memory;
#[cfg(all(feature = "http", unix))]
pub(crate) mod served_sweep;
#[cfg(unix)]
pub(crate) mod signals;

use std::process::Command;

use serde_json::Value;

/// Returns a command that runs `sweep`.
pub(crate) fn program() -> Command {
    Command::new(env!("CARGO_BIN_EXE_sweep"))
}

/// Runs `sweep` and returns its JSON report and its exit code.
pub(crate) fn json(arguments: &[&str]) -> (Value, Option<i32>) {
    let output = program().args(["--json", "-"]).args(arguments).output().expect("the program starts");
    let report = serde_json::from_slice(&output.stdout);
    let report =
        report.unwrap_or_else(|error| panic!("{error}: {}", String::from_utf8_lossy(&output.stdout)));
    (report, output.status.code())
}

/// Returns the first word of each line in the section of `sweep --list` that starts with `title`.
pub(crate) fn listed(title: &str) -> Vec<String> {
    let output = program().arg("--list").output().expect("the program starts");
    let text = String::from_utf8(output.stdout).expect("text");
    let section = text.lines().skip_while(|line| !line.starts_with(title)).skip(1);
    let names = section.take_while(|line| !line.is_empty()).filter_map(|line| line.split_whitespace().next());
    names.map(str::to_owned).collect()
}
