//! The limits of a run: its worker threads, and the number of failures that ends it.

use crate::error::SweepError;

/// The number of failures that a report lists if no number of them ends the run.
const LISTED: usize = 20;

/// The number of threads that work, and of failures that end the work.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Limits {
    /// Worker threads; at least one.
    pub(crate) threads: usize,
    /// Failures that end the run; 0: none do.
    pub(crate) max_failures: u64,
}

impl Default for Limits {
    fn default() -> Self {
        Self { threads: std::thread::available_parallelism().map_or(1, usize::from), max_failures: 10 }
    }
}

impl Limits {
    /// Returns whether that many failures end the run.
    pub(crate) fn is_enough(self, failures: u64) -> bool {
        self.max_failures > 0 && failures >= self.max_failures
    }

    /// Returns the number of failures that a report lists.
    pub(crate) fn listed(self) -> usize {
        if self.max_failures == 0 { LISTED } else { usize::try_from(self.max_failures).unwrap_or(usize::MAX) }
    }

    /// Returns the number of failures to keep: a run that resumes this one may list more.
    pub(crate) fn kept(self) -> usize {
        self.listed().max(LISTED)
    }

    /// Starts the threads.
    pub(crate) fn pool(self) -> Result<rayon::ThreadPool, SweepError> {
        let threads = self.threads;
        rayon::ThreadPoolBuilder::new()
            .num_threads(threads)
            .thread_name(|index| format!("sweep-{index}"))
            .build()
            .map_err(|error| {
                SweepError::Usage(format!("cannot start {threads} threads ({error}): use fewer"))
            })
    }
}
