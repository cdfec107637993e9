//! The state of a sweep under way, for scripts and people: one form, whoever asks for it.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::time::SystemTime;

use humantime::format_rfc3339_seconds;
use serde::Serialize;

use crate::check::failure::Failure;
use crate::plan::mode::Mode;
use crate::report::decimal;
use crate::report::sweep_report::{Ending, Report};
use crate::watch::handle::{Goal, Watch};

/// How far a sweep is, and what it has found. As JSON, integers that can pass 2^53 are decimal strings, and times are
/// UTC as in RFC 3339.
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
    /// The version of the format: 1.
    pub format: u32,
    /// Whether it runs, or how it ended.
    pub state: State,
    /// Why it could not be run, if so.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub error: Option<String>,
    /// When this was so. A status file that is some seconds old is of a process that was killed.
    pub time: String,
    /// The process.
    pub pid: u32,
    /// The program and its version.
    pub program: String,
    /// The integer type. This and what follows is `None` before the first value.
    #[serde(rename = "type")]
    pub value_type: Option<String>,
    /// How thorough it is.
    pub mode: Option<Mode>,
    /// The codec's name.
    pub codec: Option<String>,
    /// Its kernel, where it has several.
    pub kernel: Option<String>,
    /// Identifies what is swept: equal for all shards of one sweep.
    pub fingerprint: Option<String>,
    /// The shard, as K/N; `None`: all of it.
    pub shard: Option<String>,
    /// Worker threads.
    pub threads: Option<usize>,
    /// The part that is done, from 0 to 1: of the values, or of the time where that ends it.
    pub part: f64,
    /// Values checked, with those of earlier runs of a resumed sweep.
    #[serde(with = "decimal")]
    pub values: u128,
    /// Values to be checked; `None` where time ends the sweep.
    #[serde(with = "decimal::optional")]
    pub of: Option<u128>,
    /// Values checked per second, while it runs: of this run.
    pub values_per_second: f64,
    /// Time from the first value on, with that of earlier runs.
    pub seconds: f64,
    /// Seconds that the rest will take; `None` where nobody can tell.
    pub eta_seconds: Option<f64>,
    /// CPU time of all threads in that time, where the system tells.
    pub cpu_seconds: Option<f64>,
    /// CPU time that there was to use: that time on each thread, or on each CPU where these are fewer.
    pub available_cpu_seconds: Option<f64>,
    /// CPU time of each worker thread, where the system tells.
    pub thread_cpu_seconds: Vec<f64>,
    /// Values checked by encoded length in bytes.
    #[serde(with = "decimal::map")]
    pub by_length: BTreeMap<usize, u64>,
    /// Failures found.
    #[serde(with = "decimal")]
    pub failures: u64,
    /// The first of them.
    pub first_failures: Vec<Failure>,
    /// Where its progress is kept, if it is.
    pub checkpoint: Option<Saving>,
}

/// Whether a sweep runs, or how it ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum State {
    /// It runs, or is about to.
    Running,
    /// All of it is done, without a failure.
    Complete,
    /// It is at its end, or was asked to stop, and there were failures.
    Failures,
    /// It was asked to stop.
    Interrupted,
    /// It could not be run: see the error.
    Refused,
}

/// A checkpoint.
#[derive(Clone, Debug, Serialize)]
#[non_exhaustive]
pub struct Saving {
    /// Its file.
    pub file: PathBuf,
    /// When this run last saved it; `None`: not yet.
    pub saved: Option<String>,
}

impl Status {
    /// That of a watched sweep at this moment.
    pub fn of(watch: &Watch) -> Self {
        let mut status = match watch.ended() {
            Some(Ok(report)) => Self::at_end(watch, report),
            Some(Err(error)) => {
                Self { state: State::Refused, error: Some(error.to_string()), ..Self::blank(watch) }
            }
            None => Self::under_way(watch),
        };
        status.checkpoint = watch.checkpoint().map(|file| Saving {
            file: file.to_owned(),
            saved: watch.saved().map(|time| format_rfc3339_seconds(time).to_string()),
        });
        status
    }

    fn under_way(watch: &Watch) -> Self {
        let Some(report) = watch.report() else { return Self::blank(watch) };
        let (part, eta_seconds) = watch.part();
        let of = values_to_check(watch);
        Self { part, of, eta_seconds, values_per_second: watch.rate(), ..Self::from(watch, &report) }
    }

    fn at_end(watch: &Watch, report: &Report) -> Self {
        let state = match report.ending {
            _ if report.failures > 0 => State::Failures,
            Ending::Complete => State::Complete,
            Ending::Failures | Ending::Breakdown => State::Failures,
            Ending::Interrupted | Ending::Running => State::Interrupted,
        };
        let (part, eta_seconds) = if report.complete { (1.0, Some(0.0)) } else { (watch.part().0, None) };
        let of = match watch.start() {
            Some(_) => values_to_check(watch),
            None => Some(report.values), // a checkpoint of a finished sweep
        };
        Self { state, part, of, eta_seconds, ..Self::from(watch, report) }
    }

    /// Before the first value.
    fn blank(watch: &Watch) -> Self {
        Self {
            format: 1,
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
