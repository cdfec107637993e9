//! Runs a sweep: its settings, its worker threads, and one run from start to report.

pub(crate) mod assertion;
pub(crate) mod limits;
pub(crate) mod session;
pub(crate) mod settings;
pub(crate) mod sweep;
pub(crate) mod worker;
