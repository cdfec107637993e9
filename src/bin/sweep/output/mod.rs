//! What the commands print and write, and how they react to signals.

pub(crate) mod console;
pub(crate) mod error;
pub(crate) mod files;
pub(crate) mod report;
pub(crate) mod signals;
