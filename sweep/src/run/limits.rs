//! The limits of a run: the number of worker threads, and the number of failures that ends it.

use crate::check::subject::Subject;
use crate::error::SweepError;

/// The number of failures that a report lists if the run has no limit of failures.
const LISTED: usize = 20;

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
    /// Returns the limits of a run with this subject.
    pub(crate) fn of(self, subject: &dyn Subject) -> Self {
        Self { max_failing_inputs: subject.max_failing_inputs(), ..self }
    }

    /// Returns whether these ranges of failures with this number of inputs end the run.
    pub(crate) fn is_reached_by(self, ranges: u64, inputs: u64) -> bool {
        self.max_failures > 0 && (ranges >= self.max_failures || inputs >= self.max_failing_inputs)
    }

    /// Returns the number of failures that a report lists.
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
