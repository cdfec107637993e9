//! Compares codecs: each one checks the same values, in turn with the others.

use std::sync::Arc;
use std::time::Instant;

use super::rounds::{Rounds, Trial};
use super::session;
use super::settings::{RequestedMode, Settings};
use super::sweep::Sweep;
use crate::check::checker::CodecSubject;
use crate::check::codec::Codec;
use crate::check::subject::Subject;
use crate::error::SweepError;
use crate::merge::merge_reports;
use crate::plan::integer::Integer;
use crate::report::comparison_report::{
    CodecSpeed, ComparedCodec, ComparisonReport, RoundScope, set_relative_times,
};
use crate::report::sweep_report::{FORMAT, Report};
use crate::watch::handle::{Goal, Watch};

/// A comparison of codecs, which checks all of them on the same values and measures their speed.
///
/// The codecs take turns in several rounds, so that a disturbance of the machine affects all of
/// them. A large plan is divided among the rounds. A small one is checked completely in every
/// round.
///
/// ```
/// use varint_sweep::{Comparison, Sweep, codec_from_fns};
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
/// let (mine, broken) = (codec_from_fns("mine", encode, decode), codec_from_fns("broken", encode, |_| Ok((0, 1))));
/// let report = Comparison::new(Sweep::<u16>::new()).run(&[&mine, &broken])?;
/// assert!(report.codecs[0].speed.is_some());
/// assert!(report.codecs[1].speed.is_none() && report.codecs[1].report.failures >= 10);
/// # Ok::<(), varint_sweep::SweepError>(())
/// ```
#[derive(Clone, Debug)]
pub struct Comparison<T> {
    sweep: Sweep<T>,
}

impl<T: Integer> Comparison<T> {
    /// Creates a comparison on the values of this sweep. Its [budget](Sweep::budget) is the time of
    /// all codecs together. Its [shard](Sweep::shard) is ignored.
    pub fn new(sweep: Sweep<T>) -> Self {
        Self { sweep }
    }

    /// Runs the comparison and returns its report.
    ///
    /// # Errors
    ///
    /// Returns an error if the threads cannot be started. Failures of the codecs are in the report.
    pub fn run(&self, codecs: &[&dyn Codec<T>]) -> Result<ComparisonReport, SweepError> {
        self.run_watched(codecs, &Arc::new(Watch::new()))
    }

    /// Runs the comparison while other threads observe its progress or stop it through `watch`.
    ///
    /// # Errors
    ///
    /// Returns the errors of [`run`](Self::run).
    pub fn run_watched(
        &self,
        codecs: &[&dyn Codec<T>],
        watch: &Arc<Watch>,
    ) -> Result<ComparisonReport, SweepError> {
        let subjects: Vec<_> = codecs.iter().map(|codec| CodecSubject(*codec)).collect();
        let subjects: Vec<&dyn Subject> = subjects.iter().map(|subject| subject as _).collect();
        compare(self.sweep.settings(), &subjects, watch)
    }
}

/// Runs a comparison of these subjects.
fn compare(
    settings: &Settings,
    subjects: &[&dyn Subject],
    watch: &Arc<Watch>,
) -> Result<ComparisonReport, SweepError> {
    let (settings, values, rounds) = {
        let pool = settings.limits.pool(u64::MAX)?;
        let trial = Trial { settings, subjects, pool: &pool };
        let fixed = trial.fix_mode();
        let values = trial.values(&fixed);
        let round_seconds = || trial.seconds(values);
        if matches!(fixed.requested_mode, RequestedMode::Exhaustive) {
            watch.warn_of_long_sweep(values.saturating_mul(subjects.len() as u128), round_seconds);
        }
        (fixed, values, Rounds::of(values, settings.limits.threads, settings.budget, round_seconds))
    };
    let repeated = if rounds.scope == RoundScope::Plan { rounds.count } else { 1 };
    let all = values.saturating_mul(u128::from(repeated) * subjects.len() as u128);
    let start = Instant::now();
    watch.begin(Goal::Values(all), 0, 0);

    let mut reports: Vec<Vec<Report>> = vec![Vec::new(); subjects.len()];
    for round in 0..rounds.count {
        for turn in 0..subjects.len() {
            // Another codec begins each round, so that none is always first.
            let codec = (turn + round as usize) % subjects.len();
            if reports[codec].last().is_none_or(|before| before.complete) {
                let settings = settings_of(&settings, rounds, round, &reports[codec]);
                let part = Watch::part_of(watch);
                reports[codec].push(session::run(&settings, subjects[codec], &part, None)?);
            }
        }
    }
    let seconds = start.elapsed().as_secs_f64();
    let mut codecs: Vec<_> = reports.into_iter().filter_map(|reports| compared(reports, rounds)).collect();
    set_relative_times(&mut codecs);
    Ok(ComparisonReport {
        format: FORMAT,
        program: watch.program().to_owned(),
        value_type: settings.space.name(),
        threads: settings.limits.threads,
        rounds: rounds.count,
        each_round: rounds.scope,
        complete: codecs.iter().all(|codec| codec.report.complete),
        failing_codecs: codecs.iter().filter(|codec| codec.report.failures > 0).count(),
        seconds,
        codecs,
    })
}

/// Returns the settings of a codec's turn in a round. `before` are its reports of earlier rounds.
fn settings_of(fixed: &Settings, rounds: Rounds, round: u64, before: &[Report]) -> Settings {
    let mut settings = Settings { shard: rounds.shard(round), shard_source: None, ..fixed.clone() };
    // The limit of failures applies to all shards of a codec together. A codec that has reached it
    // has no further turn, so the difference is not zero, which would mean no limit.
    if rounds.scope == RoundScope::Shard {
        let failures: u64 = before.iter().map(|report| report.failures).sum();
        settings.limits.max_failures = settings.limits.max_failures.saturating_sub(failures);
    }
    settings
}

/// Returns the result of one codec from its reports of all rounds.
fn compared(reports: Vec<Report>, rounds: Rounds) -> Option<ComparedCodec> {
    let is_measured = reports.len() as u64 == rounds.count
        && reports.iter().all(|report| report.complete && report.failures == 0);
    let rates = reports.iter().map(|report| report.values_per_second).filter(|_| is_measured).collect();
    let report = match rounds.scope {
        RoundScope::Shard => joined(reports),
        // The rounds have the same values. If their failures differ, the worst round counts.
        RoundScope::Plan => reports.into_iter().max_by_key(|report| (!report.complete, report.failures)),
    };
    Some(ComparedCodec { speed: CodecSpeed::of(rates), report: report? })
}

/// Joins the reports of shards that ran one after another.
fn joined(reports: Vec<Report>) -> Option<Report> {
    let last = reports.last()?.clone();
    let seconds: f64 = reports.iter().map(|report| report.seconds).sum();
    let threads = reports.iter().map(|report| report.thread_cpu_seconds.len()).max().unwrap_or(0);
    let cpu_of = |thread| reports.iter().filter_map(|report| report.thread_cpu_seconds.get(thread)).sum();
    let thread_cpu_seconds = (0..threads).map(cpu_of).collect();
    let named = reports.into_iter().map(|report| (String::new(), Ok(report)));
    let merged = merge_reports(named).report?;
    Some(Report {
        shard: None,
        merged: None,
        kernel: last.kernel,
        threads: last.threads,
        cpus: last.cpus,
        complete: last.complete,
        ending: last.ending,
        seconds,
        thread_cpu_seconds,
        values_per_second: merged.values as f64 / seconds.max(1e-9),
        ..merged
    })
}
