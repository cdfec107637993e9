//! The CPU time of this process and of the calling thread.

use std::time::Duration;

/// Returns the CPU time used so far by all threads, if the system reports it.
#[cfg(unix)]
pub(crate) fn cpu_time() -> Option<Duration> {
    let time = rustix::time::clock_gettime(rustix::time::ClockId::ProcessCPUTime);
    time.try_into().ok()
}

/// Returns the CPU time used so far by all threads, if the system reports it.
#[cfg(not(unix))]
pub(crate) fn cpu_time() -> Option<Duration> {
    None
}

/// Returns the CPU time used so far by this thread, from an arbitrary start. This is wall-clock
/// time if the system does not report CPU time.
#[cfg(unix)]
pub(crate) fn thread_time() -> Duration {
    let time = rustix::time::clock_gettime(rustix::time::ClockId::ThreadCPUTime);
    time.try_into().unwrap_or_default()
}

/// Returns the CPU time used so far by this thread, from an arbitrary start. This is wall-clock
/// time if the system does not report CPU time.
#[cfg(not(unix))]
pub(crate) fn thread_time() -> Duration {
    use std::sync::LazyLock;
    use std::time::Instant;

    static START: LazyLock<Instant> = LazyLock::new(Instant::now);
    START.elapsed()
}
