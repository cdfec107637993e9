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
