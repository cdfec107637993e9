//! The options, in groups.

pub(crate) mod codecs;
pub(crate) mod common;
#[cfg(unix)]
pub(crate) mod exec;
pub(crate) mod plan;
pub(crate) mod presets;
#[cfg(feature = "profile")]
pub(crate) mod profile;
pub(crate) mod run;
pub(crate) mod watch;
