//! Reads criterion's files: the name and the samples of every benchmark.

use std::fs::{self, File};
use std::io::{self, BufReader};
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use serde::Deserialize;
use serde::de::DeserializeOwned;

use crate::name::Group;

/// The name of the baseline in which criterion keeps the latest results.
pub const LATEST: &str = "new";

/// The result of one benchmark.
#[derive(Debug)]
pub struct Benchmark {
    /// The work that was measured.
    pub group: Group,
    /// The contender that did it.
    pub contender: String,
    /// Values per operation.
    pub values: u64,
    /// Encoded bytes per operation, if the group states them.
    pub bytes: Option<u64>,
    /// Nanoseconds per value: at least one sample, and all are positive.
    pub samples: Vec<f64>,
    /// When it was measured.
    pub measured: SystemTime,
}

impl Benchmark {
    /// Returns the smallest sample.
    pub fn minimum(&self) -> f64 {
        self.samples.iter().copied().fold(f64::INFINITY, f64::min)
    }
}

/// The results in a folder, and why some of it could not be used.
#[derive(Debug, Default)]
pub struct Results {
    /// Sorted by group, then by contender.
    pub benchmarks: Vec<Benchmark>,
    /// A message for each file or folder that was skipped.
    pub skipped: Vec<String>,
}

/// Returns criterion's folder: `$CRITERION_HOME`, or `criterion` in `$CARGO_TARGET_DIR` or else in
/// the target folder of this program.
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

/// Reads all results of a baseline below `dir`.
///
/// # Errors
///
/// Returns the error of a folder that cannot be read.
pub fn read(dir: &Path, baseline: &str) -> io::Result<Results> {
    let mut results = Results::default();
    visit(dir, baseline, &mut |folder| match benchmark(folder) {
        Ok(benchmark) => results.benchmarks.push(benchmark),
        Err(reason) => results.skipped.push(reason),
    })?;
    results.benchmarks.sort_by(|a, b| (&a.group, &a.contender).cmp(&(&b.group, &b.contender)));
    results.skipped.sort();
    Ok(results)
}

/// Calls `found` with every folder called `name` below `dir`.
fn visit(dir: &Path, name: &str, found: &mut impl FnMut(&Path)) -> io::Result<()> {
    for entry in fs::read_dir(dir)? {
        let entry = entry?;
        if !entry.file_type()?.is_dir() {
            continue;
        }
        if entry.file_name() == name {
            found(&entry.path());
        } else {
            visit(&entry.path(), name, found)?;
        }
    }
    Ok(())
}

/// The fields of criterion's `benchmark.json` that are used.
#[derive(Deserialize)]
struct Description {
    group_id: String,
    function_id: String,
    throughput: Throughput,
}

#[derive(Deserialize)]
enum Throughput {
    Elements(u64),
    ElementsAndBytes { elements: u64, bytes: u64 },
}

/// The fields of criterion's `sample.json` that are used: sample i took `times[i]` nanoseconds for
/// `iters[i]` operations. The statistics in `estimates.json` are derived from them.
#[derive(Deserialize)]
struct Sample {
    iters: Vec<f64>,
    times: Vec<f64>,
}

/// Reads one benchmark, or returns why its folder is skipped.
fn benchmark(folder: &Path) -> Result<Benchmark, String> {
    let Description { group_id, function_id, throughput } = json(&folder.join("benchmark.json"))?;
    let path = folder.join("sample.json");
    let Sample { iters, times } = json(&path)?;
    let skipped = |reason: &str| format!("{}: {reason}", folder.display());

    let group = Group::parse(&group_id)
        .ok_or_else(|| skipped(&format!("'{group_id}' is not a group of this suite")))?;
    let (values, bytes) = match throughput {
        Throughput::Elements(values) => (values, None),
        Throughput::ElementsAndBytes { elements, bytes } => (elements, Some(bytes)),
    };
    if iters.len() != times.len() || values == 0 {
        return Err(skipped("iterations, times and values are inconsistent"));
    }
    let samples: Vec<f64> =
        times.iter().zip(&iters).map(|(time, iters)| time / iters / values as f64).collect();
    if samples.is_empty() || !samples.iter().all(|time| time.is_finite() && *time > 0.0) {
        return Err(skipped("no usable samples"));
    }
    let measured =
        fs::metadata(&path).and_then(|file| file.modified()).map_err(|error| skipped(&error.to_string()))?;
    Ok(Benchmark { group, contender: function_id, values, bytes, samples, measured })
}

fn json<T: DeserializeOwned>(path: &Path) -> Result<T, String> {
    let file = File::open(path).map_err(|error| format!("{}: {error}", path.display()))?;
    serde_json::from_reader(BufReader::new(file)).map_err(|error| format!("{}: {error}", path.display()))
}
