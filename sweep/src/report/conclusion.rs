//! The last lines of a text report: speed, failures, ending and result.

use std::fmt::{self, Display};

use super::sweep_report::{Ending, Report};
use crate::check::failure::Failure;
use crate::numbers::{grouped, plural};

/// Lists the first failures, of which `more` are not listed. Writes nothing if there are none.
pub(crate) fn failures(f: &mut fmt::Formatter<'_>, first: &[Failure], more: u64) -> fmt::Result {
    if first.is_empty() && more == 0 {
        return Ok(());
    }
    writeln!(f, "\nfailures:")?;
    first.iter().try_for_each(|failure| writeln!(f, "  {failure}"))?;
    if more > 0 { writeln!(f, "  and {} more", grouped(more.into())) } else { Ok(()) }
}

/// Returns why the run ended early, or `None` if it is complete.
pub(crate) fn ending(report: &Report) -> Option<String> {
    const PART: &str = "only the part counted above was checked";
    Some(match report.ending {
        Ending::Complete => return None,
        Ending::Failures => {
            let (more, ranges) = (report.unlisted(), report.first_failures.len() as u128);
            let inputs = u128::from(report.failures - more);
            let mut text = format!("stopped after {}", plural(inputs, "failure"));
            if inputs > ranges {
                text += &format!(" in {}", plural(ranges, "range"));
            }
            // Threads finish the calls that they have begun when the limit is reached.
            if more > 0 {
                text += &format!(", and found {} more in the calls under way", grouped(more.into()));
            }
            text + " (use --max-failures 0 to count them all)"
        }
        Ending::Breakdown => "stopped: the codec broke down too often".into(),
        Ending::Regressions => {
            format!("stopped: failures of an earlier sweep occurred again, and {PART}")
        }
        Ending::Interrupted => format!("interrupted: {PART}"),
        Ending::TimeLimit => format!("time limit reached: {PART}"),
        Ending::Running => format!("not finished: {PART}"),
    })
}

/// How a sweep or a merge turned out, in one word. The alternate form `{:#}` is coloured.
#[derive(Clone, Copy)]
pub(crate) enum Outcome {
    Ok,
    Failed,
    Incomplete,
    Interrupted,
}

impl Outcome {
    /// Returns the outcome of a sweep. An interrupted one says so even if it found failures, as its
    /// exit code does.
    pub(crate) fn of(failures: u64, ending: Ending) -> Self {
        match ending {
            Ending::Interrupted => Self::Interrupted,
            _ if failures > 0 => Self::Failed,
            Ending::Complete => Self::Ok,
            _ => Self::Incomplete,
        }
    }
}

impl Display for Outcome {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // The numbers of red, green and yellow in ANSI escape codes.
        let (word, color) = match self {
            Self::Ok => ("OK", 32),
            Self::Failed => ("FAILED", 31),
            Self::Incomplete => ("INCOMPLETE", 33),
            Self::Interrupted => ("INTERRUPTED", 33),
        };
        if f.alternate() { write!(f, "\x1b[1;{color}m{word}:\x1b[0m") } else { write!(f, "{word}:") }
    }
}

/// Returns a number of failures, where zero is `no`.
pub(crate) fn count(failures: u64) -> String {
    if failures == 0 { "no failure".into() } else { plural(failures.into(), "failure") }
}
