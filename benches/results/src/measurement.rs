//! Results of benchmarks: their names, and the times that criterion has written.

use std::fs::{self, File};
use std::io::BufReader;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use serde::Deserialize;

/// The contender that copies bytes: no other one can be faster.
pub const LIMIT: &str = "memcpy";

/// The contender that calls what programs call, with the default kernel.
pub const OURS: &str = "ours";

/// Returns whether a contender is an API of this crate: [`OURS`], or a kernel by its name or another API,
/// such as `ours-avx2`.
pub fn is_ours(contender: &str) -> bool {
    contender.strip_prefix(OURS).is_some_and(|rest| rest.is_empty() || rest.starts_with('-'))
}

/// The result of one benchmark, whose name is `operation/type/set/contender`.
#[derive(Clone, Debug, PartialEq)]
pub struct Measurement {
    /// The operation and the type, such as `decode/u64`. There is a table for each.
    pub table: String,
    /// The set of numbers, such as `mix`.
    pub set: String,
    /// The implementation that was measured.
    pub contender: String,
    /// Values per operation.
    pub values: u32,
    /// The number of samples; 0 until they are read.
    pub samples: u32,
    /// Nanoseconds per value: the minimum of the samples.
    pub nanoseconds: f64,
    /// Allocations per operation.
    pub allocations: u32,
    /// Bytes that are allocated per operation.
    pub allocated: u64,
}

/// The fields of criterion's `sample.json` that are used: sample i took `times[i]` nanoseconds for
/// `iters[i]` operations. The file with criterion's estimates has no minimum.
#[derive(Deserialize)]
struct Sample {
    iters: Vec<f64>,
    times: Vec<f64>,
}

/// Returns criterion's folder of a benchmark below `dir`.
#[must_use]
pub fn folder(dir: &Path, group: &str, contender: &str) -> PathBuf {
    dir.join(group.replace('/', "_")).join(contender)
}

/// Returns whether `file` was written at `since` or later.
#[must_use]
pub fn is_new(file: &Path, since: SystemTime) -> bool {
    fs::metadata(file).and_then(|file| file.modified()).is_ok_and(|written| written >= since)
}

/// Reads the times of benchmarks below criterion's folder `dir`. Those that were not written at `since`
/// or later are left out: nothing was measured.
///
/// # Errors
///
/// Names the file that cannot be read.
pub fn read(dir: &Path, since: SystemTime, benchmarks: &[Measurement]) -> Result<Vec<Measurement>, String> {
    let mut results = Vec::new();
    for benchmark in benchmarks {
        let group = format!("{}/{}", benchmark.table, benchmark.set);
        let path = folder(dir, &group, &benchmark.contender).join("new/sample.json");
        if !is_new(&path, since) {
            continue;
        }
        let read = File::open(&path)
            .and_then(|file| serde_json::from_reader(BufReader::new(file)).map_err(Into::into));
        let Sample { iters, times } = read.map_err(|error: std::io::Error| {
            format!("{}: {error}; remove criterion's folder and try again", path.display())
        })?;
        let minimum =
            times.iter().zip(&iters).map(|(time, iters)| time / iters).fold(f64::INFINITY, f64::min);
        let nanoseconds = minimum / f64::from(benchmark.values);
        results.push(Measurement { samples: times.len() as u32, nanoseconds, ..benchmark.clone() });
    }
    Ok(results)
}

/// Replaces the times of benchmarks that were measured again by the lesser ones.
pub fn keep_least(results: &mut [Measurement], again: &[Measurement]) {
    for result in results {
        let same = |one: &&Measurement| {
            (&one.table, &one.set, &one.contender) == (&result.table, &result.set, &result.contender)
        };
        let times = again.iter().filter(same).map(|one| one.nanoseconds);
        result.nanoseconds = times.fold(result.nanoseconds, f64::min);
    }
}
