//! CPU time.

use std::time::{Duration, Instant};

/// Returns the CPU time used so far by all threads, if the system reports it.
pub(crate) fn cpu_time() -> Option<Duration> {
    #[cfg(unix)]
    return rustix::time::clock_gettime(rustix::time::ClockId::ProcessCPUTime).try_into().ok();
    #[cfg(not(unix))]
    return None;
}

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

    pub(crate) fn seconds(&self) -> f64 {
        self.start.elapsed().as_secs_f64()
    }

    /// Returns the CPU time of all threads so far, if the system reports it.
    pub(crate) fn cpu_seconds(&self) -> Option<f64> {
        cpu_time().zip(self.cpu).map(|(now, start)| now.saturating_sub(start).as_secs_f64())
    }
}
