//! The headings that group options in the help.

pub(crate) const WHAT: &str = "What to check";
pub(crate) const CODEC: &str = "Codec";
pub(crate) const LARGE: &str = "Large runs";
pub(crate) const WATCHING: &str = "Watching";
#[cfg(feature = "profile")]
pub(crate) const PROFILING: &str = "Profiling";
pub(crate) const OUTPUT: &str = "Output";
