//! Runs a sweep from its start, or from its checkpoint, to its report.

use std::sync::{Arc, Mutex, OnceLock};

use super::checkpoint::{Checkpoint, Saved};
use super::estimate::longest_within;
use super::report::{Report, TypeReport};
use super::running::Running;
use super::schedule::Schedule;
use super::settings::{Length, Settings};
use super::strings::MAX_EXHAUSTIVE_LEN;
use super::totals::Totals;
use crate::environment::cpu_time::cpu_time;
use crate::environment::short_backtrace::__rust_begin_short_backtrace;
use crate::environment::stopwatch::Stopwatch;
use crate::error::SweepError;
use crate::report::sweep_report::{Ending, FORMAT};
use crate::run::autosave::autosaved;
use crate::watch::handle::{Goal, Watch};

/// Runs the sweep; see [`ByteSweep::run_watched`](super::byte_sweep::ByteSweep::run_watched).
pub(super) fn run(
    settings: &Settings,
    watch: &Watch,
    checkpoint: Option<&mut Checkpoint>,
) -> Result<Report, SweepError> {
    if let Some(checkpoint) = &checkpoint {
        watch.keep_in(checkpoint.file.path());
    }
    let saved_len =
        checkpoint.as_ref().and_then(|checkpoint| checkpoint.file.saved()).map(|saved| saved.sweep.len);
    let len = match settings.length {
        Length::Given(len) => Some(len),
        Length::Within(budget) => match saved_len {
            Some(len) => Some(len.min(MAX_EXHAUSTIVE_LEN)),
            None => longest_within(settings, budget, watch)?,
        },
    };
    // A sweep that is stopped before its length is chosen has no progress to save.
    let checkpoint = checkpoint.filter(|_| len.is_some());
    let len = len.unwrap_or(0);
    let identity = settings.identity(len, watch.program());
    let schedule = Schedule::new(len, settings.types.len());
    let pool = settings.limits.pool(schedule.end())?;
    let threads = pool.current_num_threads();
    let mut blank = Report { threads, ..blank_report(settings, len, &schedule, watch.program()) };
    let saved = checkpoint.as_deref().map_or(Ok(None), |checkpoint| checkpoint.resume(&identity));
    let (schedule, totals) = match saved.map_err(SweepError::Checkpoint)? {
        None => (schedule, Totals::new(blank.types.clone())),
        Some(saved) => {
            let Ok(totals) = saved.totals.resume(&blank.types, &schedule) else {
                return Err(SweepError::Checkpoint(
                    "checkpoint: its counts do not match its finished units; name another file to start over"
                        .into(),
                ));
            };
            (blank.seconds, blank.cpu_seconds) = (saved.seconds, saved.cpu_seconds);
            (schedule.resumed(totals.finished().clone()), totals)
        }
    };
    let is_done = totals.finished().first_missing() >= schedule.end();
    let stopwatch = (!is_done || schedule.end() == 0).then(|| {
        let resumed = schedule.strings_in(totals.finished()).into_iter().flatten().sum();
        let goal = Goal::Values(schedule.strings().into());
        Stopwatch::since(watch.begin(goal, resumed, totals.disagreements()))
    });
    let limits = settings.limits;
    let running = Running { blank, limits, stopwatch, totals: Mutex::new(totals), ended: OnceLock::new() };
    let running = Arc::new(running);
    watch.show_strings(Arc::clone(&running));

    let work = || {
        let check_units = || {
            while !watch.is_stopped() && !limits.is_reached_by(watch.failures()) {
                let Some(unit) = schedule.claim() else { break };
                running.add(settings.types[unit.of_type].check(&unit, &schedule.groups, limits, watch));
            }
        };
        pool.broadcast(|_| __rust_begin_short_backtrace(check_units));
    };
    let content = |totals: &Totals, report: &Report| {
        Saved::new(identity.clone(), report.seconds, report.cpu_seconds, totals.clone())
    };
    match checkpoint.as_deref() {
        _ if is_done => {}
        None => work(),
        Some(checkpoint) => {
            let content = || {
                let totals = running.totals().clone();
                content(&totals, &running.report(&totals, Ending::Running))
            };
            autosaved(&checkpoint.file, watch, content, work).map_err(SweepError::Checkpoint)?;
        }
    }

    let totals = running.totals().clone();
    let is_done = totals.finished().first_missing() >= schedule.end();
    let ending = match () {
        () if is_done => Ending::Complete,
        () if limits.is_reached_by(watch.failures()) => Ending::Failures,
        () => Ending::Interrupted,
    };
    let report = running.report(&totals, ending);
    if let (Some(checkpoint), Some(_)) = (checkpoint, running.stopwatch) {
        checkpoint.file.close(&content(&totals, &report));
        if checkpoint.save_error().is_none() {
            watch.saved_now();
        }
    }
    Ok(running.ended.get_or_init(|| report).clone())
}

/// Returns a report in which nothing is checked yet.
fn blank_report(settings: &Settings, len: usize, schedule: &Schedule, program: &str) -> Report {
    let types = settings.types.iter();
    let types = types.map(|of| TypeReport::new(of.type_name(), &schedule.groups, of.decoders()));
    Report {
        format: FORMAT,
        program: program.to_owned(),
        swept: "bytes",
        len,
        budget_seconds: match settings.length {
            Length::Given(_) => None,
            Length::Within(budget) => Some(budget.as_secs_f64()),
        },
        threads: settings.limits.threads,
        complete: false,
        ending: Ending::Running,
        types: types.collect(),
        strings: 0,
        decodings: 0,
        disagreements: 0,
        first_disagreements: Vec::new(),
        seconds: 0.0,
        cpu_seconds: cpu_time().map(|_| 0.0),
        strings_per_second: 0.0,
    }
}
