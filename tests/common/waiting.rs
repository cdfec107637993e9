//! Waiting for another process or thread.

use std::thread;
use std::time::{Duration, Instant};

/// A time limit that only a failing test reaches, even on a slow machine.
pub(crate) const PATIENCE: Duration = Duration::from_secs(120);

/// Calls `look` until it returns a value, and returns that value.
#[track_caller]
pub(crate) fn wait_for<T>(mut look: impl FnMut() -> Option<T>) -> T {
    let start = Instant::now();
    loop {
        if let Some(found) = look() {
            return found;
        }
        assert!(start.elapsed() < PATIENCE, "no value after {PATIENCE:?}");
        thread::sleep(Duration::from_millis(20));
    }
}
