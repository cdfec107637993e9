//! The worker threads of a sweep.

use crate::error::SweepError;

/// Starts that many threads.
pub(crate) fn pool(threads: usize) -> Result<rayon::ThreadPool, SweepError> {
    rayon::ThreadPoolBuilder::new()
        .num_threads(threads)
        .thread_name(|index| format!("sweep-{index}"))
        .build()
        .map_err(|error| SweepError::Usage(format!("cannot start {threads} threads ({error}): use fewer")))
}
