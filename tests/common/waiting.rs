//! Waiting for what another process or another thread does.

use std::thread;
use std::time::{Duration, Instant};

/// Longer than anything takes on the slowest machine: only a test that fails waits so long.
pub(crate) const PATIENCE: Duration = Duration::from_secs(120);

/// Returns what `look` finds, as soon as it finds something.
#[track_caller]
pub(crate) fn wait_for<T>(mut look: impl FnMut() -> Option<T>) -> T {
    let start = Instant::now();
    loop {
        if let Some(found) = look() {
            return found;
        }
        assert!(start.elapsed() < PATIENCE, "it never came");
        thread::sleep(Duration::from_millis(20));
    }
}
