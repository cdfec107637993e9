//! The progress of a sweep, and its text: all of it for a log, and what fits for a line of a terminal.

use std::time::Duration;

use indicatif::HumanDuration;

use crate::report::running_report::{Goal, RunningReport};
use crate::texts::{grouped, plural};

/// The number of columns in the bar.
const STEPS: usize = 20;

/// What a sweep has found so far, and how far it has come.
#[derive(Default)]
pub(crate) struct SweepProgress {
    pub(crate) values: u128,
    pub(crate) failures: u64,
    /// The number of inputs per second in this run.
    pub(crate) rate: f64,
    /// The fraction of the work that is done, from 0 to 1.
    pub(crate) part: f64,
    /// An estimate of the remaining seconds, if there is one.
    pub(crate) remaining: Option<f64>,
}

impl SweepProgress {
    pub(crate) fn of(sweep: &RunningReport) -> Self {
        let (values, failures) = {
            let totals = sweep.totals.collect();
            (totals.inputs(&sweep.schedule), totals.all_failures())
        };
        let elapsed = sweep.began.elapsed().as_secs_f64();
        let rate = values.saturating_sub(sweep.resumed) as f64 / elapsed.max(1e-9);
        let (all, left, remaining) = match sweep.goal {
            Goal::Values(all) => {
                let left = all.saturating_sub(values) as f64;
                (all as f64, left, if left > 0.0 { left / rate } else { 0.0 })
            }
            Goal::Time(budget) => {
                let all = budget.as_secs_f64();
                let left = (all - sweep.blank.seconds - elapsed).max(0.0);
                (all, left, left)
            }
        };
        let until_limit = sweep.time_limit.map(|limit| (limit.as_secs_f64() - elapsed).max(0.0));
        let (all, left, remaining) = match sweep.time_limit.zip(until_limit) {
            Some((limit, left)) if left < remaining => (limit.as_secs_f64(), left, left),
            _ => (all, left, remaining),
        };
        let part = if all > 0.0 { 1.0 - left / all } else { 1.0 };
        Self { values, failures, rate, part, remaining: Some(remaining).filter(|left| left.is_finite()) }
    }

    /// Returns all figures. `noun` is that of an input.
    pub(crate) fn text(&self, noun: &str) -> String {
        self.figures(noun).join(", ")
    }

    /// Returns a line of at most this number of columns. The least important parts are left out, each as
    /// a whole.
    pub(crate) fn line(&self, noun: &str, elapsed: Duration, columns: usize) -> String {
        let done = "=".repeat((self.part * STEPS as f64) as usize) + ">";
        let (elapsed, bar) = (format!("{:#} ", HumanDuration(elapsed)), format!("[{done:<STEPS$.STEPS$}] "));
        let [values, rate, failures, percent, remaining] = self.figures(noun).map(|figure| figure + ", ");
        // From the least important one on, with the places in the line.
        let parts =
            [(0, elapsed), (2, values), (3, rate), (1, bar), (4, failures), (6, remaining), (5, percent)];
        let line = |left_out: usize| {
            let mut rest = parts[left_out..].to_vec();
            rest.sort();
            let line: String = rest.into_iter().map(|(_, part)| part).collect();
            line.trim_end_matches(", ").to_owned()
        };
        (0..parts.len()).map(line).find(|line| line.len() <= columns).unwrap_or_default()
    }

    fn figures(&self, noun: &str) -> [String; 5] {
        let remaining = match self.remaining.map(Duration::try_from_secs_f64) {
            Some(Ok(remaining)) => format!("{} remaining", HumanDuration(remaining)),
            _ => "unknown time remaining".into(),
        };
        [
            plural(self.values, noun),
            format!("{}/s", grouped(self.rate as u128)),
            plural(self.failures.into(), "failure"),
            // Rounded down, because 100 % is the end.
            format!("{:.1} %", (1000.0 * self.part).floor() / 10.0),
            remaining,
        ]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_narrow_terminal_has_the_most_important_parts_whole() {
        let remaining = Some(40.0);
        let progress =
            SweepProgress { values: 123_456_789, failures: 1, rate: 6543.2, part: 0.4219, remaining };
        let text = "123,456,789 values, 6,543/s, 1 failure, 42.1 %, 40 seconds remaining";
        assert_eq!(progress.text("value"), text);
        let line = |columns| progress.line("value", Duration::from_secs(12), columns);
        let lines = [
            format!("12s [========>           ] {text}"),
            format!("[========>           ] {text}"),
            "[========>           ] 6,543/s, 1 failure, 42.1 %, 40 seconds remaining".into(),
            "[========>           ] 1 failure, 42.1 %, 40 seconds remaining".into(),
            "1 failure, 42.1 %, 40 seconds remaining".into(),
            "42.1 %, 40 seconds remaining".into(),
            "42.1 %".into(),
            String::new(),
        ];
        for columns in 0..200 {
            assert_eq!(&line(columns), lines.iter().find(|line| line.len() <= columns).unwrap());
        }
    }

    #[test]
    fn figures_beyond_measure_fit_too() {
        let all =
            SweepProgress { values: u128::MAX, failures: u64::MAX, rate: 1e30, part: 1.0, remaining: None };
        let never = SweepProgress { part: 0.0, remaining: Some(1e300), ..all };
        for (progress, percent) in [(&all, "100.0 %"), (&never, "0.0 %")] {
            let line = |columns| progress.line("byte string", Duration::from_secs(1 << 40), columns);
            assert!(line(400).contains(percent) && line(400).ends_with(", unknown time remaining"));
            assert!((0..400).all(|columns| line(columns).len() <= columns));
            assert!(line(80).contains(percent) && line(80).ends_with(" remaining"), "{}", line(80));
        }
    }
}
