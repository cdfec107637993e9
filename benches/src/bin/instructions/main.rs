//! Counts instructions under valgrind and compares them with the committed baseline.

mod count;
mod gate;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::Parser;
use varint_sweep::OutputFile;
use zigzag_varint_benches::failure::{Failure, exit_code, print};
use zigzag_varint_benches::host::rustc;

use gate::{Baseline, Gate, LIMIT};

/// Counts instructions under valgrind, and fails if a count is more than 3 % above the baseline
///
/// The exit code is then 1. Nothing is counted if valgrind or its runner is not installed, or the
/// compiler is not that of the baseline. A line then names the reason.
#[derive(Parser)]
#[command(version, about, max_term_width = 100)]
struct Arguments {
    /// Save the new counts as the baseline
    #[arg(long)]
    bless: bool,

    /// Baseline file [default: instructions/baseline.json in this package]
    #[arg(long, value_name = "FILE")]
    baseline: Option<PathBuf>,
}

fn main() -> ExitCode {
    match run(&Arguments::parse()) {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(failure) => exit_code("instructions", Err(failure)),
    }
}

/// Returns whether the gate is passed or skipped.
fn run(arguments: &Arguments) -> Result<bool, Failure> {
    let path = arguments.baseline.clone().unwrap_or_else(default_baseline);
    let rustc = rustc();
    let baseline = if arguments.bless { None } else { Some(read(&path)?) };
    if let Some(baseline) = &baseline
        && baseline.rustc != rustc
    {
        let skipped = format!(
            "skipped: the baseline is for {} (this is {rustc}); use --bless to make a new baseline\n",
            baseline.rustc
        );
        return print(&skipped).map(|()| true);
    }
    let valgrind = match count::valgrind() {
        Ok(valgrind) => valgrind,
        Err(missing) if arguments.bless => {
            return Err(Failure::File(format!("cannot count instructions: {missing}")));
        }
        Err(missing) => return print(&format!("skipped: {missing}\n")).map(|()| true),
    };

    let counts = count::count()?;
    let Some(baseline) = baseline else {
        let count = counts.len();
        write(&path, &Baseline { rustc, valgrind, instructions: counts })?;
        return print(&format!("saved {count} counts as the baseline in {}\n", path.display()))
            .map(|()| true);
    };
    let gate = Gate { baseline: &baseline.instructions, counts: &counts };
    print(&gate)?;
    if gate.is_passed() {
        print(&format!("\nPassed: no count is more than {LIMIT} % above the baseline.\n"))?;
        return Ok(true);
    }
    print(&format!(
        "\nFailed: the counts do not match the baseline (limit +{LIMIT} %; counted by {valgrind}, the baseline by \
         {}). Use --bless to accept them.\n",
        baseline.valgrind
    ))?;
    Ok(false)
}

/// Returns the default file, which is in the package of the benchmarks.
fn default_baseline() -> PathBuf {
    let package =
        std::env::var_os("CARGO_MANIFEST_DIR").map_or_else(|| PathBuf::from("benches"), PathBuf::from);
    package.join("instructions").join("baseline.json")
}

fn read(path: &Path) -> Result<Baseline, Failure> {
    let failed = |error: &dyn std::fmt::Display| {
        Failure::File(format!(
            "cannot read the baseline {}: {error}; use --bless to make one",
            path.display()
        ))
    };
    let text = fs::read_to_string(path).map_err(|error| failed(&error))?;
    serde_json::from_str(&text).map_err(|error| failed(&error))
}

fn write(path: &Path, baseline: &Baseline) -> Result<(), Failure> {
    let file = OutputFile::create(path).map_err(|error| Failure::cannot_write(path, error))?;
    let text = serde_json::to_string_pretty(baseline).map_err(|error| Failure::cannot_write(path, error))?;
    file.finish((text + "\n").as_bytes()).map_err(|error| Failure::cannot_write(path, error))
}
