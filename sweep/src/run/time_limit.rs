//! Ends a sweep when its time is over.

use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::thread;
use std::time::{Duration, Instant};

use crate::watch::handle::Watch;

/// Runs `work`, stops the sweep through `watch` if `limit` passes meanwhile, and returns whether it
/// did. The limit counts from `began`.
pub(super) fn within<R>(
    limit: Option<Duration>,
    began: Instant,
    watch: &Watch,
    work: impl FnOnce() -> R,
) -> (R, bool) {
    let Some(end) = limit.and_then(|limit| began.checked_add(limit)) else { return (work(), false) };
    let (has_ended, has_passed) = (AtomicBool::new(false), AtomicBool::new(false));
    let result = thread::scope(|scope| {
        let timer = scope.spawn(|| {
            while !has_ended.load(Relaxed) {
                match end.checked_duration_since(Instant::now()) {
                    Some(left) if !left.is_zero() => thread::park_timeout(left),
                    _ => {
                        has_passed.store(true, Relaxed);
                        return watch.stop();
                    }
                }
            }
        });
        let result = work();
        has_ended.store(true, Relaxed);
        timer.thread().unpark();
        result
    });
    (result, has_passed.into_inner())
}
