//! Counts beside those of the baseline, and what counts as too many.

use std::collections::BTreeMap;
use std::fmt;

use serde::{Deserialize, Serialize};

/// More than this many percent above the baseline is too many.
pub(crate) const LIMIT: u128 = 3;

/// Instructions of each benchmark.
pub(crate) type Counts = BTreeMap<String, u64>;

/// The committed counts. They hold for one compiler: another makes other code of the same source.
#[derive(Deserialize, Serialize)]
pub(crate) struct Baseline {
    pub(crate) rustc: String,
    /// For the reader: where counts differ without cause, this may be one.
    pub(crate) valgrind: String,
    pub(crate) instructions: Counts,
}

/// The counts of one run, beside the baseline's.
pub(crate) struct Gate<'a> {
    pub(crate) baseline: &'a Counts,
    pub(crate) counts: &'a Counts,
}

/// A benchmark that is on one side only is a verdict of its own: nothing slips through by a new name.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Verdict {
    Same,
    Fewer,
    TooMany,
    Missing,
    New,
}

impl Gate<'_> {
    pub(crate) fn is_passed(&self) -> bool {
        self.lines().all(|line| matches!(line.3, Verdict::Same | Verdict::Fewer))
    }

    fn lines(&self) -> impl Iterator<Item = (&str, Option<u64>, Option<u64>, Verdict)> {
        let new = self.counts.keys().filter(|name| !self.baseline.contains_key(*name));
        self.baseline.keys().chain(new).map(|name| {
            let (then, now) = (self.baseline.get(name).copied(), self.counts.get(name).copied());
            let verdict = match (then, now) {
                (Some(then), Some(now)) => match (u128::from(then), u128::from(now) * 100) {
                    (then, now) if now > then * (100 + LIMIT) => Verdict::TooMany,
                    (then, now) if now < then * (100 - LIMIT) => Verdict::Fewer,
                    _ => Verdict::Same,
                },
                (Some(_), None) => Verdict::Missing,
                (None, _) => Verdict::New,
            };
            (name.as_str(), then, now, verdict)
        })
    }
}

/// In percent.
fn change(then: u64, now: u64) -> f64 {
    (now as f64 / then as f64 - 1.0) * 100.0
}

impl fmt::Display for Gate<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "| benchmark | baseline | now | change | |\n|---|--:|--:|--:|---|")?;
        for (name, then, now, verdict) in self.lines() {
            let number = |count: Option<u64>| count.map_or("–".to_owned(), |count| count.to_string());
            let percent = match (then, now) {
                (Some(then), Some(now)) => format!("{:+.2} %", change(then, now)),
                _ => "–".to_owned(),
            };
            let verdict = match verdict {
                Verdict::Same => "",
                Verdict::Fewer => "fewer",
                Verdict::TooMany => "**too many**",
                Verdict::Missing => "**not counted**",
                Verdict::New => "**not in the baseline**",
            };
            writeln!(f, "| {name} | {} | {} | {percent} | {verdict} |", number(then), number(now))?;
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
    fn three_percent_more_is_the_limit_and_fewer_is_welcome() {
        let baseline = [("decode/avx2", 10_000), ("decode/swar", 20_000)];
        assert!(passes(&baseline, &baseline));
        assert!(passes(&baseline, &[("decode/avx2", 10_300), ("decode/swar", 20_000)]));
        assert!(!passes(&baseline, &[("decode/avx2", 10_301), ("decode/swar", 20_000)]));
        assert!(passes(&baseline, &[("decode/avx2", 10_000), ("decode/swar", 10)]));
        assert!(!passes(&[("decode/avx2", 0)], &[("decode/avx2", 1)]));
    }

    #[test]
    fn a_benchmark_on_one_side_only_does_not_pass() {
        let both = [("a", 1), ("b", 1)];
        assert!(!passes(&both, &both[..1]));
        assert!(!passes(&both[..1], &both));
        let text = Gate { baseline: &counts(&both[..1]), counts: &counts(&both[1..]) }.to_string();
        assert!(text.contains("| a | 1 | – | – | **not counted** |"), "{text}");
        assert!(text.contains("| b | – | 1 | – | **not in the baseline** |"), "{text}");
    }
}
