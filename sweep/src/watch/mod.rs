//! How a running sweep is observed and stopped.

pub(crate) mod handle;
pub(crate) mod progress_line;
pub(crate) mod running;
pub(crate) mod status;
pub(crate) mod status_file;
