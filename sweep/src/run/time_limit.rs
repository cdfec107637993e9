//! Ends a sweep when its time is over.

use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::thread;
use std::time::{Duration, Instant};

use crate::state::shared_totals::NO_CALL;
use crate::watch::handle::Watch;

/// The time after the limit in which calls must return: longer than a child may take for an answer,
/// or less if the limit is short.
const MOST_PATIENCE: Duration = Duration::from_secs(15);
const LEAST_PATIENCE: Duration = Duration::from_secs(1);

/// Reports the calls that do not return in this time, unless the work ends.
fn report_hang(watch: &Watch, patience: Duration, has_ended: &AtomicBool) {
    let (mut calls, mut end) = (watch.calls(), Instant::now() + patience);
    while !has_ended.load(Relaxed) {
        if let Some(left) = end.checked_duration_since(Instant::now()) {
            thread::park_timeout(left);
            continue;
        }
        let now = watch.calls();
        calls.retain(|call| call[0] != NO_CALL && now.contains(call));
        if !calls.is_empty() {
            return watch.hangs(&calls, patience);
        }
        (calls, end) = (now, Instant::now() + patience);
    }
}

/// Runs `work`, stops the sweep through `watch` if `limit` passes meanwhile, and returns whether it
/// did. The limit counts from `began`.
pub(super) fn within<R>(
    limit: Option<Duration>,
    began: Instant,
    watch: &Watch,
    work: impl FnOnce() -> R,
) -> (R, bool) {
    let Some(limit) = limit else { return (work(), false) };
    let Some(end) = began.checked_add(limit) else { return (work(), false) };
    let patience = limit.saturating_mul(4).clamp(LEAST_PATIENCE, MOST_PATIENCE);
    let (has_ended, has_passed) = (AtomicBool::new(false), AtomicBool::new(false));
    let result = thread::scope(|scope| {
        let timer = scope.spawn(|| {
            while !has_ended.load(Relaxed) {
                match end.checked_duration_since(Instant::now()) {
                    Some(left) if !left.is_zero() => thread::park_timeout(left),
                    _ => {
                        has_passed.store(true, Relaxed);
                        watch.stop();
                        return report_hang(watch, patience, &has_ended);
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
