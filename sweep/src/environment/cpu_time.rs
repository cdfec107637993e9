//! The CPU time of this process and of the calling thread, and the time of a run.

use std::time::{Duration, Instant};

/// Returns the CPU time used so far by all threads, if the system reports it.
pub(crate) fn cpu_time() -> Option<Duration> {
    #[cfg(unix)]
    {
        rustix::time::clock_gettime(rustix::time::ClockId::ProcessCPUTime).try_into().ok()
    }
    #[cfg(not(unix))]
    {
        None
    }
}

/// Returns the CPU time used so far by this thread, or zero if the system does not report it.
pub(crate) fn thread_time() -> Duration {
    #[cfg(unix)]
    {
        rustix::time::clock_gettime(rustix::time::ClockId::ThreadCPUTime).try_into().unwrap_or_default()
    }
    #[cfg(not(unix))]
    {
        Duration::ZERO
    }
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

    /// Returns the wall-clock time so far.
    pub(crate) fn seconds(&self) -> f64 {
        self.start.elapsed().as_secs_f64()
    }

    /// Returns the CPU time of all threads so far, if the system reports it.
    pub(crate) fn cpu_seconds(&self) -> Option<f64> {
        cpu_time().zip(self.cpu).map(|(now, start)| now.saturating_sub(start).as_secs_f64())
    }
}
