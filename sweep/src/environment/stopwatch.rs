//! The wall-clock and CPU time of a run.

use std::time::{Duration, Instant};

use super::cpu_time::cpu_time;

/// A running measurement of wall-clock and CPU time.
#[derive(Clone, Copy)]
pub(crate) struct Stopwatch {
    start: Instant,
    /// The CPU time at the start.
    cpu: Option<Duration>,
}

impl Stopwatch {
    /// Starts measuring CPU time from now and wall-clock time from `start`.
    pub(crate) fn since(start: Instant) -> Self {
        Self { start, cpu: cpu_time() }
    }

    /// Returns the wall-clock time so far.
    pub(crate) fn seconds(&self) -> f64 {
        self.start.elapsed().as_secs_f64()
    }

    /// Returns the CPU time of all threads so far, if the system reports it.
    pub(crate) fn cpu_seconds(&self) -> Option<f64> {
        cpu_time().zip(self.cpu).map(|(now, start)| now.saturating_sub(start).as_secs_f64())
    }
}
