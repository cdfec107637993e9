//! Criterion's folder, which has a folder for each baseline of each benchmark.

use std::fs::{self, File};
use std::io::BufReader;
use std::path::{Path, PathBuf};
use std::time::UNIX_EPOCH;

use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::Value;

use crate::measurement::{Environment, Measurement};

/// The samples of a baseline: sample i took `times[i]` nanoseconds for `iters[i]` iterations.
const SAMPLE: &str = "sample.json";
/// The names of the benchmark.
const BENCHMARK: &str = "benchmark.json";
/// The machine, the compiler and the date, which criterion does not write. A benchmark program may.
const ENVIRONMENT: &str = "environment.json";

/// What is in a folder.
#[derive(Default)]
pub(crate) struct Contents {
    pub(crate) measurements: Vec<Measurement>,
    /// A message for each file that cannot be used.
    pub(crate) problems: Vec<String>,
}

impl Contents {
    /// Reads all baselines below `folder`.
    pub(crate) fn read(folder: &Path) -> Self {
        let mut contents = Self::default();
        contents.add(folder);
        // Criterion copies each result from `new` to a baseline. The copy with the more useful name comes
        // first, so that it is the one that is kept.
        contents.measurements.sort_by_key(|one| match &*one.baseline {
            "new" => 2,
            "base" => 1,
            _ => 0,
        });
        contents
    }

    fn add(&mut self, folder: &Path) {
        if [SAMPLE, BENCHMARK].iter().any(|file| folder.join(file).exists()) {
            match baseline(folder) {
                Ok(measurement) => self.measurements.push(measurement),
                Err(problem) => self.problems.push(problem),
            }
            return;
        }
        let entries = fs::read_dir(folder).and_then(|entries| {
            let folders = entries.filter_map(|entry| match entry {
                Ok(entry) if !entry.file_type().is_ok_and(|kind| kind.is_dir()) => None,
                entry => Some(entry.map(|entry| entry.path())),
            });
            folders.collect::<Result<Vec<PathBuf>, _>>()
        });
        match entries {
            Ok(mut folders) => {
                folders.sort();
                folders.iter().for_each(|folder| self.add(folder));
            }
            Err(error) => self.problems.push(format!(
                "{}: cannot be read ({error}); check its name and permissions",
                folder.display()
            )),
        }
    }
}

#[derive(Deserialize)]
struct Benchmark {
    group_id: String,
    full_id: String,
    /// Such as `{"Elements":1024}`, `{"ElementsAndBytes":{"elements":1024,"bytes":4096}}`, `{"Bytes":4096}`.
    throughput: Option<Value>,
}

impl Benchmark {
    fn elements(&self) -> Option<u32> {
        let throughput = self.throughput.as_ref()?;
        let elements =
            throughput.get("Elements").or_else(|| throughput.pointer("/ElementsAndBytes/elements"));
        u32::try_from(elements?.as_u64()?).ok().filter(|elements| *elements > 0)
    }
}

#[derive(Deserialize)]
struct Sample {
    iters: Vec<f64>,
    times: Vec<f64>,
}

#[derive(Deserialize)]
struct Recorded {
    date: i64,
    #[serde(flatten)]
    environment: Environment,
}

/// Reads one baseline of one benchmark.
fn baseline(folder: &Path) -> Result<Measurement, String> {
    let benchmark: Benchmark = read(&folder.join(BENCHMARK))?;
    let path = folder.join(SAMPLE);
    let Sample { iters, times } = read(&path)?;
    if times.is_empty() || times.len() != iters.len() {
        return Err(unusable(&path, &format!("{} times of {} samples", times.len(), iters.len())));
    }
    let samples: Vec<f64> = times.iter().zip(&iters).map(|(time, iters)| time / iters).collect();
    if !samples.iter().all(|time| time.is_finite() && *time > 0.0) {
        return Err(unusable(&path, "a time that is not above 0"));
    }
    let recorded = folder.join(ENVIRONMENT);
    let recorded: Option<Recorded> = recorded.exists().then(|| read(&recorded)).transpose()?;
    let written = fs::metadata(&path).and_then(|file| file.modified()).ok();
    let written = written.and_then(|time| Some(time.duration_since(UNIX_EPOCH).ok()?.as_secs() as i64));
    let contender = benchmark.full_id.strip_prefix(&benchmark.group_id).unwrap_or(&benchmark.full_id);
    Ok(Measurement {
        contender: contender.trim_start_matches('/').to_owned(),
        elements: benchmark.elements(),
        group: benchmark.group_id,
        baseline: folder.file_name().unwrap_or_default().to_string_lossy().into_owned(),
        date: recorded.as_ref().map(|recorded| recorded.date).or(written).unwrap_or(0),
        environment: recorded.map(|recorded| recorded.environment),
        samples,
    })
}

fn read<T: DeserializeOwned>(path: &Path) -> Result<T, String> {
    File::open(path)
        .and_then(|file| serde_json::from_reader(BufReader::new(file)).map_err(Into::into))
        .map_err(|error| unusable(path, &error.to_string()))
}

fn unusable(path: &Path, reason: &str) -> String {
    format!("{}: not as criterion writes it ({reason}); remove its folder, or measure again", path.display())
}
