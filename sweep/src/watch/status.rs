//! The status of a running sweep. The status file and the HTTP server use the same form.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::time::SystemTime;

use humantime::format_rfc3339_seconds;
use serde::Serialize;

use crate::check::failure::Failure;
use crate::plan::mode::Mode;
use crate::report::decimal;
use crate::report::sweep_report::{Ending, FORMAT, Report};
use crate::watch::handle::{Goal, Watch};

/// The progress and the failures of a sweep at one moment.
///
/// In JSON, integers that can exceed 2^53 are decimal strings, and times are UTC as in RFC 3339.
///
/// ```
/// use varint_sweep::{State, Status, Sweep, Watch, codec_from_fns};
/// # fn encode(value: u16, dst: &mut [u8]) -> Result<usize, varint_sweep::CodecError> {
/// #     let (mut rest, mut len) = (value, 0);
/// #     while rest > 0x7f {
/// #         dst[len] = rest as u8 | 0x80;
/// #         (rest, len) = (rest >> 7, len + 1);
/// #     }
/// #     dst[len] = rest as u8;
/// #     Ok(len + 1)
/// # }
/// # fn decode(src: &[u8]) -> Result<(u16, usize), varint_sweep::CodecError> {
/// #     let len = src.iter().position(|&byte| byte < 0x80).ok_or("no last byte")? + 1;
/// #     let value = src[..len].iter().rev().fold(0, |value, &byte| value << 7 | u16::from(byte & 0x7f));
/// #     Ok((value, len))
/// # }
///
/// let watch = Watch::new();
/// assert_eq!(Status::of(&watch).state, State::Running);
/// Sweep::<u16>::new().run_watched(&codec_from_fns("mine", encode, decode), &watch, None)?;
/// let status = Status::of(&watch);
/// assert_eq!((status.state, status.values), (State::Complete, 65_536));
/// # Ok::<(), varint_sweep::SweepError>(())
/// ```
#[derive(Clone, Debug, Serialize)]
#[non_exhaustive]
pub struct Status {
    /// The version of the format: 2.
    pub format: u32,
    /// Whether the sweep is running, or how it ended.
    pub state: State,
    /// Why the sweep could not be run, if it could not.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub error: Option<String>,
    /// The time of this status. If it is several seconds old in a status file that says `running`,
    /// the process was killed.
    pub time: String,
    /// The ID of the process.
    pub pid: u32,
    /// The program and its version.
    pub program: String,
    /// The integer type, or several types separated by commas. This and the fields up to `threads`
    /// are `None` before the first value, and if they do not apply to a sweep over byte strings.
    #[serde(rename = "type")]
    pub value_type: Option<String>,
    /// Whether the sweep is exhaustive or a sample.
    pub mode: Option<Mode>,
    /// The codec's name.
    pub codec: Option<String>,
    /// The codec's kernel, if it has several.
    pub kernel: Option<String>,
    /// A hash of the plan: equal for all shards of one sweep.
    pub fingerprint: Option<String>,
    /// The shard, as K/N; `None` for an undivided sweep.
    pub shard: Option<String>,
    /// Worker threads.
    pub threads: Option<usize>,
    /// The fraction that is done, from 0 to 1: of the values, or of the time if the sweep has a
    /// time limit.
    pub part: f64,
    /// Values or byte strings checked, including earlier runs of a resumed sweep.
    #[serde(with = "decimal")]
    pub values: u128,
    /// Values to check in total; `None` if the sweep has a time limit instead.
    #[serde(with = "decimal::optional")]
    pub of: Option<u128>,
    /// Values checked per second: in this run while it is running, in all runs after the end.
    pub values_per_second: f64,
    /// Time since the first value, earlier runs included.
    pub seconds: f64,
    /// The estimated remaining seconds; `None` if there is no estimate.
    pub eta_seconds: Option<f64>,
    /// CPU time of all threads during `seconds`, if the system reports it.
    pub cpu_seconds: Option<f64>,
    /// The CPU time that the threads could have used: `seconds` for each thread, or for each CPU if
    /// there are fewer CPUs.
    pub available_cpu_seconds: Option<f64>,
    /// CPU time of each worker thread, if the system reports it.
    pub thread_cpu_seconds: Vec<f64>,
    /// Values checked by encoded length in bytes, or byte strings by length.
    #[serde(with = "decimal::map")]
    pub by_length: BTreeMap<usize, u64>,
    /// Failures found.
    #[serde(with = "decimal")]
    pub failures: u64,
    /// The first failures.
    pub first_failures: Vec<Failure>,
    /// A command for a shell that checks the first failures again; `None` without failures, or if
    /// the program has no such command (see [`Watch::replay_command`]).
    pub replay: Option<String>,
    /// The checkpoint, if the sweep has one.
    pub checkpoint: Option<CheckpointStatus>,
}

/// Whether a sweep is running, or how it ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum State {
    /// The sweep is running, or about to start.
    Running,
    /// The sweep is complete, without a failure.
    Complete,
    /// The sweep ended, completely or early, and there were failures.
    Failures,
    /// The sweep was asked to stop before it was complete, and there was no failure.
    Interrupted,
    /// The time limit passed before the sweep was complete, and there was no failure.
    TimeLimit,
    /// The sweep could not be run; `error` has the reason.
    Refused,
}

impl State {
    /// Returns the state of a sweep that ended with this number of failures.
    fn at_end(ending: Ending, failures: u64) -> Self {
        match ending {
            _ if failures > 0 => Self::Failures,
            Ending::Complete => Self::Complete,
            Ending::Failures | Ending::Breakdown => Self::Failures,
            Ending::TimeLimit => Self::TimeLimit,
            Ending::Interrupted | Ending::Running => Self::Interrupted,
        }
    }
}

/// The state of a checkpoint file.
#[derive(Clone, Debug, Serialize)]
#[non_exhaustive]
pub struct CheckpointStatus {
    /// The path of the file.
    pub file: PathBuf,
    /// When this run last saved it; `None` before the first time.
    pub saved: Option<String>,
}

impl Status {
    /// Returns the current status of a watched sweep.
    pub fn of(watch: &Watch) -> Self {
        let mut status = match watch.ended() {
            Some(Ok(report)) => Self::at_end(watch, report),
            Some(Err(error)) => {
                Self { state: State::Refused, error: Some(error.to_string()), ..Self::blank(watch) }
            }
            None => Self::while_running(watch),
        };
        status.checkpoint = watch.checkpoint().map(|file| CheckpointStatus {
            file: file.to_owned(),
            saved: watch.saved().map(|time| format_rfc3339_seconds(time).to_string()),
        });
        status
    }

    fn while_running(watch: &Watch) -> Self {
        let Some(report) = watch.report() else { return Self::blank(watch) };
        let (part, eta_seconds) = watch.part();
        let of = values_to_check(watch);
        Self { part, of, eta_seconds, values_per_second: watch.rate(), ..Self::from(watch, &report) }
    }

    fn at_end(watch: &Watch, report: &Report) -> Self {
        let state = State::at_end(report.ending, report.failures);
        let (part, eta_seconds) = if report.complete { (1.0, Some(0.0)) } else { (watch.part().0, None) };
        let of = match watch.start() {
            Some(_) => values_to_check(watch),
            None => Some(report.values), // resumed from the checkpoint of a finished sweep
        };
        Self { state, part, of, eta_seconds, ..Self::from(watch, report) }
    }

    /// Returns the status before the first value.
    fn blank(watch: &Watch) -> Self {
        Self {
            format: FORMAT,
            state: State::Running,
            error: None,
            time: format_rfc3339_seconds(SystemTime::now()).to_string(),
            pid: std::process::id(),
            program: watch.program().to_owned(),
            value_type: None,
            mode: None,
            codec: None,
            kernel: None,
            fingerprint: None,
            shard: None,
            threads: None,
            part: 0.0,
            values: 0,
            of: None,
            values_per_second: 0.0,
            seconds: 0.0,
            eta_seconds: None,
            cpu_seconds: None,
            available_cpu_seconds: None,
            thread_cpu_seconds: Vec::new(),
            by_length: BTreeMap::new(),
            failures: 0,
            first_failures: Vec::new(),
            replay: None,
            checkpoint: None,
        }
    }

    fn from(watch: &Watch, report: &Report) -> Self {
        Self {
            value_type: Some(report.value_type.clone()),
            mode: Some(report.mode),
            codec: Some(report.codec.clone()),
            kernel: report.kernel.clone(),
            fingerprint: Some(report.fingerprint.clone()),
            shard: report.shard.clone(),
            threads: Some(report.threads),
            values: report.values,
            values_per_second: report.values_per_second,
            seconds: report.seconds,
            cpu_seconds: report.cpu_seconds,
            available_cpu_seconds: Some(report.available_cpu_seconds()),
            thread_cpu_seconds: report.thread_cpu_seconds.clone(),
            by_length: report.by_length.clone(),
            failures: report.failures,
            first_failures: report.first_failures.clone(),
            replay: watch.replay(&report.first_failures, &report.value_type),
            ..Self::blank(watch)
        }
    }
}

fn values_to_check(watch: &Watch) -> Option<u128> {
    match watch.start()?.1 {
        Goal::Values(values) => Some(values),
        Goal::Time(_) => None,
    }
}
