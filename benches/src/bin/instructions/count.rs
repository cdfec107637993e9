//! Runs the benchmarks under valgrind, if everything that takes is installed.

use std::ffi::OsString;
use std::path::Path;
use std::process::{Command, Stdio};

use serde::Deserialize;
use zigzag_varint::Kernel;
use zigzag_varint_benches::failure::Failure;
use zigzag_varint_benches::host::output;

use crate::gate::Counts;

/// The version of the runner, which must be that of the library.
pub(crate) const RUNNER: &str = "0.20.0";
/// The kernels to count. valgrind does not support AVX-512.
const KERNELS: [&str; 4] = ["scalar", "swar", "bmi2", "avx2"];

/// Returns valgrind's version, or what is missing and how to install it.
pub(crate) fn valgrind() -> Result<String, String> {
    for kernel in KERNELS {
        if Kernel::by_name(kernel).is_none() {
            return Err(format!("this CPU has no kernel '{kernel}'"));
        }
    }
    let valgrind = output("valgrind", &["--version"]).ok_or("valgrind is not installed")?;
    let runner = run_with_path("gungraun-runner", &["--version"]);
    if runner.as_deref().and_then(|text| text.split_whitespace().last()) != Some(RUNNER) {
        return Err(format!(
            "gungraun-runner {RUNNER} is not installed; run \
             `cargo install gungraun-runner --version {RUNNER} --locked --root target/gungraun`"
        ));
    }
    Ok(valgrind)
}

/// Returns `PATH` with `gungraun/bin` of the target folder in front, if that exists: the runner can
/// be installed there, apart from the user's own programs. This program is also in the target
/// folder.
fn path() -> OsString {
    let path = std::env::var_os("PATH").unwrap_or_default();
    let program = std::env::current_exe().unwrap_or_default();
    let bundled =
        program.ancestors().map(|folder| folder.join("gungraun").join("bin")).find(|bin| bin.is_dir());
    let all = bundled.into_iter().chain(std::env::split_paths(&path));
    std::env::join_paths(all).unwrap_or(path.clone())
}

fn run_with_path(program: &str, arguments: &[&str]) -> Option<String> {
    let found =
        std::env::split_paths(&path()).map(|folder| folder.join(program)).find(|file| file.is_file())?;
    output(found.to_str()?, arguments)
}

/// The used fields of gungraun's output for a benchmark.
#[derive(Deserialize)]
struct Line {
    function_name: String,
    id: Option<String>,
    profiles: Vec<Profile>,
}

#[derive(Deserialize)]
struct Profile {
    data: Data,
}

#[derive(Deserialize)]
struct Data {
    total: Total,
}

#[derive(Deserialize)]
struct Total {
    metrics: Metrics,
}

#[derive(Deserialize)]
struct Metrics {
    #[serde(rename = "Ir")]
    instructions: Metric,
}

#[derive(Deserialize)]
struct Metric {
    values: Values,
}

#[derive(Deserialize)]
struct Values {
    new: u64,
}

/// Counts every benchmark. This takes seconds once they are built.
pub(crate) fn count() -> Result<Counts, Failure> {
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let arguments = ["bench", "--quiet", "-p", "zigzag-varint-instructions", "--bench", "instructions", "--"];
    let failed = |reason: String| Failure::File(format!("cannot count instructions: {reason}"));
    let output = Command::new(&cargo)
        .args(arguments)
        .arg("--output-format=json")
        .env("PATH", path())
        .stderr(Stdio::inherit())
        .output()
        .map_err(|error| failed(format!("{}: {error}", Path::new(&cargo).display())))?;
    if !output.status.success() {
        return Err(failed(format!("`cargo {}` failed", arguments.join(" "))));
    }
    parse(&String::from_utf8_lossy(&output.stdout)).map_err(failed)
}

/// Parses gungraun's output. The names of the counts are `function/id`.
fn parse(text: &str) -> Result<Counts, String> {
    let mut counts = Counts::new();
    for line in text.lines().filter(|line| line.starts_with('{')) {
        let Line { function_name, id, profiles } =
            serde_json::from_str(line).map_err(|error| format!("unexpected output of gungraun: {error}"))?;
        let [profile] = &profiles[..] else {
            return Err(format!("no count of {function_name} in the output of gungraun"));
        };
        let name = format!("{function_name}/{}", id.unwrap_or_default());
        counts.insert(name, profile.data.total.metrics.instructions.values.new);
    }
    if counts.is_empty() { Err("no count in the output of gungraun".to_owned()) } else { Ok(counts) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_are_parsed_and_malformed_output_is_an_error() {
        let line = |name: &str, metrics: &str| {
            format!(
                r#"{{"function_name":"{name}","id":"avx2","more":1,"profiles":[{{"data":{{"total":{{"metrics":{metrics}}}}}}}]}}"#
            )
        };
        let good = line("decode", r#"{"Ir":{"values":{"new":17,"old":16}},"Dr":{}}"#);
        assert_eq!(parse(&format!("some words\n{good}\n")), Ok(Counts::from([("decode/avx2".into(), 17)])));
        assert!(parse("some words").is_err());
        assert!(parse(&line("decode", "{}")).is_err());
        assert!(parse(r#"{"function_name":"decode","profiles":[]}"#).is_err());
    }

    #[test]
    fn the_runner_has_the_version_of_the_library() {
        let lock = include_str!("../../../../Cargo.lock");
        assert!(lock.contains(&format!("name = \"gungraun\"\nversion = \"{RUNNER}\"\n")));
    }
}
