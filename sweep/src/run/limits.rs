//! The limits of a run: the number of worker threads, and the failures or the time that end it.

use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::thread;
use std::time::{Duration, Instant};

use crate::error::SweepError;
use crate::report::sweep_report::LISTED;
use crate::watch::handle::Watch;

/// The number of worker threads, and the number of failures that ends a run.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Limits {
    /// The number of worker threads, at least one.
    pub(crate) threads: usize,
    /// The number of failures that ends the run, where neighbours that fail alike are one; 0 means
    /// no limit.
    pub(crate) max_failures: u64,
    /// The number of failing inputs that ends a run with a limit of failures.
    pub(crate) max_failing_inputs: u64,
}

impl Default for Limits {
    fn default() -> Self {
        let threads = std::thread::available_parallelism().map_or(1, usize::from);
        Self { threads, max_failures: 10, max_failing_inputs: u64::MAX }
    }
}

impl Limits {
    /// Returns whether these ranges of failures with this number of inputs end the run.
    pub(crate) fn is_reached_by(self, ranges: u64, inputs: u64) -> bool {
        self.max_failures > 0 && (ranges >= self.max_failures || inputs >= self.max_failing_inputs)
    }

    pub(crate) fn listed(self) -> usize {
        if self.max_failures == 0 { LISTED } else { usize::try_from(self.max_failures).unwrap_or(usize::MAX) }
    }

    /// Returns the number of failures to keep in a checkpoint. A run that resumes this one may list
    /// more.
    pub(crate) fn kept(self) -> usize {
        self.listed().max(LISTED)
    }

    /// Starts the worker threads, but not more than there are units of work.
    pub(crate) fn pool(self, units: u64) -> Result<rayon::ThreadPool, SweepError> {
        let threads = usize::try_from(units).unwrap_or(usize::MAX).clamp(1, self.threads);
        rayon::ThreadPoolBuilder::new()
            .num_threads(threads)
            .thread_name(|index| format!("sweep-{index}"))
            .build()
            .map_err(|error| {
                SweepError::Usage(format!("cannot start {threads} threads ({error}); use fewer --threads"))
            })
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
    let (has_ended, has_passed) = (AtomicBool::new(false), AtomicBool::new(false));
    let result = thread::scope(|scope| {
        let timer = scope.spawn(|| {
            while !has_ended.load(Relaxed) {
                match end.checked_duration_since(Instant::now()) {
                    Some(left) if !left.is_zero() => thread::park_timeout(left),
                    _ => {
                        has_passed.store(true, Relaxed);
                        watch.stop();
                        return;
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
