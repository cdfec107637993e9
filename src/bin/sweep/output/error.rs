//! The exit codes of the program, and the error of a command.

use std::fmt::Display;

use every_input::{Ending, FileError, Report, SweepError};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub(crate) enum ExitCode {
    Success = 0,
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
        match report.ending {
            _ if is_unwritten => Self::File,
            Ending::Interrupted | Ending::Running => Self::Interrupted,
            _ if report.failures > 0 => Self::Failures,
            Ending::TimeLimit => Self::TimeLimit,
            _ if is_slow => Self::Slow,
            _ => Self::Success,
        }
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

    #[test]
    fn the_first_cause_in_the_documented_order_decides() {
        let sweep = Sweep::of(all::<u8>()).ranges([Interval { first: 0, last: 0 }]);
        let mut report = sweep.report("test", &|_| true).unwrap();
        let endings = [(Ending::Complete, None), (Ending::Interrupted, Some(ExitCode::Interrupted))];
        let endings = endings.into_iter().chain([(Ending::TimeLimit, Some(ExitCode::TimeLimit))]);
        for (ending, by_ending) in endings {
            for causes in 0..8 {
                let [is_unwritten, has_failed, is_slow] = [1, 2, 4].map(|bit| causes & bit > 0);
                (report.ending, report.failures) = (ending, has_failed.into());
                let of = |is_true: bool, code| is_true.then_some(code);
                let apply: Vec<_> = [
                    of(is_unwritten, ExitCode::File),
                    of(has_failed, ExitCode::Failures),
                    of(is_slow, ExitCode::Slow),
                    by_ending,
                ]
                .into_iter()
                .flatten()
                .collect();
                let expected = ExitCode::ORDER.into_iter().find(|code| apply.contains(code));
                let expected = expected.unwrap_or(ExitCode::Success);
                assert_eq!(ExitCode::of(&report, is_unwritten, is_slow), expected, "{apply:?}");
                assert_eq!(ExitCode::first_of(&apply), expected);
            }
        }
    }
}
