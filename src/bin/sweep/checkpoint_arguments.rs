//! The options of the checkpoint.

use std::path::PathBuf;
use std::time::Duration;

use clap::Args;

use super::distinct_files::NamedFile;
use super::help_headings::LARGE;
use super::value_parsers::duration;

#[derive(Args)]
pub(crate) struct CheckpointArguments {
    /// Save progress in FILE, and resume from it
    ///
    /// If the sweep is interrupted, run it again with the same arguments to continue. FILE is
    /// created if it does not exist.
    #[arg(long, value_name = "FILE", help_heading = LARGE)]
    pub(crate) checkpoint: Option<PathBuf>,
    /// Time between saves of the checkpoint
    #[arg(
        long,
        value_name = "DURATION",
        default_value = "5s",
        value_parser = duration,
        requires = "checkpoint",
        help_heading = LARGE,
        hide_short_help = true
    )]
    pub(crate) checkpoint_every: Duration,
}

impl CheckpointArguments {
    /// Returns the file that the options name.
    pub(crate) fn file(&self) -> Option<NamedFile<'_>> {
        self.checkpoint.as_deref().map(|path| NamedFile::output("--checkpoint", path))
    }
}
