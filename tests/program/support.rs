//! Functions that the tests of the program share.

use std::fs;
use std::path::Path;
use std::process::{Command, Output};
use std::sync::LazyLock;

use every_input::Report;
use every_input::byte_strings::{ByteDecoder, Outcome};
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

/// The options that name a file to write.
pub(crate) const OUTPUTS: [&str; 5] = ["--json", "--junit", "--failures", "--status", "--checkpoint"];

/// Returns the paths of files in a temporary folder, which exists as long as this function.
pub(crate) fn in_folder() -> impl Fn(&str) -> String {
    let folder = tempfile::tempdir().expect("a folder");
    move |name| folder.path().join(name).to_str().expect("UTF-8").to_owned()
}

pub(crate) fn json_file(path: impl AsRef<Path>) -> Value {
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
    let text = out(&sweep(&["--list"]));
    let section = text.lines().skip_while(|line| !line.starts_with(title)).skip(1);
    let names = section.take_while(|line| !line.is_empty()).filter_map(|line| line.split_whitespace().next());
    names.map(str::to_owned).collect()
}

#[cfg(unix)]
/// Returns a command that runs `sweep` in half a GiB of address space. Only Linux enforces the
/// limit. The names of tests that use it contain `take_bounded_memory`, which `checks/asan.sh` leaves
/// out.
pub(crate) fn program_in_limited_memory() -> Command {
    let limit = if cfg!(target_os = "linux") { "ulimit -v 524288; " } else { "" };
    let mut command = Command::new("sh");
    command.args(["-c", &format!("{limit}exec \"$0\" \"$@\""), env!("CARGO_BIN_EXE_sweep")]);
    command
}

/// A decoder that returns the same value for every string, for reports with disagreements.
pub(crate) struct Faulty;

impl ByteDecoder<u8> for Faulty {
    fn name(&self) -> &str {
        "faulty"
    }

    fn decode_first(&self, _src: &[u8], _canonical: bool) -> Outcome<u8> {
        Ok((1, 1))
    }
}

/// Sending signals to the program.
#[cfg(unix)]
pub(crate) mod signals {
    use std::process::{Child, Command};

    use crate::waiting::wait_for;

    /// Waits until the program handles interrupts, which would kill it before.
    pub(crate) fn wait_until_interrupts_are_handled(program: &Child) {
        if !cfg!(target_os = "linux") {
            // Other systems do not show the handlers of a process.
            return std::thread::sleep(std::time::Duration::from_secs(2));
        }
        let is_handled =
            || set(&program.id().to_string(), "SigCgt:").map(|handled| handled >> SIGTERM & 1 == 1);
        wait_for(|| is_handled().expect("the program runs").then_some(()));
    }

    const SIGINT: u32 = 1;
    const SIGTERM: u32 = 14;

    /// Returns a set of signals of a process: handled ones are `SigCgt:`, and ignored ones `SigIgn:`. The
    /// lowest bit is signal 1. See proc(5).
    fn set(process: &str, name: &str) -> Option<u64> {
        let status = std::fs::read_to_string(format!("/proc/{process}/status")).ok()?;
        let set = status.lines().find_map(|line| line.strip_prefix(name))?;
        Some(u64::from_str_radix(set.trim(), 16).expect("hexadecimal"))
    }

    /// Sends a signal, such as `-INT`, to the program.
    pub(crate) fn send(signal: &str, program: &Child) {
        send_to(signal, program.id().to_string());
    }

    /// Sends a signal to the process group of the program, as a terminal does.
    pub(crate) fn send_to_group(signal: &str, program: &Child) {
        send_to(signal, format!("-{}", program.id()));
    }

    fn send_to(mut signal: &str, target: String) {
        // A shell starts jobs in the background with SIGINT ignored, and these tests may be one.
        if signal == "-INT" && set("self", "SigIgn:").is_some_and(|ignored| ignored >> SIGINT & 1 == 1) {
            signal = "-TERM";
        }
        let sent = Command::new("kill").args([signal, "--", &target]).status().expect("kill");
        assert!(sent.success(), "cannot send {signal} to {target}");
    }
}
