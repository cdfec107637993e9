//! CPU time of this process.

use std::time::Duration;

/// CPU time used so far by all threads; `None` where the system does not tell.
#[cfg(unix)]
pub(super) fn cpu_time() -> Option<Duration> {
    let time = rustix::time::clock_gettime(rustix::time::ClockId::ProcessCPUTime);
    time.try_into().ok()
}

/// CPU time used so far by all threads; `None` where the system does not tell.
#[cfg(not(unix))]
pub(super) fn cpu_time() -> Option<Duration> {
    None
}
