//! How a sweep is run: its settings, its threads, and the course of one run.

pub(crate) mod autosave;
pub(crate) mod estimate;
pub(crate) mod limits;
pub(crate) mod rate;
pub(crate) mod session;
pub(crate) mod settings;
pub(crate) mod sweep;
pub(crate) mod worker;
