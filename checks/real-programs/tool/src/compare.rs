//! Runs two programs in turn, and prints the least times of each case and their ratio.

use std::path::Path;
use std::process::Command;

/// The number of times that each program runs.
const ROUNDS: usize = 5;

/// The least time of a case, and the checksum of its results.
struct Case {
    name: String,
    nanoseconds: f64,
    checksum: String,
}

pub(crate) fn run(before: &Path, after: &Path) -> Result<(), String> {
    let (mut old, mut new) = (cases(before)?, cases(after)?);
    for _ in 1..ROUNDS {
        merge(&mut old, cases(before)?)?;
        merge(&mut new, cases(after)?)?;
    }
    println!("| case | before, ns | after, ns | ratio |\n|---|--:|--:|--:|");
    let mut below = 0;
    for (old, new) in old.iter().zip(&new) {
        if (&old.name, &old.checksum) != (&new.name, &new.checksum) {
            return Err(format!("{}: the results differ from those of {}", new.name, old.name));
        }
        let ratio = old.nanoseconds / new.nanoseconds;
        below += usize::from(ratio < LOSS);
        println!("| {} | {:.2} | {:.2} | {ratio:.2} |", old.name, old.nanoseconds, new.nanoseconds);
    }
    println!(
        "\n{} cases, {below} below {LOSS}. Nanoseconds per value, the least of {ROUNDS} runs in turn.",
        old.len()
    );
    Ok(())
}

/// Ratios below this are losses: others may be noise.
const LOSS: f64 = 0.95;

/// Runs a program, which prints a name, a time and a checksum for each case, with tabs between.
fn cases(program: &Path) -> Result<Vec<Case>, String> {
    let failed = |error: String| format!("{}: {error}", program.display());
    let output = Command::new(program).output().map_err(|error| failed(error.to_string()))?;
    if !output.status.success() {
        return Err(failed(format!("{}: {}", output.status, String::from_utf8_lossy(&output.stderr))));
    }
    let text = String::from_utf8(output.stdout).map_err(|error| failed(error.to_string()))?;
    let case = |line: &str| {
        let mut fields = line.split('\t').map(str::to_owned);
        let mut next = || fields.next().ok_or_else(|| failed(format!("unexpected output '{line}'")));
        let (name, time, checksum) = (next()?, next()?, next()?);
        let nanoseconds = time.parse().map_err(|error| failed(format!("time '{time}': {error}")))?;
        Ok(Case { name, nanoseconds, checksum })
    };
    text.lines().map(case).collect()
}

/// Keeps the least times.
fn merge(least: &mut [Case], other: Vec<Case>) -> Result<(), String> {
    if least.len() != other.len() {
        return Err("the number of cases differs between two runs".into());
    }
    for (least, other) in least.iter_mut().zip(other) {
        if (&least.name, &least.checksum) != (&other.name, &other.checksum) {
            return Err(format!("{}: the results differ between two runs", other.name));
        }
        least.nanoseconds = least.nanoseconds.min(other.nanoseconds);
    }
    Ok(())
}
