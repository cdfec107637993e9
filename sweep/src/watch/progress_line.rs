//! The progress line: bar, values, rate, failures and remaining time.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::thread::{self, JoinHandle};
use std::time::Duration;

use console::Term;
use indicatif::{HumanCount, HumanDuration, ProgressBar, ProgressStyle};

use crate::watch::handle::Watch;

/// The length of the bar in steps. The goal of a sweep is a time or a number of values, so the bar
/// shows a fraction.
const STEPS: u64 = 10_000;

/// The lengths of the bar in columns, on a terminal with enough columns and on a narrow one.
const BAR: usize = 30;
const SHORT_BAR: usize = 10;

/// A progress line on standard error for one watched sweep, until it is dropped. It draws nothing
/// if standard error is not a terminal.
#[derive(Debug)]
pub struct ProgressLine {
    bar: ProgressBar,
    ended: Arc<AtomicBool>,
    drawing: Option<JoinHandle<()>>,
}

impl ProgressLine {
    /// Starts to draw the progress of the watched sweep.
    pub fn of(watch: Arc<Watch>) -> Self {
        let bar = ProgressBar::new(STEPS);
        let ended = Arc::new(AtomicBool::new(false));
        let drawing = thread::Builder::new().name("progress".into()).spawn({
            let (bar, ended) = (bar.clone(), Arc::clone(&ended));
            move || draw(&watch, &bar, &ended)
        });
        Self { bar, ended, drawing: drawing.ok() }
    }

    /// Returns a handle with which other threads can write to the terminal without corrupting the
    /// line.
    pub fn suspender(&self) -> Suspender {
        Suspender(self.bar.clone())
    }
}

/// A handle that hides the progress line while another thread writes to the terminal; see
/// [`ProgressLine::suspender`].
#[derive(Clone, Debug)]
pub struct Suspender(ProgressBar);

impl Suspender {
    /// Hides the progress line, calls `write`, and draws the line again.
    pub fn suspend(&self, write: impl FnOnce()) {
        self.0.suspend(write);
    }
}

impl Drop for ProgressLine {
    fn drop(&mut self) {
        self.ended.store(true, Relaxed);
        if let Some(drawing) = self.drawing.take() {
            drawing.thread().unpark();
            let _ = drawing.join();
        }
    }
}

fn draw(watch: &Watch, bar: &ProgressBar, ended: &AtomicBool) {
    while !ended.load(Relaxed) {
        if let Some((start, _)) = watch.start() {
            let elapsed = format!("{:#}", HumanDuration(start.elapsed()));
            let columns = usize::from(Term::stderr().size().1);
            let (bar_len, text) = fitted(columns, &elapsed, &fields(watch));
            if let Ok(style) =
                ProgressStyle::with_template(&format!("{{prefix}} [{{bar:{bar_len}}}] {{msg}}"))
            {
                bar.set_style(style.progress_chars("=> "));
            }
            bar.set_prefix(elapsed);
            bar.set_position((watch.part().0 * STEPS as f64) as u64);
            bar.set_message(text);
        }
        thread::park_timeout(Duration::from_millis(100));
    }
    bar.finish_and_clear();
}

/// Returns the length of the bar and the text after it, for a line that is shorter than `columns`.
/// A line that does not fit has a short bar and only its first fields.
fn fitted(columns: usize, elapsed: &str, fields: &[String]) -> (usize, String) {
    let fits = |bar: usize, text: &str| elapsed.len() + bar + text.len() + " [] ".len() < columns;
    let full = fields.join(", ");
    if fits(BAR, &full) {
        return (BAR, full);
    }
    let texts = (0..=fields.len()).rev().map(|count| fields[..count].join(", "));
    let text = texts.into_iter().find(|text| fits(SHORT_BAR, text)).unwrap_or_default();
    (SHORT_BAR, text)
}

/// Returns the progress of a sweep as one line of text.
pub fn progress_text(watch: &Watch) -> String {
    fields(watch).join(", ")
}

/// Returns the fields of the progress line, the most important one first.
fn fields(watch: &Watch) -> [String; 4] {
    let remaining = match watch.part().1.map(Duration::try_from_secs_f64) {
        Some(Ok(remaining)) => format!("{} remaining", HumanDuration(remaining)),
        _ => "unknown time remaining".into(),
    };
    [
        format!("{} {}s", HumanCount(watch.values()), watch.noun()),
        format!("{}/s", HumanCount(watch.rate() as u64)),
        format!("{} failures", HumanCount(watch.failures())),
        remaining,
    ]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fields_that_do_not_fit_are_left_out_from_the_right() {
        let fields =
            ["1,234,567 values", "890,123/s", "0 failures", "5 seconds remaining"].map(str::to_owned);
        let line = |columns| {
            let (bar, text) = fitted(columns, "12s", &fields);
            assert!(bar + text.len() + "12s [] ".len() < columns.max(bar + 8), "{columns}: {text}");
            (bar, text)
        };
        assert_eq!(line(120), (BAR, "1,234,567 values, 890,123/s, 0 failures, 5 seconds remaining".into()));
        assert_eq!(line(80).1, "1,234,567 values, 890,123/s, 0 failures, 5 seconds remaining");
        assert_eq!(line(80).0, SHORT_BAR);
        assert_eq!(line(60), (SHORT_BAR, "1,234,567 values, 890,123/s, 0 failures".into()));
        assert_eq!(line(40), (SHORT_BAR, "1,234,567 values".into()));
        assert_eq!(line(20), (SHORT_BAR, String::new()));
    }
}
