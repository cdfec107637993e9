//! The progress of a running sweep, in memory and in its checkpoint.

pub(crate) mod checkpoint;
pub(crate) mod envelope;
pub(crate) mod failure_lines;
pub(crate) mod failure_list;
pub(crate) mod file_lock;
pub(crate) mod regressions;
pub(crate) mod shared_totals;
pub(crate) mod totals;
