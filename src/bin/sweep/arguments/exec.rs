//! The options for programs that run as child processes.

use std::time::Duration;

use clap::Args;
use every_input::SweepError;

use super::common::{CODEC, duration};
use crate::output::error::Error;

/// The programs to check, and their time limit.
#[derive(Args)]
pub(crate) struct ExecArguments {
    /// Check a program in any language, run as a child process
    ///
    /// COMMAND starts a program that follows the protocol that `sweep protocol` prints, with programs
    /// to start from. One child runs for each thread. COMMAND is split into words as in a shell, but
    /// no shell runs. The option can be repeated, and a table shows the results.
    #[arg(long = "exec", value_name = "COMMAND", help_heading = CODEC)]
    pub(crate) commands: Vec<String>,
    /// Time limit for each answer of the --exec program
    #[arg(
        long = "exec-timeout",
        value_name = "DURATION",
        default_value = "10s",
        value_parser = duration,
        requires = "commands",
        help_heading = CODEC,
        hide_short_help = true
    )]
    pub(crate) timeout: Duration,
}

impl ExecArguments {
    /// Starts each program.
    pub(crate) fn start<C>(
        &self,
        start: impl Fn(&str, Duration) -> Result<C, SweepError>,
    ) -> Result<Vec<C>, Error> {
        let started = self.commands.iter().map(|command| start(command, self.timeout));
        started.map(|child| child.map_err(|error| Error::usage(format_args!("--exec: {error}")))).collect()
    }

    /// Returns the options that name these programs, with their values.
    pub(crate) fn options(&self) -> Vec<(&str, String)> {
        let mut options: Vec<_> = self.commands.iter().map(|command| ("--exec", command.clone())).collect();
        if !options.is_empty() {
            options.push(("--exec-timeout", format!("{}s", self.timeout.as_secs_f64())));
        }
        options
    }
}
