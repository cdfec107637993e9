//! The CPU time of this process.

use std::time::Duration;

use rustix::time::{ClockId, clock_gettime};

/// Returns the CPU time that all threads have used so far, or `None` if the system does not report
/// it.
pub(super) fn cpu_time() -> Option<Duration> {
    clock_gettime(ClockId::ProcessCPUTime).try_into().ok()
}
