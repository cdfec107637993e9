//! How to get flamegraphs, printed at the end of `cargo bench` if there were none.

use std::io::{Write, stderr};
use std::path::Path;
use std::sync::Once;
use std::sync::atomic::{AtomicBool, Ordering};
use std::{env, fs, thread};

use regex_lite::Regex;

use crate::Capture;

/// Whether a profile was started in this process.
static PROFILED: AtomicBool = AtomicBool::new(false);

/// A part of a profiler. When it is dropped, the benchmarks of its group have run.
pub(super) struct Hint;

impl Hint {
    /// Prints nothing at the end.
    pub(super) fn withdraw(&self) {
        PROFILED.store(true, Ordering::Relaxed);
    }
}

impl Drop for Hint {
    fn drop(&mut self) {
        let arguments = env::args_os().skip(1).map(|word| word.to_string_lossy().into_owned());
        if Capture::IS_SUPPORTED && !thread::panicking() && is_plain_benchmark(arguments) {
            static ONCE: Once = Once::new();
            ONCE.call_once(|| _ = AT_END.try_with(|_| ()));
        }
    }
}

/// Each group of benchmarks has a profiler, so the end of the last one is the end of their thread.
struct AtEnd;

thread_local!(static AT_END: AtEnd = const { AtEnd });

impl Drop for AtEnd {
    fn drop(&mut self) {
        if PROFILED.load(Ordering::Relaxed) {
            return;
        }
        if let Some(command) = command() {
            // A panic here would abort the process.
            _ = writeln!(stderr(), "For a flamegraph of each benchmark: {command}");
        }
    }
}

/// Returns whether criterion measures with these arguments, and prints more than results. Cargo adds
/// `--bench`, without which criterion only tests the benchmarks.
fn is_plain_benchmark(arguments: impl Iterator<Item = String>) -> bool {
    let mut measures = false;
    for argument in arguments {
        match argument.split('=').next() {
            Some("--bench") => measures = true,
            Some("--test" | "--list" | "--profile-time" | "--quiet" | "--output-format") => return false,
            _ => (),
        }
    }
    measures
}

/// Returns the command that profiles the benchmarks of this program.
fn command() -> Option<String> {
    let program = env::current_exe().ok()?;
    let program = program.file_stem()?.to_str()?;
    let folder = env::var_os("CARGO_MANIFEST_DIR").unwrap_or_default();
    let manifest = fs::read_to_string(Path::new(&folder).join("Cargo.toml")).unwrap_or_default();
    let package = env::var("CARGO_PKG_NAME").map_or(String::new(), |name| format!(" -p {name}"));
    Some(format!("cargo bench{package} --bench {} -- --profile-time 5", target(program, &manifest)))
}

/// Returns the name of the benchmark from that of its program, to which cargo adds a hash and in
/// which it replaces hyphens.
fn target(program: &str, manifest: &str) -> String {
    let is_hash = |text: &str| text.len() == 16 && text.bytes().all(|byte| byte.is_ascii_hexdigit());
    let program = match program.rsplit_once('-') {
        Some((name, hash)) if is_hash(hash) => name,
        _ => program,
    };
    let name = Regex::new(r#"(?m)^\s*name\s*=\s*["']([^"']*)"#).expect("a valid pattern");
    let benches = manifest.split("[[bench]]").skip(1);
    let mut names = benches.filter_map(|bench| Some(name.captures(bench)?.get(1)?.as_str()));
    names.find(|name| name.replace('-', "_") == program).unwrap_or(program).to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_plain_benchmarks_end_with_the_hint() {
        let is_plain = |line: &str| is_plain_benchmark(line.split_whitespace().map(String::from));
        for line in ["--bench", "sum --bench", "--save-baseline test --verbose --bench"] {
            assert!(is_plain(line), "{line}");
        }
        let others = [
            "",
            "sum",
            "--list --format terse",
            "--list --bench",
            "--test --bench",
            "--profile-time 5 --bench",
            "--profile-time=5 --bench",
            "--quiet --bench",
            "--output-format bencher --bench",
        ];
        for line in others {
            assert!(!is_plain(line), "{line}");
        }
    }

    #[test]
    fn the_command_names_the_benchmark_as_the_manifest_does() {
        let manifest = "
            [package]
            name = \"my-package\"
            [[bench]]
            harness = false
            name = 'my_big-bench'
            [[bench]]
            name = \"sum\"
        ";
        for (program, name) in [
            ("sum-0123456789abcdef", "sum"),
            ("my_big_bench-0123456789abcdef", "my_big-bench"),
            ("my_package-0123456789abcdef", "my_package"),
            ("sum", "sum"),
            ("other-name", "other-name"),
        ] {
            assert_eq!(target(program, manifest), name);
        }
    }
}
