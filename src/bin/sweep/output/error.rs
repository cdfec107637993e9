//! The exit codes of the program, and the error of a command.

use std::fmt::Display;

use every_input::{Ending, FileError, Report, SweepError};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub(crate) enum ExitCode {
    Success = 0,
    /// Inputs failed, or the codec broke down for good. A scheduler need not run the sweep again.
    Failures = 1,
    Usage = 2,
    /// A file cannot be read or written, or belongs to another sweep.
    File = 3,
    Slow = 4,
    /// The time limit passed before the sweep was complete. The command `timeout` uses the same
    /// number.
    TimeLimit = 124,
    /// Ctrl-C or SIGTERM ended the command. Shells use the same number: 128 + SIGINT.
    Interrupted = 130,
}

impl ExitCode {
    /// The order in which the help names them if several apply.
    const ORDER: [Self; 5] = [Self::File, Self::Interrupted, Self::Failures, Self::TimeLimit, Self::Slow];

    /// Returns the code of a sweep with this report. `is_unwritten` is whether one of its files cannot
    /// be written.
    pub(crate) fn of(report: &Report, is_unwritten: bool, is_slow: bool) -> Self {
        let by_ending = match report.ending {
            Ending::Interrupted | Ending::Running => Self::Interrupted,
            Ending::TimeLimit => Self::TimeLimit,
            Ending::Breakdown => Self::Failures,
            _ => Self::Success,
        };
        let is = |applies: bool, code| if applies { code } else { Self::Success };
        let [unwritten, slow] = [is(is_unwritten, Self::File), is(is_slow, Self::Slow)];
        Self::first_of(&[unwritten, slow, by_ending, is(report.failures > 0, Self::Failures)])
    }

    /// Returns the code of several sweeps: the first one in the order of the help that any of them has.
    pub(crate) fn first_of(codes: &[Self]) -> Self {
        Self::ORDER.into_iter().find(|code| codes.contains(code)).unwrap_or(Self::Success)
    }
}

/// The error of a command: a message for the user, unless it is printed already, and the exit code.
#[derive(Debug)]
pub(crate) struct Error {
    pub(crate) exit_code: ExitCode,
    pub(crate) message: Option<String>,
}

impl Error {
    pub(crate) fn usage(message: impl Display) -> Self {
        Self { exit_code: ExitCode::Usage, message: Some(message.to_string()) }
    }

    pub(crate) fn file(message: impl Display) -> Self {
        Self { exit_code: ExitCode::File, message: Some(message.to_string()) }
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
    use every_input::{Interval, Sweep, all};

    use super::*;

    /// The tests of the program have other causes, but cannot interrupt a sweep after a failure.
    #[test]
    fn an_interrupted_sweep_says_so_even_if_a_value_failed() {
        let sweep = Sweep::of(all::<u8>()).ranges([Interval { first: 0, last: 0 }]);
        let mut report = sweep.report("test", &|_| false).unwrap();
        assert_eq!(ExitCode::of(&report, false, true), ExitCode::Failures);
        report.ending = Ending::Interrupted;
        assert_eq!(ExitCode::of(&report, false, true), ExitCode::Interrupted);
        assert_eq!(ExitCode::of(&report, true, true), ExitCode::File);
    }
}
