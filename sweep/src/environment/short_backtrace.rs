//! The start of the backtraces and profiles of worker threads.

use std::hint::black_box;

/// Calls `work` on a thread of a pool.
///
/// Backtraces of panics and profiles leave out the innermost function of this name and its callers.
/// std has such a function at the start of each thread, so that its own functions are left out. This
/// one leaves out those of the thread pool.
#[inline(never)]
pub(crate) fn __rust_begin_short_backtrace<T>(work: impl FnOnce() -> T) -> T {
    let result = work();
    black_box(()); // so that the call above is not a tail call, which would remove this frame
    result
}
