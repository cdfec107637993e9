//! How a sweep turned out, for all formats of its report: the outcome in a word, and why the sweep ended.

use std::fmt::{self, Display};

use crate::check::bounds::{ListSize, MAX_LIST_LENGTH};
use crate::plan::interval::contains;
use crate::report::limit::{Limit, Limited};
use crate::report::setting::setting_to;
use crate::report::sweep_report::{Ending, Report};
use crate::texts::{grouped, plural};

/// How a sweep or a merge turned out, in one word. The alternate form `{:#}` is coloured.
#[derive(Clone, Copy)]
pub(crate) enum Outcome {
    Ok,
    Failed,
    Incomplete,
    Interrupted,
    /// There was nothing to check.
    Nothing,
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
            Self::Nothing => ("NOTHING TO CHECK", 33),
        };
        if f.alternate() { write!(f, "\x1b[1;{color}m{word}:\x1b[0m") } else { write!(f, "{word}:") }
    }
}

/// Returns a number of failures, where zero is `no`.
pub(crate) fn number_of(failures: u64) -> String {
    if failures == 0 { "no failure".into() } else { plural(failures.into(), "failure") }
}

/// Returns a sentence if a listed range ends beside inputs of the plan that were not checked.
pub(crate) fn more_may_fail(report: &Report) -> Option<String> {
    let mut ranges = report.first_failures.iter().filter(|failure| failure.last.is_some());
    if report.long_plan.is_some() {
        let text = "a range may end where checking ended: the {}s beside it may fail too";
        return (!report.complete && ranges.next().is_some()).then(|| text.replace("{}", report.noun()));
    }
    let is_open = |number| contains(&report.plan, number) && !contains(&report.covered, number);
    let mut ends =
        ranges.filter_map(|range| range.numbers).flat_map(|range| [range.first - 1, range.last + 1]);
    ends.any(is_open)
        .then(|| format!("a range ends where checking ended: the {}s beside it may fail too", report.noun()))
}

/// Returns why the run ended early, or `None` if it is complete.
pub(crate) fn why_ended(report: &Report) -> Option<String> {
    const PART: &str = "only the part counted above was checked";
    Some(match report.ending {
        Ending::Complete => return None,
        Ending::Failures => {
            let (more, ranges) = (report.unlisted(), report.first_failures.len() as u128);
            // The run may have a higher limit than the list.
            let is_list_full = more > 0 && ListSize::of(&report.first_failures).is_full(MAX_LIST_LENGTH);
            let inputs = u128::from(report.failures - if is_list_full { 0 } else { more });
            let mut text = format!("stopped after {}", plural(inputs, "failure"));
            if is_list_full {
                text += &format!(", of which {} are listed", grouped((report.failures - more).into()));
            } else if inputs > ranges {
                text += &format!(" in {}", plural(ranges, "range"));
            }
            // Threads finish the calls that they have begun when the limit is reached.
            if more > 0 && !is_list_full {
                text += &format!(", and found {} more in the calls under way", grouped(more.into()));
            }
            if let Some(Limit { of: Limited::FailingInputs, number }) = report.limit {
                text += &format!(": the limit is {} failing {}s", grouped(number.into()), report.noun());
            }
            let unlimited = setting_to(&report.program, "max_failures", "0");
            text + &format!(" (use {unlimited} to count them all)")
        }
        Ending::Breakdown => match report.limit {
            Some(limit) => {
                let unlimited = setting_to(&report.program, "max_failures", "0");
                format!("stopped after {limit} of child processes, the limit (use {unlimited} to go on)")
            }
            None => "stopped: the codec broke down for good".into(),
        },
        Ending::Interrupted => format!("interrupted: {PART}"),
        Ending::TimeLimit => format!("time limit reached: {PART}"),
        Ending::Running => format!("not finished: {PART}"),
    })
}
