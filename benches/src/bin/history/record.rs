//! `record`: adds criterion's latest results as a run of the code in this working tree.

use std::fmt;
use std::path::Path;
use std::time::{Duration, UNIX_EPOCH};

use rusqlite::{Connection, named_params};
use zigzag_varint_benches::failure::Failure;
use zigzag_varint_benches::host;
use zigzag_varint_benches::results::{Benchmark, read};
use zigzag_varint_benches::statistics::Summary;

use crate::database;
use crate::git::{self, Code};

/// What was recorded and what was left out.
pub(crate) struct Recorded {
    database: String,
    code: Code,
    /// The number of the new run and the number of its results.
    run: Option<(i64, usize)>,
    /// The number of results that were recorded before.
    known: usize,
    /// The number of results from before the commit.
    older: usize,
}

/// Adds the results of a baseline in criterion's folder `dir` to the history at `path`. Results
/// that are recorded already, or were measured before the commit was made, are left out.
pub(crate) fn record(path: &Path, dir: &Path, baseline: &str) -> Result<Recorded, Failure> {
    let code = git::here().ok_or_else(|| {
        Failure::File(
            "no commit to record for; run this in the git working tree that was benchmarked".to_owned(),
        )
    })?;
    let results = read(dir, baseline)
        .map_err(|error| Failure::File(format!("{}: {error}; run `cargo bench` first", dir.display())))?;
    for reason in results.skipped {
        eprintln!("history: skipped {reason}");
    }
    let all = results.benchmarks.len();
    if all == 0 {
        return Err(Failure::File(format!(
            "{}: no benchmark results of the baseline '{baseline}'; run `cargo bench` first",
            dir.display()
        )));
    }
    let made = UNIX_EPOCH + Duration::from_secs(code.committed.try_into().unwrap_or(0));
    let fresh: Vec<Benchmark> =
        results.benchmarks.into_iter().filter(|benchmark| benchmark.measured >= made).collect();
    let older = all - fresh.len();
    if fresh.is_empty() {
        return Err(Failure::File(format!(
            "{}: no result is newer than the commit {}; run `cargo bench` first",
            dir.display(),
            code.label()
        )));
    }
    let (run, known) = database::change(path, |database| add(database, &code, &fresh))?;
    Ok(Recorded { database: path.display().to_string(), code, run, known, older })
}

/// Returns the number of the new run, if there is one, and of its results; and the number of
/// results that were recorded before.
fn add(
    database: &Connection,
    code: &Code,
    benchmarks: &[Benchmark],
) -> rusqlite::Result<(Option<(i64, usize)>, usize)> {
    let (host, cpu, rustc) = (host::name(), host::cpu(), host::rustc());
    // Criterion's folder keeps results until they are overwritten. A known result has exactly the
    // same figures on the same machine.
    let mut find = database.prepare(
        "SELECT EXISTS (SELECT 1 FROM point JOIN run ON run.id = point.run
         WHERE benchmark = :benchmark AND contender = :contender AND samples = :samples AND minimum = :minimum
         AND mean = :mean AND deviation = :deviation AND host = :host)",
    )?;
    let mut new = Vec::new();
    for benchmark in benchmarks {
        let Some(summary) = Summary::of(&benchmark.samples) else { continue };
        let name = benchmark.group.to_string();
        let known: bool = find.query_row(
            named_params! {
                ":benchmark": name, ":contender": benchmark.contender, ":samples": summary.count as i64,
                ":minimum": benchmark.minimum(), ":mean": summary.mean, ":deviation": summary.deviation, ":host": host,
            },
            |row| row.get(0),
        )?;
        if !known {
            new.push((name, benchmark, summary));
        }
    }
    let known = benchmarks.len() - new.len();
    if new.is_empty() {
        return Ok((None, known));
    }

    let key = named_params! {
        ":commit": code.commit, ":changes": code.changes, ":host": host, ":cpu": cpu, ":rustc": rustc,
    };
    let number: i64 = database.query_row(
        "SELECT coalesce(max(number), 0) + 1 FROM run WHERE commit_id = :commit AND changes = :changes
         AND host = :host AND cpu = :cpu AND rustc = :rustc",
        key,
        |row| row.get(0),
    )?;
    database.execute(
        "INSERT INTO run (commit_id, changes, committed, subject, host, cpu, rustc, number)
         VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)",
        (&code.commit, &code.changes, code.committed, &code.subject, &host, &cpu, &rustc, number),
    )?;
    let run = database.last_insert_rowid();
    let mut insert = database.prepare(
        "INSERT INTO point (run, benchmark, contender, samples, minimum, mean, deviation)
         VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)",
    )?;
    for (name, benchmark, Summary { count, mean, deviation }) in &new {
        insert.execute((
            run,
            name,
            &benchmark.contender,
            *count as i64,
            benchmark.minimum(),
            mean,
            deviation,
        ))?;
    }
    Ok((Some((number, new.len())), known))
}

impl fmt::Display for Recorded {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { database, code, run, known, older } = self;
        let label = code.label();
        match run {
            Some((number, results)) => {
                writeln!(f, "recorded {} as run {number} of {label} in {database}", count(*results))?;
            }
            None => writeln!(f, "nothing new for {label}: {database} is unchanged")?,
        }
        if !code.changes.is_empty() {
            writeln!(f, "{label}: the working tree has uncommitted changes")?;
        }
        if *known > 0 {
            writeln!(
                f,
                "left out {} that {} recorded before",
                count(*known),
                if *known == 1 { "was" } else { "were" }
            )?;
        }
        if *older > 0 {
            writeln!(
                f,
                "left out {} that {} older than the commit",
                count(*older),
                if *older == 1 { "is" } else { "are" }
            )?;
        }
        Ok(())
    }
}

fn count(results: usize) -> String {
    format!("{results} result{}", if results == 1 { "" } else { "s" })
}
