//! The live line: bar, values, rate, time to go, failures.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::thread::{self, JoinHandle};
use std::time::Duration;

use indicatif::{HumanCount, HumanDuration, ProgressBar, ProgressStyle};

use crate::watch::handle::Watch;

/// Parts of the bar: the goal may be a time as well as a number of values.
const PARTS: u64 = 10_000;

/// A live line on standard error for one watched sweep; nothing where that is no terminal. Ends when dropped.
#[derive(Debug)]
pub struct ProgressLine {
    bar: ProgressBar,
    ended: Arc<AtomicBool>,
    drawing: Option<JoinHandle<()>>,
}

impl ProgressLine {
    /// Starts to draw.
    pub fn of(watch: Arc<Watch>) -> Self {
        let bar = ProgressBar::new(PARTS);
        let ended = Arc::new(AtomicBool::new(false));
        let drawing = thread::Builder::new().name("progress".into()).spawn({
            let (bar, ended) = (bar.clone(), Arc::clone(&ended));
            move || draw(&watch, &bar, &ended)
        });
        Self { bar, ended, drawing: drawing.ok() }
    }

    /// A way for other threads to write to the terminal without a quarrel over the line.
    pub fn aside(&self) -> Aside {
        Aside(self.bar.clone())
    }
}

/// Lets others write while a live line is drawn; see [`ProgressLine::aside`].
#[derive(Clone, Debug)]
pub struct Aside(ProgressBar);

impl Aside {
    /// Takes the live line away, calls `write`, and draws the line again.
    pub fn say(&self, write: impl FnOnce()) {
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
    if let Ok(style) = ProgressStyle::with_template("{elapsed} [{bar:30}] {msg}") {
        bar.set_style(style.progress_chars("=> "));
    }
    while !ended.load(Relaxed) {
        if watch.start().is_some() {
            bar.set_position((watch.part().0 * PARTS as f64) as u64);
            bar.set_message(line(watch));
        }
        thread::park_timeout(Duration::from_millis(100));
    }
    bar.finish_and_clear();
}

/// How far a sweep is, in a line.
pub fn line(watch: &Watch) -> String {
    let left = match watch.part().1.map(Duration::try_from_secs_f64) {
        Some(Ok(left)) => HumanDuration(left).to_string(),
        _ => "who knows how long".into(),
    };
    format!(
        "{} values, {}/s, {} failures, {left} to go",
        HumanCount(watch.values()),
        HumanCount(watch.rate() as u64),
        HumanCount(watch.failures()),
    )
}
