//! The live line: bar, values, rate, time to go, failures.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::thread::{self, JoinHandle};
use std::time::Duration;

use indicatif::{HumanCount, HumanDuration, ProgressBar, ProgressStyle};

use super::watch::Watch;

/// Parts of the bar: the goal may be a time as well as a number of values.
const PARTS: u64 = 10_000;

/// A live line on standard error for one watched sweep; nothing where that is no terminal. Ends when dropped.
#[derive(Debug)]
pub struct Progress {
    ended: Arc<AtomicBool>,
    drawing: Option<JoinHandle<()>>,
}

impl Progress {
    /// Starts to draw.
    pub fn of(watch: Arc<Watch>) -> Self {
        let ended = Arc::new(AtomicBool::new(false));
        let drawing = thread::Builder::new().name("progress".into()).spawn({
            let ended = Arc::clone(&ended);
            move || draw(&watch, &ended)
        });
        Self { ended, drawing: drawing.ok() }
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        self.ended.store(true, Relaxed);
        if let Some(drawing) = self.drawing.take() {
            drawing.thread().unpark();
            let _ = drawing.join();
        }
    }
}

fn draw(watch: &Watch, ended: &AtomicBool) {
    let bar = ProgressBar::new(PARTS);
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
