//! Results of benchmarks, and how they are read from criterion's files.

use std::collections::BTreeMap;
use std::fs::{self, File};
use std::io::{self, BufReader};
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use serde::Deserialize;
use serde::de::DeserializeOwned;

use crate::failure::Failure;
use crate::name::Group;

/// The result of one benchmark.
#[derive(Clone, Debug, PartialEq)]
pub struct Measurement {
    /// The work that was measured.
    pub group: Group,
    /// The contender that did it.
    pub contender: String,
    /// Values per operation.
    pub values: u32,
    /// The number of samples.
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
        full_name(&self.group, &self.contender)
    }
}

pub(crate) fn full_name(group: &Group, contender: &str) -> String {
    format!("{group}/{contender}")
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

/// Reads the results below `dir` that were written at `since` or later. `allocations` has the
/// allocations per operation by the full names of benchmarks.
///
/// # Errors
///
/// Returns a failure if a file or folder cannot be read, or is not a result of this suite.
pub fn read(
    dir: &Path,
    since: SystemTime,
    allocations: &BTreeMap<String, u32>,
) -> Result<Vec<Measurement>, Failure> {
    let mut folders = Vec::new();
    find(dir, since, &mut folders).map_err(|error| failure(dir, &error.to_string()))?;
    let results = folders.iter().map(|folder| {
        let mut result = measurement(folder)?;
        result.allocations = allocations.get(&result.name()).copied().unwrap_or(0);
        Ok(result)
    });
    results.collect()
}

/// Adds the folders `new` below `dir`, in which criterion keeps the latest result of each benchmark,
/// if they have a result that was written at `since` or later.
fn find(dir: &Path, since: SystemTime, found: &mut Vec<PathBuf>) -> io::Result<()> {
    if !dir.exists() {
        return Ok(()); // nothing was measured yet
    }
    for entry in fs::read_dir(dir)? {
        let entry = entry?;
        let path = entry.path();
        if !entry.file_type()?.is_dir() {
            continue;
        }
        if entry.file_name() != "new" {
            find(&path, since, found)?;
        } else if fs::metadata(path.join("sample.json"))
            .and_then(|file| file.modified())
            .is_ok_and(|written| written >= since)
        {
            found.push(path);
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
    Elements(u32),
}

/// The fields of criterion's `sample.json` that are used: sample i took `times[i]` nanoseconds for
/// `iters[i]` operations. The file with criterion's estimates has no minimum.
#[derive(Deserialize)]
struct Sample {
    iters: Vec<f64>,
    times: Vec<f64>,
}

fn measurement(folder: &Path) -> Result<Measurement, Failure> {
    let Description { group_id, function_id, throughput } = json(&folder.join("benchmark.json"))?;
    let Throughput::Elements(values) = throughput;
    let Sample { iters, times } = json(&folder.join("sample.json"))?;
    let group = Group::parse(&group_id)
        .ok_or_else(|| failure(folder, &format!("'{group_id}' is not a group of this suite")))?;
    let minimum = times.iter().zip(&iters).map(|(time, iters)| time / iters).fold(f64::INFINITY, f64::min);
    Ok(Measurement {
        group,
        contender: function_id,
        values,
        samples: times.len() as u32,
        nanoseconds: minimum / f64::from(values),
        allocations: 0,
    })
}

fn json<T: DeserializeOwned>(path: &Path) -> Result<T, Failure> {
    let file = File::open(path).map_err(|error| failure(path, &error.to_string()))?;
    serde_json::from_reader(BufReader::new(file)).map_err(|error| failure(path, &error.to_string()))
}

fn failure(path: &Path, problem: &str) -> Failure {
    Failure::File(format!("{}: {problem}; remove criterion's folder and try again", path.display()))
}
