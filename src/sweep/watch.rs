//! A running sweep seen from outside: how far it is, and a way to stop it.

use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};
use std::time::{Duration, Instant};

use crossbeam_utils::CachePadded;

/// Shared with a running sweep: read its progress, or ask it to stop.
#[derive(Debug, Default)]
pub struct Watch {
    values: CachePadded<AtomicU64>,
    failures: CachePadded<AtomicU64>,
    stopped: CachePadded<AtomicBool>,
    start: OnceLock<(Instant, Goal)>,
}

/// What ends a sweep.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Goal {
    /// So many values.
    Values(u128),
    /// So much time.
    Time(Duration),
}

impl Watch {
    /// A watch for one sweep.
    pub fn new() -> Self {
        Self::default()
    }

    /// Values checked so far (wraps at 2^64).
    pub fn values(&self) -> u64 {
        self.values.load(Relaxed)
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

    pub(super) fn begin(&self, goal: Goal) -> Instant {
        self.start.get_or_init(|| (Instant::now(), goal)).0
    }

    /// Adds to the counts; the failures in all.
    pub(super) fn add(&self, values: u64, failures: u64) -> u64 {
        self.values.fetch_add(values, Relaxed);
        self.failures.fetch_add(failures, Relaxed) + failures
    }
}
