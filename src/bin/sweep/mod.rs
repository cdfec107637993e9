//! The parts of the program: a file for each subcommand, each group of options, and what they share.

pub(crate) mod arguments;
pub(crate) mod article2015;
//BYTES pub(crate) mod bytes;
pub(crate) mod codecs;
pub(crate) mod color;
pub(crate) mod completions;
pub(crate) mod console;
#[cfg(feature = "profile")]
pub(crate) mod cpuprofile;
#[cfg(all(feature = "profile", target_os = "linux", target_env = "gnu"))]
pub(crate) mod enclosing;
pub(crate) mod ending;
pub(crate) mod estimate;
pub(crate) mod help;
pub(crate) mod http;
pub(crate) mod interrupt;
pub(crate) mod manual;
pub(crate) mod merge;
pub(crate) mod presets;
#[cfg(feature = "profile")]
pub(crate) mod profile;
pub(crate) mod run;
pub(crate) mod status_request;
pub(crate) mod suggest;
pub(crate) mod watching;
