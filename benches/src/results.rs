//! Reads criterion's files: for every benchmark its name and its samples.

use std::fs::{self, File};
use std::io::{self, BufReader};
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use serde::Deserialize;
use serde::de::DeserializeOwned;

use crate::name::Group;

/// The baseline in which criterion keeps the latest result.
pub const LATEST: &str = "new";

/// What criterion measured in one benchmark.
#[derive(Debug)]
pub struct Benchmark {
    /// The work that is done.
    pub group: Group,
    /// Who does it.
    pub contender: String,
    /// Values of one operation.
    pub values: u64,
    /// Nanoseconds per value: at least one, all positive.
    pub samples: Vec<f64>,
    /// When it was measured.
    pub measured: SystemTime,
}

impl Benchmark {
    /// The least of the samples.
    pub fn least(&self) -> f64 {
        self.samples.iter().copied().fold(f64::INFINITY, f64::min)
    }
}

/// All that was found, and what was found but could not be used.
#[derive(Debug, Default)]
pub struct Results {
    /// In the order of the names of groups, then of contenders.
    pub benchmarks: Vec<Benchmark>,
    /// A file or a folder each, and why.
    pub skipped: Vec<String>,
}

/// Where criterion writes: `criterion` in the target folder, which is that of this program unless the environment names one.
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

/// Reads every result of a baseline below `dir`.
///
/// # Errors
///
/// Where a folder cannot be read.
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

/// Calls `found` with every folder of that name.
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

/// The part of criterion's `benchmark.json` that counts here.
#[derive(Deserialize)]
struct Description {
    group_id: String,
    function_id: String,
    throughput: Throughput,
}

#[derive(Deserialize)]
struct Throughput {
    #[serde(rename = "Elements")]
    elements: u64,
}

/// The part of criterion's `sample.json` that counts here: sample i took `times[i]` nanoseconds for `iters[i]` operations.
/// All that `estimates.json` says of the mean follows from it.
#[derive(Deserialize)]
struct Sample {
    iters: Vec<f64>,
    times: Vec<f64>,
}

/// One benchmark, or why its folder is none of ours.
fn benchmark(folder: &Path) -> Result<Benchmark, String> {
    let Description { group_id, function_id, throughput } = json(&folder.join("benchmark.json"))?;
    let path = folder.join("sample.json");
    let Sample { iters, times } = json(&path)?;
    let unfit = |what: &str| format!("{}: {what}", folder.display());

    let group =
        Group::parse(&group_id).ok_or_else(|| unfit(&format!("'{group_id}' is no group of this suite")))?;
    let values = throughput.elements;
    if iters.len() != times.len() || values == 0 {
        return Err(unfit("its numbers do not fit together"));
    }
    let samples: Vec<f64> =
        times.iter().zip(&iters).map(|(time, iters)| time / iters / values as f64).collect();
    if samples.is_empty() || !samples.iter().all(|time| time.is_finite() && *time > 0.0) {
        return Err(unfit("it has no usable samples"));
    }
    let measured =
        fs::metadata(&path).and_then(|file| file.modified()).map_err(|error| unfit(&error.to_string()))?;
    Ok(Benchmark { group, contender: function_id, values, samples, measured })
}

fn json<T: DeserializeOwned>(path: &Path) -> Result<T, String> {
    let file = File::open(path).map_err(|error| format!("{}: {error}", path.display()))?;
    serde_json::from_reader(BufReader::new(file)).map_err(|error| format!("{}: {error}", path.display()))
}
