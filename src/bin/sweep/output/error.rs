//! The exit codes of the program, and the error of a command.

use std::fmt::Display;

use every_input::{FileError, SweepError};

/// How a command ended, as an exit code.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub(crate) enum ExitCode {
    /// The command completed and found no failure.
    Success = 0,
    /// The command found failures.
    Failures = 1,
    /// The arguments are invalid.
    Usage = 2,
    /// A file cannot be read or written, or belongs to another sweep.
    File = 3,
    /// The sweep was slower than `--min-rate`.
    Slow = 4,
    /// The time limit passed before the sweep was complete. The command `timeout` uses the same
    /// number.
    TimeLimit = 124,
    /// Ctrl-C or SIGTERM ended the command. Shells use the same number: 128 + SIGINT.
    Interrupted = 130,
}

impl From<ExitCode> for std::process::ExitCode {
    fn from(code: ExitCode) -> Self {
        Self::from(code as u8)
    }
}

impl From<ExitCode> for i32 {
    fn from(code: ExitCode) -> Self {
        Self::from(code as u8)
    }
}

/// The error of a command: a message for the user, unless it is printed already, and the exit code.
#[derive(Debug)]
pub(crate) struct Error {
    exit_code: ExitCode,
    message: Option<String>,
    /// Whether the command has not written its outputs.
    is_refusal: bool,
}

impl Error {
    /// Returns the error for invalid arguments.
    pub(crate) fn usage(message: impl Display) -> Self {
        Self { exit_code: ExitCode::Usage, message: Some(message.to_string()), is_refusal: true }
    }

    /// Returns the error for a file that cannot be used.
    pub(crate) fn file(message: impl Display) -> Self {
        Self { exit_code: ExitCode::File, message: Some(message.to_string()), is_refusal: true }
    }

    /// Returns the same error of a command that has written its outputs or removed them.
    pub(crate) fn after_output(self) -> Self {
        Self { is_refusal: false, ..self }
    }

    /// Returns whether the command ended before it wrote any output.
    pub(crate) fn is_refusal(&self) -> bool {
        self.is_refusal
    }

    /// Removes and returns the message, so that it is printed once.
    pub(crate) fn take_message(&mut self) -> Option<String> {
        self.message.take()
    }

    /// Returns the exit code of the program.
    pub(crate) fn exit_code(&self) -> ExitCode {
        self.exit_code
    }
}

impl From<FileError> for Error {
    fn from(error: FileError) -> Self {
        Self::file(error)
    }
}

impl From<SweepError> for Error {
    fn from(error: SweepError) -> Self {
        match error {
            SweepError::File(_) => Self::file(error),
            _ => Self::usage(error),
        }
    }
}
