//! Results of benchmarks: their names, and the times that criterion has written.

use std::cmp::Ordering;
use std::fmt;
use std::fs::{self, File};
use std::io::{self, BufReader};
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use serde::{Deserialize, Serialize};

use crate::failure::Failure;

/// The operations that come first, in this order. Others follow by name.
const OPERATIONS: [&str; 2] = ["encode", "decode"];
const TYPES: [&str; 6] = ["u64", "u64-L1", "u32", "u32-L1", "i64-zigzag", "i64-zigzag-L1"];
const SETS: [&str; 9] = ["1B", "2B", "mix", "skew", "tile", "log", "rand", "1e8", "MIN"];

/// The contender that copies bytes: no other one can be faster.
pub const LIMIT: &str = "memcpy";

/// A group of benchmarks that do the same work.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Group {
    /// The operation, such as `decode`.
    pub operation: String,
    /// The type, such as `u64`, with `-L1` if the stream fits the L1 cache.
    pub kind: String,
    /// The set of numbers, such as `mix`.
    pub set: String,
}

impl Group {
    /// Parses `operation/type/set`. Returns `None` for other names, which are not of this suite.
    pub fn parse(name: &str) -> Option<Self> {
        let mut parts = name.split('/').map(str::to_owned);
        let group = Self { operation: parts.next()?, kind: parts.next()?, set: parts.next()? };
        parts.next().is_none().then_some(group)
    }

    fn rank(&self) -> [Rank<'_>; 3] {
        [rank(&OPERATIONS, &self.operation), rank(&TYPES, &self.kind), rank(&SETS, &self.set)]
    }
}

impl fmt::Display for Group {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}/{}", self.operation, self.kind, self.set)
    }
}

impl Ord for Group {
    fn cmp(&self, other: &Self) -> Ordering {
        self.rank().cmp(&other.rank())
    }
}

impl PartialOrd for Group {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

/// Compares by the position in a list, then as a number, then as text.
type Rank<'a> = (usize, u64, &'a str);

fn rank<'a>(order: &[&str], name: &'a str) -> Rank<'a> {
    let place = order.iter().position(|known| *known == name).unwrap_or(order.len());
    (place, name.parse().unwrap_or(u64::MAX), name)
}

/// Returns whether a contender is an API of this crate.
pub fn is_ours(contender: &str) -> bool {
    contender.starts_with("ours-")
}

/// The result of one benchmark.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Measurement {
    /// The work that was measured.
    pub group: Group,
    /// The contender that did it.
    pub contender: String,
    /// Values per operation.
    pub values: u32,
    /// The number of samples; 0 until they are read.
    pub samples: u32,
    /// Nanoseconds per value: the minimum of the samples.
    pub nanoseconds: f64,
    /// Allocations per operation.
    pub allocations: u32,
}

impl Measurement {
    /// Returns the full name, such as `decode/u64/mix/plain`.
    #[must_use]
    pub fn name(&self) -> String {
        format!("{}/{}", self.group, self.contender)
    }
}

/// Returns criterion's folder: `$CRITERION_HOME`, or `criterion` in `$CARGO_TARGET_DIR` or else in
/// the target folder of this program.
#[must_use]
pub fn default_dir() -> PathBuf {
    if let Some(home) = std::env::var_os("CRITERION_HOME") {
        return home.into();
    }
    if let Some(target) = std::env::var_os("CARGO_TARGET_DIR") {
        return Path::new(&target).join("criterion");
    }
    let program = std::env::current_exe().unwrap_or_default();
    let beside = program.ancestors().map(|dir| dir.join("criterion")).find(|dir| dir.is_dir());
    beside.unwrap_or_else(|| Path::new("target").join("criterion"))
}

/// The fields of criterion's `sample.json` that are used: sample i took `times[i]` nanoseconds for
/// `iters[i]` operations. The file with criterion's estimates has no minimum.
#[derive(Deserialize)]
struct Sample {
    iters: Vec<f64>,
    times: Vec<f64>,
}

/// Reads the times of benchmarks below criterion's folder `dir`. Those that were not written at `since`
/// or later are left out: nothing was measured.
///
/// # Errors
///
/// Returns a failure if a file cannot be read.
pub fn read(dir: &Path, since: SystemTime, benchmarks: &[Measurement]) -> Result<Vec<Measurement>, Failure> {
    let mut results = Vec::new();
    for benchmark in benchmarks {
        let group = benchmark.group.to_string().replace('/', "_"); // as criterion names the folder
        let path = dir.join(group).join(&benchmark.contender).join("new/sample.json");
        if !fs::metadata(&path).and_then(|file| file.modified()).is_ok_and(|written| written >= since) {
            continue;
        }
        let failure = |error: io::Error| {
            let problem = format!("{error}; remove criterion's folder and try again");
            Failure::File(format!("{}: {problem}", path.display()))
        };
        let file = BufReader::new(File::open(&path).map_err(failure)?);
        let Sample { iters, times } = serde_json::from_reader(file).map_err(|error| failure(error.into()))?;
        let minimum =
            times.iter().zip(&iters).map(|(time, iters)| time / iters).fold(f64::INFINITY, f64::min);
        let nanoseconds = minimum / f64::from(benchmark.values);
        results.push(Measurement { samples: times.len() as u32, nanoseconds, ..benchmark.clone() });
    }
    Ok(results)
}
