//! Observes and stops a running sweep.

pub(crate) mod handle;
pub(crate) mod progress_line;
pub(crate) mod running;
pub(crate) mod status;
pub(crate) mod status_file;
mod ticker;
