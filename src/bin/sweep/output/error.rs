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

/// The error of a command: messages for the user, and the exit code.
///
/// A command writes all its outputs even if one of them fails. The error has one message for each
/// output that failed.
#[derive(Debug)]
pub(crate) struct Error {
    exit_code: ExitCode,
    messages: Vec<String>,
    /// Whether the command has not written its outputs.
    is_refusal: bool,
}

impl Error {
    /// Returns the error for invalid arguments.
    pub(crate) fn usage(message: impl Display) -> Self {
        Self { exit_code: ExitCode::Usage, messages: vec![message.to_string()], is_refusal: true }
    }

    /// Returns the error for a file that cannot be used.
    pub(crate) fn file(message: impl Display) -> Self {
        Self { exit_code: ExitCode::File, messages: vec![message.to_string()], is_refusal: true }
    }

    /// Joins the results of several outputs, all of which were written.
    ///
    /// # Errors
    ///
    /// Returns an error if an output failed. It has the messages of all errors in their order, and
    /// the exit code of the last one.
    pub(crate) fn join(results: impl IntoIterator<Item = Result<(), Self>>) -> Result<(), Self> {
        let joined = results.into_iter().filter_map(Result::err).reduce(|mut first, next| {
            first.messages.extend(next.messages);
            Self { exit_code: next.exit_code, ..first }
        });
        joined.map_or(Ok(()), |error| Err(error.after_output()))
    }

    /// Returns the same error of a command that has written its outputs or removed them.
    pub(crate) fn after_output(self) -> Self {
        Self { is_refusal: false, ..self }
    }

    /// Returns whether the command ended before it wrote any output.
    pub(crate) fn is_refusal(&self) -> bool {
        self.is_refusal
    }

    /// Removes and returns the messages, so that each one is printed once.
    pub(crate) fn take_messages(&mut self) -> Vec<String> {
        std::mem::take(&mut self.messages)
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn joined_errors_keep_every_message_and_the_last_exit_code() {
        let results = [Err(Error::usage("one")), Ok(()), Err(Error::file("two"))];
        let mut error = Error::join(results).unwrap_err();
        assert_eq!(error.exit_code(), ExitCode::File);
        assert_eq!(error.take_messages(), ["one", "two"]);
        assert!(error.take_messages().is_empty(), "a message is printed once");
        assert!(Error::join([Ok(()), Ok(())]).is_ok());
    }
}
