//! Results by commit, in a file that git ignores: a line of JSON for each run.

use std::fs::{self, File};
use std::io::{ErrorKind, Write};
use std::path::{Path, PathBuf};
use std::process::Command;

use serde::{Deserialize, Serialize};

use crate::failure::Failure;
use crate::results::Measurement;

/// What was measured at one time.
#[derive(Debug, PartialEq, Serialize, Deserialize)]
pub struct Run {
    /// The full name of the commit, with `-dirty` if files differ from it.
    pub code: String,
    /// The time of the commit, in seconds since 1970.
    pub committed: i64,
    /// The host and the compiler: only runs of one machine are compared.
    pub machine: String,
    /// The results.
    pub results: Vec<Measurement>,
}

impl Run {
    /// Returns a run of the code that is checked out on this machine, or `None` if git does not know
    /// the code.
    #[must_use]
    pub fn new(results: Vec<Measurement>) -> Option<Self> {
        let code = git(&["describe", "--always", "--dirty", "--abbrev=40", "--exclude=*"])?;
        let committed = git(&["log", "-1", "--no-show-signature", "--format=%ct"])?.parse().ok()?;
        Some(Self { code, committed, machine: machine(), results })
    }
}

/// Returns a short name of a code, such as `1c279a4` or `1c279a4-dirty`.
#[must_use]
pub fn label(code: &str) -> String {
    let (commit, changes) = code.split_at(code.find('-').unwrap_or(code.len()));
    format!("{}{changes}", commit.get(..7).unwrap_or(commit))
}

/// Returns the names of this host and of the compiler.
#[must_use]
pub fn machine() -> String {
    format!("{}; {}", gethostname::gethostname().to_string_lossy(), rustc())
}

/// Returns the output of git in this repository.
fn git(arguments: &[&str]) -> Option<String> {
    output("git", &[&["-C", env!("CARGO_MANIFEST_DIR")], arguments].concat())
}

/// Returns the full name of the commit of a revision such as `HEAD~2`.
#[must_use]
pub fn commit(revision: &str) -> Option<String> {
    git(&["rev-parse", "--quiet", "--verify", "--end-of-options", &format!("{revision}^{{commit}}")])
}

/// Returns the file of this repository.
#[must_use]
pub fn default_file() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("history.jsonl")
}

/// Adds a run to the file `path`, which is created if it does not exist.
///
/// # Errors
///
/// Returns a failure if the file cannot be written.
pub fn record(path: &Path, run: &Run) -> Result<(), Failure> {
    // In one piece, so that two programs can add runs at the same time.
    let line = serde_json::to_string(run).expect("text and numbers") + "\n";
    let file = File::options().create(true).append(true).open(path);
    file.and_then(|mut file| file.write_all(line.as_bytes())).map_err(|error| {
        failure(
            path,
            &format!("{error}; check the free space, and the permissions of the file and its folder"),
        )
    })
}

/// Reads the runs on `machine` whose benchmarks `filter` accepts by their full names, from the oldest
/// commit to the newest.
///
/// # Errors
///
/// Returns a failure if the file cannot be read, is not a history, or has no such run.
pub fn read(path: &Path, machine: &str, filter: impl Fn(&str) -> bool) -> Result<Vec<Run>, Failure> {
    let text = fs::read_to_string(path).map_err(|error| match error.kind() {
        ErrorKind::NotFound => failure(path, "no results are recorded; run `cargo bench` first"),
        _ => failure(path, &error.to_string()),
    })?;
    let mut runs = Vec::new();
    for (number, line) in (1..).zip(text.lines()) {
        let mut run: Run = serde_json::from_str(line)
            .map_err(|error| failure(path, &format!("line {number} is no run ({error}); remove it")))?;
        run.results.retain(|result| filter(&result.name()));
        if run.machine == machine && !run.results.is_empty() {
            runs.push(run);
        }
    }
    if runs.is_empty() {
        let problem = "no such results of this machine; run `cargo bench`, or use another filter";
        return Err(failure(path, problem));
    }
    runs.sort_by_key(|run| run.committed);
    Ok(runs)
}

fn failure(path: &Path, problem: &str) -> Failure {
    Failure::File(format!("{}: {problem}", path.display()))
}

/// Returns the version of the compiler that `cargo` uses here. It built the benchmarks, unless it
/// was changed since.
fn rustc() -> String {
    output("rustc", &["--version"]).unwrap_or_else(|| "unknown rustc".into())
}

/// Returns the output of a program, if it exists, succeeds and prints something.
fn output(program: &str, arguments: &[&str]) -> Option<String> {
    let output =
        Command::new(program).args(arguments).output().ok().filter(|output| output.status.success())?;
    let text = String::from_utf8(output.stdout).ok()?;
    Some(text.trim().to_owned()).filter(|text| !text.is_empty())
}
