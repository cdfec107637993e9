//! The progress line: bar, values, rate, failures and remaining time.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::thread::{self, JoinHandle};
use std::time::Duration;

use indicatif::{HumanCount, HumanDuration, ProgressBar, ProgressStyle};

use crate::watch::handle::Watch;

/// The length of the bar in steps. The goal of a sweep is a time or a number of values, so the bar
/// shows a fraction.
const STEPS: u64 = 10_000;

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

    /// Hides the progress line, calls `write`, and draws the line again.
    pub fn suspend(&self, write: impl FnOnce()) {
        self.bar.suspend(write);
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
    // A message that does not fit the terminal is cut off, so the most important field is first.
    if let Ok(style) = ProgressStyle::with_template("{prefix} [{bar:20}] {wide_msg}") {
        bar.set_style(style.progress_chars("=> "));
    }
    while !ended.load(Relaxed) {
        if let Some((start, _)) = watch.start() {
            bar.set_prefix(format!("{:#}", HumanDuration(start.elapsed())));
            bar.set_position((watch.part().0 * STEPS as f64) as u64);
            bar.set_message(watch.progress());
        }
        thread::park_timeout(Duration::from_millis(100));
    }
    bar.finish_and_clear();
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
