//! The exit codes of the program.

/// How a command ended, as its exit code tells the caller.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub(crate) enum ExitCode {
    /// The command did its work and found nothing wrong.
    Success = 0,
    /// The command did its work and found failures.
    Failures = 1,
    /// The arguments are invalid.
    Usage = 2,
    /// A file cannot be read or written, or belongs to something else.
    File = 3,
    /// Ctrl-C or SIGTERM ended the work: 128 and the number of SIGINT, as shells count.
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
