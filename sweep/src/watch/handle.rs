//! A running sweep seen from outside: how far it is, and a way to stop it.

use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};
use std::time::{Duration, Instant, SystemTime};

use crossbeam_utils::CachePadded;

use crate::error::SweepError;
use crate::report::sweep_report::Report;
use crate::watch::running::Running;

/// Shared with a running sweep: read its progress, or ask it to stop.
pub struct Watch {
    program: String,
    values: CachePadded<AtomicU64>,
    failures: CachePadded<AtomicU64>,
    stopped: CachePadded<AtomicBool>,
    /// Values that were checked before this run.
    resumed: AtomicU64,
    start: OnceLock<(Instant, Goal)>,
    running: OnceLock<Arc<Running>>,
    checkpoint: OnceLock<PathBuf>,
    saved: Mutex<Option<SystemTime>>,
    end: OnceLock<Result<Report, SweepError>>,
}

/// What ends a sweep.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Goal {
    /// So many values.
    Values(u128),
    /// So much time.
    Time(Duration),
}

impl Default for Watch {
    fn default() -> Self {
        Self::new()
    }
}

impl Watch {
    /// Returns a watch for one sweep of this library.
    pub fn new() -> Self {
        Self::for_program(concat!(env!("CARGO_PKG_NAME"), " ", env!("CARGO_PKG_VERSION")))
    }

    /// Returns a watch for one sweep of a program of that name and version, which its reports name and its
    /// checkpoints must agree with.
    pub fn for_program(program: impl Into<String>) -> Self {
        Self {
            program: program.into(),
            values: CachePadded::default(),
            failures: CachePadded::default(),
            stopped: CachePadded::default(),
            resumed: AtomicU64::new(0),
            start: OnceLock::new(),
            running: OnceLock::new(),
            checkpoint: OnceLock::new(),
            saved: Mutex::new(None),
            end: OnceLock::new(),
        }
    }

    /// Returns the name and version of the program.
    pub fn program(&self) -> &str {
        &self.program
    }

    /// Values checked so far (wraps at 2^64), with those of earlier runs of a resumed sweep.
    pub fn values(&self) -> u64 {
        self.values.load(Relaxed).wrapping_add(self.resumed.load(Relaxed))
    }

    /// Values per second since this run began.
    pub fn rate(&self) -> f64 {
        let seconds = self.start().map_or(0.0, |(start, _)| start.elapsed().as_secs_f64());
        self.values.load(Relaxed) as f64 / seconds.max(1e-9)
    }

    /// The part of the work that is done, from 0 to 1, and the seconds that the rest will take, as far as one can tell.
    pub fn part(&self) -> (f64, Option<f64>) {
        let Some((start, goal)) = self.start() else { return (0.0, None) };
        match goal {
            Goal::Values(0) => (1.0, Some(0.0)),
            Goal::Values(all) => {
                let left = (all as f64 - self.values() as f64).max(0.0);
                (1.0 - left / all as f64, Some(left / self.rate()).filter(|seconds| seconds.is_finite()))
            }
            Goal::Time(budget) => {
                let left = budget.saturating_sub(start.elapsed()).as_secs_f64();
                (1.0 - left / budget.as_secs_f64().max(1e-9), Some(left))
            }
        }
    }

    /// The report of what is done so far; `None` before the first value.
    pub fn report(&self) -> Option<Report> {
        self.running.get().map(|running| running.so_far())
    }

    /// How it ended; `None` before that.
    pub fn ended(&self) -> Option<&Result<Report, SweepError>> {
        self.end.get()
    }

    /// The file that it keeps its checkpoint in, if it does.
    pub fn checkpoint(&self) -> Option<&Path> {
        self.checkpoint.get().map(PathBuf::as_path)
    }

    /// When this run last saved its checkpoint.
    pub fn saved(&self) -> Option<SystemTime> {
        *self.saved.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Failures found so far.
    pub fn failures(&self) -> u64 {
        self.failures.load(Relaxed)
    }

    /// When the sweep began to check values and what will end it; `None` before that.
    pub fn start(&self) -> Option<(Instant, Goal)> {
        self.start.get().copied()
    }

    /// Asks the sweep to finish the blocks that are running and to report.
    pub fn stop(&self) {
        self.stopped.store(true, Relaxed);
    }

    /// Whether it was asked to.
    pub fn is_stopped(&self) -> bool {
        self.stopped.load(Relaxed)
    }

    /// Begins a run that `resumed` values precede.
    pub(crate) fn begin(&self, goal: Goal, resumed: u64, failures: u64) -> Instant {
        self.resumed.store(resumed, Relaxed);
        self.failures.store(failures, Relaxed);
        self.start.get_or_init(|| (Instant::now(), goal)).0
    }

    /// Lets others have reports of the run.
    pub(crate) fn show(&self, running: Arc<Running>) {
        let _ = self.running.set(running); // the first of several runs is the one that is watched
    }

    /// Says where the checkpoint is.
    pub(crate) fn keep_in(&self, checkpoint: &Path) {
        let _ = self.checkpoint.set(checkpoint.to_owned()); // likewise
    }

    /// Says that it was saved.
    pub(crate) fn saved_now(&self) {
        *self.saved.lock().unwrap_or_else(PoisonError::into_inner) = Some(SystemTime::now());
    }

    /// Says how the run ended.
    pub(crate) fn end(&self, result: Result<Report, SweepError>) {
        let _ = self.end.set(result); // likewise
    }

    /// Adds to the counts.
    pub(crate) fn add(&self, values: u64, failures: u64) {
        self.values.fetch_add(values, Relaxed);
        self.failures.fetch_add(failures, Relaxed);
    }
}
