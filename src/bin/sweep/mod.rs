//! The parts of the program.
//!
//! `x_command` is a subcommand, `sweep_command` the sweep itself, and `x_arguments` a group of
//! options. A command returns an [`exit_code::ExitCode`] or an [`error::Error`].

pub(crate) mod article2015;
pub(crate) mod builtin_codecs;
pub(crate) mod builtin_decoders;
pub(crate) mod bytes_command;
pub(crate) mod checkpoint_arguments;
pub(crate) mod codec_arguments;
#[cfg(test)]
mod command_line_tests;
pub(crate) mod completions_command;
pub(crate) mod console;
#[cfg(feature = "profile")]
pub(crate) mod cpu_profile_arguments;
pub(crate) mod distinct_files;
pub(crate) mod error;
pub(crate) mod exit_code;
pub(crate) mod failures_file;
pub(crate) mod help_headings;
pub(crate) mod http_arguments;
pub(crate) mod integer_type;
pub(crate) mod interrupt_signal;
pub(crate) mod man_command;
pub(crate) mod merge_command;
pub(crate) mod mode_arguments;
pub(crate) mod named_output;
pub(crate) mod plan_arguments;
pub(crate) mod presets;
#[cfg(feature = "profile")]
pub(crate) mod profile_command;
#[cfg(feature = "profile")]
pub(crate) mod profile_source;
pub(crate) mod range_argument;
pub(crate) mod replay_command;
pub(crate) mod replayed_failures;
pub(crate) mod report_arguments;
pub(crate) mod report_output;
pub(crate) mod result_color;
pub(crate) mod run_arguments;
pub(crate) mod shard_choice;
pub(crate) mod status_signal;
pub(crate) mod sweep_command;
pub(crate) mod value_parsers;
pub(crate) mod watch_arguments;

/// The name and version of the program, for its reports.
pub(crate) const PROGRAM: &str = concat!(env!("CARGO_PKG_NAME"), " ", env!("CARGO_PKG_VERSION"));
