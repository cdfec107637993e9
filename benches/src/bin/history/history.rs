//! All runs in a database, by machine, benchmark and code.

use std::collections::BTreeMap;
use std::fmt;
use std::path::Path;

use clap::ValueEnum;
use regex::Regex;
use zigzag_varint_benches::failure::Failure;
use zigzag_varint_benches::name::{Group, is_ours};
use zigzag_varint_benches::statistics::Summary;

use crate::database;
use crate::git::Code;

/// The machine and the compiler of a measurement. Results of different machines are never compared.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Machine {
    pub(crate) host: String,
    pub(crate) cpu: String,
    pub(crate) rustc: String,
}

impl fmt::Display for Machine {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}; {}", self.host, self.cpu, self.rustc)
    }
}

/// The name of a benchmark.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Name {
    pub(crate) group: Group,
    pub(crate) contender: String,
}

impl Name {
    pub(crate) fn is_ours(&self) -> bool {
        is_ours(&self.contender)
    }
}

impl fmt::Display for Name {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.group, self.contender)
    }
}

/// The result of one run of a benchmark, in nanoseconds per value.
#[derive(Clone, Debug)]
pub(crate) struct Point {
    pub(crate) minimum: f64,
    pub(crate) samples: Summary,
}

/// The measurement that represents a run.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Metric {
    /// The fastest sample, which other programs on the machine disturb least
    Minimum,
    /// The mean of the samples
    Mean,
}

impl Metric {
    pub(crate) fn of(self, point: &Point) -> f64 {
        match self {
            Self::Minimum => point.minimum,
            Self::Mean => point.samples.mean,
        }
    }

    pub(crate) fn plural(self) -> &'static str {
        match self {
            Self::Minimum => "minima",
            Self::Mean => "means",
        }
    }

    /// Returns the statistics over the runs, or `None` if there are none.
    pub(crate) fn over(self, runs: &[Point]) -> Option<Summary> {
        Summary::of(&runs.iter().map(|run| self.of(run)).collect::<Vec<_>>())
    }
}

impl fmt::Display for Metric {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Minimum => "minimum",
            Self::Mean => "mean",
        })
    }
}

/// A point for each run of each code. The key is the code's index in [`History::codes`].
pub(crate) type Series = BTreeMap<usize, Vec<Point>>;

/// The content of a database.
#[derive(Default)]
pub(crate) struct History {
    /// Sorted from the oldest commit to the newest.
    pub(crate) codes: Vec<Code>,
    pub(crate) machines: BTreeMap<Machine, BTreeMap<Name, Series>>,
}

impl History {
    /// Reads everything in the file.
    pub(crate) fn read(path: &Path) -> Result<Self, Failure> {
        let database = database::open(path)?;
        let read = || {
            let mut history = Self::default();
            let mut query = database.prepare(
                "SELECT commit_id, changes, committed, subject, host, cpu, rustc,
                        benchmark, contender, samples, minimum, mean, deviation
                 FROM point JOIN run ON run.id = point.run
                 ORDER BY committed, (SELECT min(id) FROM run AS first WHERE first.commit_id = run.commit_id),
                          commit_id, changes, run.id",
            )?;
            let mut rows = query.query(())?;
            while let Some(row) = rows.next()? {
                let code = Code {
                    commit: row.get(0)?,
                    changes: row.get(1)?,
                    committed: row.get(2)?,
                    subject: row.get(3)?,
                };
                let machine = Machine { host: row.get(4)?, cpu: row.get(5)?, rustc: row.get(6)? };
                let Some(group) = Group::parse(&row.get::<_, String>(7)?) else { continue };
                let name = Name { group, contender: row.get(8)? };
                let count = usize::try_from(row.get::<_, i64>(9)?).unwrap_or(1);
                let samples = Summary { count, mean: row.get(11)?, deviation: row.get(12)? };
                let point = Point { minimum: row.get(10)?, samples };
                if history.codes.last() != Some(&code) {
                    history.codes.push(code);
                }
                let series = history.machines.entry(machine).or_default().entry(name).or_default();
                series.entry(history.codes.len() - 1).or_default().push(point);
            }
            Ok(history)
        };
        read().map_err(|error| database::explain(path, &error))
    }

    /// Keeps the benchmarks whose name matches one of `filters`, or all without filters. Peers are
    /// kept only if `peers` is set.
    pub(crate) fn keep(&mut self, filters: &[Regex], peers: bool) -> Result<(), Failure> {
        for benchmarks in self.machines.values_mut() {
            benchmarks.retain(|name, _| {
                let text = name.to_string();
                (peers || name.is_ours())
                    && (filters.is_empty() || filters.iter().any(|filter| filter.is_match(&text)))
            });
        }
        self.machines.retain(|_, benchmarks| !benchmarks.is_empty());
        if self.machines.is_empty() {
            return Err(Failure::Usage(
                "no recorded benchmark matches; `history table` without a filter shows all".to_owned(),
            ));
        }
        Ok(())
    }

    /// Keeps the last `count` codes of each machine.
    pub(crate) fn keep_last(&mut self, count: usize) {
        for benchmarks in self.machines.values_mut() {
            let kept = codes(benchmarks);
            let first = kept[kept.len().saturating_sub(count)..].first().copied().unwrap_or(0);
            benchmarks.retain(|_, series| {
                series.retain(|code, _| *code >= first);
                !series.is_empty()
            });
        }
    }
}

/// Returns the codes with a result of any of the benchmarks, oldest first.
pub(crate) fn codes(benchmarks: &BTreeMap<Name, Series>) -> Vec<usize> {
    let mut codes: Vec<usize> = benchmarks.values().flat_map(BTreeMap::keys).copied().collect();
    codes.sort_unstable();
    codes.dedup();
    codes
}

/// Returns the number of runs of a code: the greatest of any benchmark.
pub(crate) fn runs(benchmarks: &BTreeMap<Name, Series>, code: usize) -> usize {
    benchmarks.values().filter_map(|series| series.get(&code)).map(Vec::len).max().unwrap_or(0)
}

/// Returns the day of a commit, such as 2026-03-01.
pub(crate) fn day(code: &Code) -> String {
    let since = std::time::Duration::from_secs(code.committed.try_into().unwrap_or(0));
    let text = std::time::UNIX_EPOCH
        .checked_add(since)
        .map(|time| humantime::format_rfc3339_seconds(time).to_string());
    text.and_then(|text| text.get(..10).map(str::to_owned)).unwrap_or_default()
}
