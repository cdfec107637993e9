//! The commands. Each has its arguments and `run`, which returns an exit code or an error.

pub(crate) mod bytes;
pub(crate) mod documents;
#[cfg(unix)]
pub(crate) mod function;
pub(crate) mod merge;
#[cfg(feature = "profile")]
pub(crate) mod profile;
mod run;
pub(crate) mod sweep;
