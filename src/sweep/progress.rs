//! The live line: bar, values, rate, time to go, failures.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::thread::{self, JoinHandle};
use std::time::Duration;

use indicatif::{HumanCount, ProgressBar, ProgressStyle};

use super::watch::{Goal, Watch};

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
    if let Ok(style) = ProgressStyle::with_template("{elapsed} [{bar:30}] {msg}, {eta} to go") {
        bar.set_style(style.progress_chars("=> "));
    }
    while !ended.load(Relaxed) {
        if let Some((start, goal)) = watch.start() {
            let (values, seconds) = (watch.values(), start.elapsed().as_secs_f64());
            let part = match goal {
                Goal::Values(all) => values as f64 / all.max(1) as f64,
                Goal::Time(budget) => seconds / budget.as_secs_f64(),
            };
            bar.set_position((part.min(1.0) * PARTS as f64) as u64);
            let rate = HumanCount((values as f64 / seconds.max(1e-9)) as u64);
            bar.set_message(format!(
                "{} values, {rate}/s, {} failures",
                HumanCount(values),
                HumanCount(watch.failures())
            ));
        }
        thread::park_timeout(Duration::from_millis(100));
    }
    bar.finish_and_clear();
}
