//! The progress of a sweep as text: all of it for a log, and what fits for a line of a terminal.

use std::time::Duration;

use indicatif::HumanDuration;

use crate::texts::{grouped, plural};
use crate::watch::running::Progress;

/// The number of columns in the bar.
const STEPS: usize = 20;

impl Progress {
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
        let progress = Progress { values: 123_456_789, failures: 1, rate: 6543.2, part: 0.4219, remaining };
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
        let all = Progress { values: u128::MAX, failures: u64::MAX, rate: 1e30, part: 1.0, remaining: None };
        let never = Progress { part: 0.0, remaining: Some(1e300), ..all };
        for (progress, percent) in [(&all, "100.0 %"), (&never, "0.0 %")] {
            let line = |columns| progress.line("byte string", Duration::from_secs(1 << 40), columns);
            assert!(line(400).contains(percent) && line(400).ends_with(", unknown time remaining"));
            assert!((0..400).all(|columns| line(columns).len() <= columns));
            assert!(line(80).contains(percent) && line(80).ends_with(" remaining"), "{}", line(80));
        }
    }
}
