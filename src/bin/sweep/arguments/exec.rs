//! The options for programs that run as child processes.

use std::sync::mpsc::{RecvTimeoutError, Sender, channel};
use std::thread;
use std::time::Duration;

use clap::{Args, ValueHint};
use every_input::SweepError;

use super::common::{CODEC, duration};
use crate::output::console::note;
use crate::output::error::Error;

/// The programs to check, and their time limit.
#[derive(Args)]
pub(crate) struct ExecArguments {
    /// Check a program in any language, run as a child process
    ///
    /// COMMAND starts a program that follows the protocol that `sweep protocol` prints, with programs
    /// to start from. One child runs for each thread. COMMAND is split into words as in a shell, but
    /// no shell runs. The option can be repeated, and a table shows the results.
    #[arg(long = "exec", value_name = "COMMAND", value_hint = ValueHint::CommandString, help_heading = CODEC)]
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
    /// Starts each program. Unless `quiet`, prints what it waits for if that takes longer than a second.
    /// Each program is started with this reference, if there is one.
    pub(crate) fn start<C>(
        &self,
        quiet: bool,
        reference: Option<&str>,
        start: impl Fn(&str, Duration) -> Result<C, SweepError>,
    ) -> Result<Vec<C>, Error> {
        let started = self.commands.iter().map(|command| {
            let waiting = (!quiet).then(|| self.tell_later(command, reference));
            let started = start(command, self.timeout);
            drop(waiting);
            started
        });
        started.map(|child| child.map_err(|error| Error::usage(format_args!("--exec: {error}")))).collect()
    }

    /// Prints that a program has not answered yet, in a second, unless the result is dropped earlier.
    fn tell_later(&self, command: &str, reference: Option<&str>) -> Sender<()> {
        let or = reference.map(|reference| format!(" or '{reference}'")).unwrap_or_default();
        let message = format!(
            "waiting for the first answer of '{command}'{or}, which may take {:?} (see --exec-timeout)",
            self.timeout
        );
        let (answered, waiting) = channel();
        let tell = move || {
            if waiting.recv_timeout(Duration::from_secs(1)) == Err(RecvTimeoutError::Timeout) {
                note(message);
            }
        };
        // Without a thread, there is no message.
        let _ = thread::Builder::new().name("exec-start".into()).spawn(tell);
        answered
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
