//! CPU time of this process and of the calling thread.

use std::time::Duration;

/// CPU time used so far by all threads; `None` where the system does not tell.
#[cfg(unix)]
pub(crate) fn cpu_time() -> Option<Duration> {
    let time = rustix::time::clock_gettime(rustix::time::ClockId::ProcessCPUTime);
    time.try_into().ok()
}

/// CPU time used so far by all threads; `None` where the system does not tell.
#[cfg(not(unix))]
pub(crate) fn cpu_time() -> Option<Duration> {
    None
}

/// CPU time used so far by this thread, from any start; where the system does not tell, time itself.
#[cfg(unix)]
pub(crate) fn thread_time() -> Duration {
    let time = rustix::time::clock_gettime(rustix::time::ClockId::ThreadCPUTime);
    time.try_into().unwrap_or_default()
}

/// CPU time used so far by this thread, from any start; where the system does not tell, time itself.
#[cfg(not(unix))]
pub(crate) fn thread_time() -> Duration {
    use std::sync::LazyLock;
    use std::time::Instant;

    static START: LazyLock<Instant> = LazyLock::new(Instant::now);
    START.elapsed()
}
