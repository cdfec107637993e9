//! The status of a running sweep, which the status file has.

use std::mem;
use std::path::PathBuf;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use humantime::format_rfc3339_seconds;
use serde::Serialize;

use crate::report::decimal;
use crate::report::running_report::Goal;
use crate::report::sweep_report::{Ending, Report, ThreadCpu};
use crate::watch::handle::Watch;
use crate::watch::progress::SweepProgress;

/// The progress and the failures of a sweep at one moment.
///
/// In JSON, integers that can exceed 2^53 are decimal strings, and times are UTC as in RFC 3339.
///
/// ```
/// use every_input::{Ending, Status, Sweep, Watch, all};
///
/// let watch = Watch::new();
/// assert!(Status::of(&watch).report.is_none());
/// Sweep::of(all::<u16>()).report_watched("always true", &|_: u16| true, &watch, None)?;
/// let report = Status::of(&watch).report.expect("the sweep has begun");
/// assert_eq!((report.ending, report.values), (Ending::Complete, 65_536));
/// # Ok::<(), every_input::SweepError>(())
/// ```
#[derive(Clone, Debug, Serialize)]
#[non_exhaustive]
pub struct Status {
    /// The time of this status. If it is several seconds old in a status file whose report says
    /// `running`, the process was killed.
    pub time: String,
    /// The ID of the process.
    pub pid: u32,
    /// Why the sweep could not be run, if it could not.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub error: Option<String>,
    /// The fraction that is done, from 0 to 1: of the values, or of the time if the sweep has a budget or
    /// its time limit comes first.
    pub part: f64,
    /// Values to check in total; `None` if the sweep has a budget instead.
    #[serde(with = "decimal::optional")]
    pub of: Option<u128>,
    /// The estimated remaining seconds; `None` if there is no estimate.
    pub eta_seconds: Option<f64>,
    /// The listed failures as the text of a report shows them.
    pub failures: Vec<String>,
    /// A command for a shell that checks the first failures again; `None` without failures, or if
    /// the program has no such command (see [`Watch::replay_command`]).
    pub replay: Option<String>,
    checkpoint: Option<CheckpointStatus>,
    /// The CPU time by thread since the start of the sweep: the
    /// [`cpu_by_thread`](Report::cpu_by_thread) of the report, which is empty there.
    pub threads: Vec<ThreadCpu>,
    /// The warnings of this run so far.
    pub notes: Vec<String>,
    /// The report of what is done so far; `None` before the first value.
    pub report: Option<Report>,
}

#[derive(Clone, Debug, Serialize)]
struct CheckpointStatus {
    file: PathBuf,
    /// When this run last saved it; `None` before the first time.
    saved: Option<String>,
}

impl Status {
    /// Returns the current status of a watched sweep.
    pub fn of(watch: &Watch) -> Self {
        let now = timestamp(SystemTime::now());
        let running = watch.running.get();
        let SweepProgress { part, remaining, .. } =
            running.map(|running| SweepProgress::of(running)).unwrap_or_default();
        let (error, mut report, eta_seconds) = match watch.end.get() {
            Some(Ok(report)) => (None, Some(report.clone()), report.complete.then_some(0.0)),
            Some(Err(error)) => (Some(error.to_string()), None, None),
            None => (None, running.map(|running| running.saved(Ending::Running).report), remaining),
        };
        let threads = report.as_mut().map(|report| mem::take(&mut report.cpu_by_thread));
        let complete = report.as_ref().filter(|report| report.complete);
        let of = match running.map(|running| running.goal) {
            Some(Goal::Values(values)) => Some(values),
            Some(Goal::Time(_)) => None,
            None => complete.map(|report| report.values), // from the checkpoint of a finished sweep
        };
        Self {
            time: now,
            pid: std::process::id(),
            error,
            part: if complete.is_some() { 1.0 } else { part },
            of,
            eta_seconds,
            failures: report
                .iter()
                .flat_map(|report| report.first_failures.iter().map(|failure| report.shown(failure)))
                .collect(),
            replay: report
                .as_ref()
                .and_then(|report| watch.replay(&report.first_failures, &report.value_type)),
            checkpoint: watch
                .checkpoint
                .get()
                .map(|file| CheckpointStatus { file: file.clone(), saved: watch.saved().map(timestamp) }),
            threads: threads.unwrap_or_default(),
            notes: watch.notes(),
            report,
        }
    }

    /// Returns the status as JSON, with a line feed at the end.
    pub(crate) fn to_json(&self) -> serde_json::Result<Vec<u8>> {
        let mut json = serde_json::to_vec_pretty(self)?;
        json.push(b'\n');
        Ok(json)
    }
}

/// Returns a time as in RFC 3339. A clock before 1970 or after 9999 is wrong, and has the first or the
/// last second of these years.
fn timestamp(time: SystemTime) -> String {
    const LAST: Duration = Duration::from_secs(253_402_300_799);
    let since = time.duration_since(UNIX_EPOCH).unwrap_or_default().min(LAST);
    format_rfc3339_seconds(UNIX_EPOCH + since).to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_clock_that_is_wrong_by_millennia_has_a_timestamp() {
        const YEAR: Duration = Duration::from_secs(366 * 86_400);
        let times = [UNIX_EPOCH - 90 * YEAR, UNIX_EPOCH, UNIX_EPOCH + 9000 * YEAR].map(timestamp);
        assert_eq!(times, ["1970-01-01T00:00:00Z", "1970-01-01T00:00:00Z", "9999-12-31T23:59:59Z"]);
    }
}
