//! The exit codes of the program.

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
