//! The minimum time per value of every benchmark, by group and set.

use zigzag_varint_benches::name::{Group as Name, is_ours};
use zigzag_varint_benches::results::Benchmark;

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

    /// Returns the contenders that `keep` accepts, sorted by their speed over all sets, fastest
    /// first.
    pub(crate) fn contenders(&self, keep: impl Fn(&str) -> bool) -> Vec<&str> {
        let mut names: Vec<&str> = Vec::new();
        for time in self.sets.iter().flat_map(|set| &set.times) {
            if keep(&time.contender) && !names.contains(&time.contender.as_str()) {
                names.push(&time.contender);
            }
        }
        names.sort_by(|a, b| self.total(a).total_cmp(&self.total(b)));
        names
    }

    /// Returns the sum of the times over all sets.
    fn total(&self, contender: &str) -> f64 {
        self.sets.iter().filter_map(|set| set.time(contender)).map(|time| time.nanoseconds).sum()
    }
}

/// One set of numbers and the times of the contenders on it.
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

/// The minimum time of a contender.
pub(crate) struct Time {
    pub(crate) contender: String,
    /// Per value.
    pub(crate) nanoseconds: f64,
    /// The number of samples.
    pub(crate) samples: usize,
    /// Values per operation.
    pub(crate) values: u64,
    /// Encoded bytes per operation, if known.
    pub(crate) bytes: Option<u64>,
}

impl Time {
    /// Returns the rate in millions of values per second.
    pub(crate) fn values_rate(&self) -> f64 {
        1e3 / self.nanoseconds
    }

    /// Returns the rate in megabytes (10^6) per second.
    pub(crate) fn bytes_rate(&self) -> Option<f64> {
        Some(self.values_rate() * self.bytes? as f64 / self.values as f64)
    }
}

/// Groups the benchmarks, which are sorted by group.
pub(crate) fn group(benchmarks: Vec<Benchmark>) -> Vec<Group> {
    let mut groups: Vec<Group> = Vec::new();
    for benchmark in benchmarks {
        let time = Time {
            nanoseconds: benchmark.minimum(),
            samples: benchmark.samples.len(),
            values: benchmark.values,
            bytes: benchmark.bytes,
            contender: benchmark.contender,
        };
        let Name { operation, kind, set: name } = benchmark.group;
        match groups.last_mut() {
            Some(last) if last.operation == operation && last.kind == kind => match last.sets.last_mut() {
                Some(set) if set.name == name => set.times.push(time),
                _ => last.sets.push(Set { name, times: vec![time] }),
            },
            _ => groups.push(Group { operation, kind, sets: vec![Set { name, times: vec![time] }] }),
        }
    }
    groups
}
