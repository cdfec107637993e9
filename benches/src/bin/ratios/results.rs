//! Reads criterion's files: for every benchmark its name and its least time per value.

use std::collections::BTreeMap;
use std::fs::{self, File};
use std::io::{self, BufReader};
use std::path::Path;

use serde::Deserialize;
use serde::de::DeserializeOwned;

/// What tables list first, in this order; anything else follows by its name.
const OPERATIONS: [&str; 8] =
    ["encode", "decode", "encode-calls", "decode-calls", "length", "count", "skip", "sweep"];
const TYPES: [&str; 6] = ["u64", "u64-L1", "u32", "u32-L1", "i64-zigzag", "i64-zigzag-L1"];
const SETS: [&str; 9] = ["1B", "2B", "mix", "log", "rand", "small", "1e8", "1e12", "MIN"];

/// Contenders of ours that are not kernels: doors for one value or one byte, and the detection of a kernel.
const DOORS: [&str; 5] = ["ours-single", "ours-reader", "ours-detected", "ours-decoder", "ours-io"];

/// One operation on one type.
pub(crate) struct Group {
    pub(crate) operation: String,
    pub(crate) kind: String,
    pub(crate) sets: Vec<Set>,
}

impl Group {
    pub(crate) fn name(&self) -> String {
        format!("{}/{}", self.operation, self.kind)
    }

    /// Every contender that `keep` lets through, fastest over all sets first.
    pub(crate) fn contenders(&self, keep: impl Fn(&str) -> bool) -> Vec<&str> {
        let mut names: Vec<&str> = Vec::new();
        for time in self.sets.iter().flat_map(|set| &set.times) {
            if keep(&time.contender) && !names.contains(&time.contender.as_str()) {
                names.push(&time.contender);
            }
        }
        names.sort_by(|a, b| self.slowness(a).total_cmp(&self.slowness(b)));
        names
    }

    /// The sum of the times over all sets.
    fn slowness(&self, contender: &str) -> f64 {
        self.sets.iter().filter_map(|set| set.time(contender)).map(|time| time.nanoseconds).sum()
    }
}

/// One set of numbers and who was timed on it.
pub(crate) struct Set {
    pub(crate) name: String,
    pub(crate) times: Vec<Time>,
}

impl Set {
    pub(crate) fn time(&self, contender: &str) -> Option<&Time> {
        self.times.iter().find(|time| time.contender == contender)
    }

    pub(crate) fn best_peer(&self) -> Option<&Time> {
        self.best(|contender| !is_ours(contender))
    }

    pub(crate) fn best_of_ours(&self) -> Option<&Time> {
        self.best(is_ours)
    }

    fn best(&self, keep: impl Fn(&str) -> bool) -> Option<&Time> {
        let kept = self.times.iter().filter(|time| keep(&time.contender));
        kept.min_by(|a, b| a.nanoseconds.total_cmp(&b.nanoseconds))
    }
}

/// The least time that a contender took.
pub(crate) struct Time {
    pub(crate) contender: String,
    /// Per value.
    pub(crate) nanoseconds: f64,
    /// How many samples the minimum was taken over.
    pub(crate) samples: usize,
    /// Values of one operation.
    pub(crate) values: u64,
}

pub(crate) fn is_ours(contender: &str) -> bool {
    contender.starts_with("ours-")
}

pub(crate) fn is_kernel(contender: &str) -> bool {
    is_ours(contender) && !DOORS.contains(&contender)
}

/// All that was found, and what was found but could not be used.
pub(crate) struct Results {
    pub(crate) groups: Vec<Group>,
    pub(crate) skipped: Vec<String>,
}

/// Reads every result below `dir`.
pub(crate) fn read(dir: &Path) -> io::Result<Results> {
    let mut found: BTreeMap<(Rank, Rank), BTreeMap<Rank, Vec<Time>>> = BTreeMap::new();
    let mut skipped = Vec::new();
    visit(dir, &mut |new| match benchmark(new) {
        Ok(((operation, kind, set), time)) => {
            let group = (rank(&OPERATIONS, operation), rank(&TYPES, kind));
            found.entry(group).or_default().entry(rank(&SETS, set)).or_default().push(time);
        }
        Err(reason) => skipped.push(reason),
    })?;
    skipped.sort();
    let groups = found
        .into_iter()
        .map(|((operation, kind), sets)| Group {
            operation: operation.2,
            kind: kind.2,
            sets: sets.into_iter().map(|(name, times)| Set { name: name.2, times }).collect(),
        })
        .collect();
    Ok(Results { groups, skipped })
}

/// Sorts by the place in a list, then as a number, then as text.
type Rank = (usize, u64, String);

fn rank(order: &[&str], name: String) -> Rank {
    let place = order.iter().position(|known| *known == name).unwrap_or(order.len());
    (place, name.parse().unwrap_or(u64::MAX), name)
}

/// Calls `found` with every folder named `new`, where criterion keeps the latest result.
fn visit(dir: &Path, found: &mut impl FnMut(&Path)) -> io::Result<()> {
    for entry in fs::read_dir(dir)? {
        let entry = entry?;
        if !entry.file_type()?.is_dir() {
            continue;
        }
        if entry.file_name() == "new" {
            found(&entry.path());
        } else {
            visit(&entry.path(), found)?;
        }
    }
    Ok(())
}

/// The part of criterion's `benchmark.json` that counts here.
#[derive(Deserialize)]
struct Benchmark {
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
#[derive(Deserialize)]
struct Sample {
    iters: Vec<f64>,
    times: Vec<f64>,
}

/// Operation, type and set.
type Name = (String, String, String);

/// One benchmark, or why its folder is none of ours.
fn benchmark(new: &Path) -> Result<(Name, Time), String> {
    let Benchmark { group_id, function_id, throughput } = json(&new.join("benchmark.json"))?;
    let Sample { iters, times } = json(&new.join("sample.json"))?;
    let unfit = |what: &str| format!("{}: {what}", new.display());

    let mut parts = group_id.split('/').map(str::to_owned);
    let (Some(operation), Some(kind), Some(set), None) =
        (parts.next(), parts.next(), parts.next(), parts.next())
    else {
        return Err(unfit(&format!("'{group_id}' is no group of this suite")));
    };
    if iters.len() != times.len() || throughput.elements == 0 {
        return Err(unfit("its numbers do not fit together"));
    }
    let least = times.iter().zip(&iters).map(|(time, iters)| time / iters).fold(f64::INFINITY, f64::min);
    if !(least.is_finite() && least > 0.0) {
        return Err(unfit("it has no usable sample"));
    }
    let values = throughput.elements;
    let nanoseconds = least / values as f64;
    Ok(((operation, kind, set), Time { contender: function_id, nanoseconds, samples: times.len(), values }))
}

fn json<T: DeserializeOwned>(path: &Path) -> Result<T, String> {
    let file = File::open(path).map_err(|error| format!("{}: {error}", path.display()))?;
    serde_json::from_reader(BufReader::new(file)).map_err(|error| format!("{}: {error}", path.display()))
}
