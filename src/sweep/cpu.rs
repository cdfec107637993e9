//! CPU time of this process and of the calling thread.

use std::time::Duration;

/// CPU time used so far by all threads; `None` where the system does not tell.
#[cfg(unix)]
pub(super) fn cpu_time() -> Option<Duration> {
    let time = rustix::time::clock_gettime(rustix::time::ClockId::ProcessCPUTime);
    time.try_into().ok()
}

/// CPU time used so far by the thread that asks; `None` where the system does not tell.
#[cfg(unix)]
pub(super) fn thread_cpu_time() -> Option<Duration> {
    let time = rustix::time::clock_gettime(rustix::time::ClockId::ThreadCPUTime);
    time.try_into().ok()
}

/// CPU time used so far by all threads; `None` where the system does not tell.
#[cfg(not(unix))]
pub(super) fn cpu_time() -> Option<Duration> {
    None
}

/// CPU time used so far by the thread that asks; `None` where the system does not tell.
#[cfg(not(unix))]
pub(super) fn thread_cpu_time() -> Option<Duration> {
    None
}
