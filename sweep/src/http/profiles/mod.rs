//! Profiles of the running sweep, taken on request.

pub(super) mod profiler;
pub(super) mod query;
pub(super) mod queue;
