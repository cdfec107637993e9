//! The comparison of counts with the baseline.

use std::collections::BTreeMap;
use std::fmt;

use serde::{Deserialize, Serialize};

/// The greatest allowed increase over the baseline, in percent.
pub(crate) const LIMIT: u128 = 3;

/// The number of instructions of each benchmark.
pub(crate) type Counts = BTreeMap<String, u64>;

/// The committed counts. They are for one compiler, since another one generates other code.
#[derive(Deserialize, Serialize)]
pub(crate) struct Baseline {
    pub(crate) rustc: String,
    /// Printed only: another version may explain different counts.
    pub(crate) valgrind: String,
    pub(crate) instructions: Counts,
}

/// The counts of one run and of the baseline.
pub(crate) struct Gate<'a> {
    pub(crate) baseline: &'a Counts,
    pub(crate) counts: &'a Counts,
}

/// The result for a benchmark. One that is only in the baseline, or only in the run, does not pass,
/// so that a new name cannot avoid the comparison.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Outcome {
    Same,
    Fewer,
    TooMany,
    Missing,
    New,
}

impl Gate<'_> {
    pub(crate) fn is_passed(&self) -> bool {
        self.lines().all(|line| matches!(line.3, Outcome::Same | Outcome::Fewer))
    }

    fn lines(&self) -> impl Iterator<Item = (&str, Option<u64>, Option<u64>, Outcome)> {
        let new = self.counts.keys().filter(|name| !self.baseline.contains_key(*name));
        self.baseline.keys().chain(new).map(|name| {
            let (before, now) = (self.baseline.get(name).copied(), self.counts.get(name).copied());
            let outcome = match (before, now) {
                (Some(before), Some(now)) => match (u128::from(before), u128::from(now) * 100) {
                    (before, now) if now > before * (100 + LIMIT) => Outcome::TooMany,
                    (before, now) if now < before * (100 - LIMIT) => Outcome::Fewer,
                    _ => Outcome::Same,
                },
                (Some(_), None) => Outcome::Missing,
                (None, _) => Outcome::New,
            };
            (name.as_str(), before, now, outcome)
        })
    }
}

/// Returns the change in percent.
fn change(before: u64, now: u64) -> f64 {
    (now as f64 / before as f64 - 1.0) * 100.0
}

impl fmt::Display for Gate<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "| benchmark | baseline | now | change | result |\n|---|--:|--:|--:|---|")?;
        for (name, before, now, outcome) in self.lines() {
            let number = |count: Option<u64>| count.map_or("–".to_owned(), |count| count.to_string());
            let percent = match (before, now) {
                (Some(before), Some(now)) => format!("{:+.2} %", change(before, now)),
                _ => "–".to_owned(),
            };
            let outcome = match outcome {
                Outcome::Same => "",
                Outcome::Fewer => "fewer",
                Outcome::TooMany => "**too many**",
                Outcome::Missing => "**not counted**",
                Outcome::New => "**not in the baseline**",
            };
            writeln!(f, "| {name} | {} | {} | {percent} | {outcome} |", number(before), number(now))?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn counts(counts: &[(&str, u64)]) -> Counts {
        counts.iter().map(|(name, count)| ((*name).to_owned(), *count)).collect()
    }

    fn passes(baseline: &[(&str, u64)], now: &[(&str, u64)]) -> bool {
        Gate { baseline: &counts(baseline), counts: &counts(now) }.is_passed()
    }

    #[test]
    fn three_percent_more_is_the_limit_and_fewer_passes() {
        let baseline = [("decode/avx2", 10_000), ("decode/swar", 20_000)];
        assert!(passes(&baseline, &baseline));
        assert!(passes(&baseline, &[("decode/avx2", 10_300), ("decode/swar", 20_000)]));
        assert!(!passes(&baseline, &[("decode/avx2", 10_301), ("decode/swar", 20_000)]));
        assert!(passes(&baseline, &[("decode/avx2", 10_000), ("decode/swar", 10)]));
        assert!(!passes(&[("decode/avx2", 0)], &[("decode/avx2", 1)]));
    }

    #[test]
    fn a_benchmark_without_a_counterpart_does_not_pass() {
        let both = [("a", 1), ("b", 1)];
        assert!(!passes(&both, &both[..1]));
        assert!(!passes(&both[..1], &both));
        let text = Gate { baseline: &counts(&both[..1]), counts: &counts(&both[1..]) }.to_string();
        assert!(text.contains("| a | 1 | – | – | **not counted** |"), "{text}");
        assert!(text.contains("| b | – | 1 | – | **not in the baseline** |"), "{text}");
    }
}
