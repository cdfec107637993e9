//! The progress line: bar, values, rate, failures and remaining time.

use std::sync::Arc;
use std::time::Duration;

use indicatif::{HumanCount, HumanDuration, ProgressBar, ProgressStyle};

use crate::watch::handle::Watch;
use crate::watch::ticker::Ticker;

/// The length of the bar in steps. The goal of a sweep is a time or a number of values, so the bar
/// shows a fraction.
const STEPS: u64 = 10_000;

/// A progress line on standard error for one watched sweep, until it is dropped. It draws nothing
/// if standard error is not a terminal.
#[derive(Debug)]
pub struct ProgressLine {
    bar: ProgressBar,
    /// `None` if its thread cannot be started.
    _drawing: Option<Ticker>,
}

impl ProgressLine {
    /// Starts to draw the progress of the watched sweep.
    pub fn of(watch: Arc<Watch>) -> Self {
        let bar = ProgressBar::new(STEPS);
        // A message that does not fit the terminal is cut off, so the most important field is first.
        if let Ok(style) = ProgressStyle::with_template("{prefix} [{bar:20}] {wide_msg}") {
            bar.set_style(style.progress_chars("=> "));
        }
        let drawn = bar.clone();
        let drawing = Ticker::start("progress", Duration::from_millis(100), move |is_last| {
            if is_last {
                drawn.finish_and_clear();
            } else if let Some((start, _)) = watch.start() {
                drawn.set_prefix(format!("{:#}", HumanDuration(start.elapsed())));
                drawn.set_position((watch.part().0 * STEPS as f64) as u64);
                drawn.set_message(watch.progress());
            }
        });
        Self { bar, _drawing: drawing.ok() }
    }

    /// Hides the progress line, calls `write`, and draws the line again.
    pub fn suspend(&self, write: impl FnOnce()) {
        self.bar.suspend(write);
    }
}

impl Watch {
    /// Returns the progress of the sweep as one line of text.
    pub fn progress(&self) -> String {
        let remaining = match self.part().1.map(Duration::try_from_secs_f64) {
            Some(Ok(remaining)) => format!("{} remaining", HumanDuration(remaining)),
            _ => "unknown time remaining".into(),
        };
        let [values, rate, failures] = [self.values(), self.rate() as u64, self.failures()].map(HumanCount);
        format!("{values} {}s, {rate}/s, {failures} failures, {remaining}", self.noun())
    }
}
