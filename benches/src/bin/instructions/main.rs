//! Counts instructions under valgrind and holds them against the committed baseline.

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

/// Counts instructions under valgrind; more than 3 % above the baseline fails with exit code 1
///
/// Where valgrind or its runner is not installed, or the compiler is not the baseline's, nothing is counted and a line
/// says why.
#[derive(Parser)]
#[command(version, about, max_term_width = 100)]
struct Arguments {
    /// Make the present counts the baseline
    #[arg(long)]
    bless: bool,

    /// The baseline [default: instructions/baseline.json in this package]
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

/// Whether the gate is passed, or nothing could be counted.
fn run(arguments: &Arguments) -> Result<bool, Failure> {
    let path = arguments.baseline.clone().unwrap_or_else(default_baseline);
    let rustc = rustc();
    let baseline = if arguments.bless { None } else { Some(read(&path)?) };
    if let Some(baseline) = &baseline
        && baseline.rustc != rustc
    {
        let then = &baseline.rustc;
        let skipped =
            format!("skipped: the counts are of {then}, and {rustc} makes other code; --bless counts anew\n");
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
        return print(&format!("{count} counts are the baseline now, in {}\n", path.display()))
            .map(|()| true);
    };
    let gate = Gate { baseline: &baseline.instructions, counts: &counts };
    print(&gate)?;
    if gate.is_passed() {
        print(&format!("\nNo count is more than {LIMIT} % above the baseline.\n"))?;
        return Ok(true);
    }
    let then = baseline.valgrind;
    print(&format!(
        "\nThis does not fit the baseline (limit +{LIMIT} %; counted by {valgrind}, then {then}). Where it is meant: --bless.\n"
    ))?;
    Ok(false)
}

/// Beside the benchmarks, wherever `cargo run` is called.
fn default_baseline() -> PathBuf {
    let package =
        std::env::var_os("CARGO_MANIFEST_DIR").map_or_else(|| PathBuf::from("benches"), PathBuf::from);
    package.join("instructions").join("baseline.json")
}

fn read(path: &Path) -> Result<Baseline, Failure> {
    let failed = |error: &dyn std::fmt::Display| {
        Failure::File(format!("cannot read the baseline {}: {error}; --bless makes one", path.display()))
    };
    let text = fs::read_to_string(path).map_err(|error| failed(&error))?;
    serde_json::from_str(&text).map_err(|error| failed(&error))
}

fn write(path: &Path, baseline: &Baseline) -> Result<(), Failure> {
    let file = OutputFile::create(path).map_err(|error| Failure::cannot_write(path, error))?;
    let text = serde_json::to_string_pretty(baseline).map_err(|error| Failure::cannot_write(path, error))?;
    file.finish((text + "\n").as_bytes()).map_err(|error| Failure::cannot_write(path, error))
}
