//! Runs a sweep from its start, or from its checkpoint, to its report.

use std::ops::ControlFlow;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64};
use std::time::{Duration, Instant};

use super::autosave::autosaved;
use super::limits::Limits;
use super::rate::{TRIAL, consecutive_rate};
use super::reporting::Reporting;
use super::settings::Settings;
use super::time_limit::within;
use super::worker::Work;
use crate::check::subject::Subject;
use crate::environment::short_backtrace::__rust_begin_short_backtrace;
use crate::environment::stopwatch::Stopwatch;
use crate::error::{FileError, SweepError};
use crate::plan::interval;
use crate::plan::mode::Mode;
use crate::plan::schedule::Schedule;
use crate::report::sweep_report::{Ending, Report, joined_kernels};
use crate::state::checkpoint::Checkpoint;
use crate::state::envelope::Saved;
use crate::state::shared_totals::SharedTotals;
use crate::state::totals::Totals;
use crate::watch::handle::{Goal, Watch};
use crate::watch::running::Running;

/// The state in which a run starts. The blank report contains the time of earlier runs.
struct Start {
    blank: Report,
    schedule: Schedule,
    totals: Totals,
}

/// Runs the sweep; see [`Sweep::run_watched`](super::sweep::Sweep::run_watched).
pub(crate) fn run(
    settings: &Settings,
    subject: &dyn Subject,
    watch: &Watch,
    checkpoint: Option<&mut Checkpoint>,
) -> Result<Report, SweepError> {
    if let Some(checkpoint) = &checkpoint {
        watch.keep_in(checkpoint.path());
    }
    let mut start = match start(settings, subject, watch, checkpoint.as_deref())? {
        ControlFlow::Break(report) => return Ok(report),
        ControlFlow::Continue(start) => start,
    };
    let session = Session::start(settings, subject, watch, &mut start)?;
    let work = || session.run(start, checkpoint.as_deref());
    let (done, is_out_of_time) = within(settings.time_limit, session.began, watch, work);
    let saved = session.finish(&done?, is_out_of_time);
    if let Some(checkpoint) = checkpoint {
        checkpoint.close(&saved);
        if checkpoint.save_error().is_none() {
            watch.saved_now();
        }
    }
    Ok(saved.report)
}

/// A run that has begun.
struct Session<'s> {
    settings: &'s Settings,
    subject: &'s dyn Subject,
    watch: &'s Watch,
    limits: Limits,
    pool: rayon::ThreadPool,
    began: Instant,
    deadline: Option<Instant>,
}

/// What the threads have done.
struct Done {
    running: Arc<Running>,
    is_at_limit: bool,
    is_broken: bool,
}

impl<'s> Session<'s> {
    /// Starts the threads, warns about what takes long, and begins the run.
    fn start(
        settings: &'s Settings,
        subject: &'s dyn Subject,
        watch: &'s Watch,
        Start { blank, schedule, totals }: &mut Start,
    ) -> Result<Self, SweepError> {
        let limits = settings.limits.of(subject);
        let pool = limits.pool(schedule.remaining())?;
        blank.threads = pool.current_num_threads();
        let goal = schedule.count().map_or(Goal::Time(settings.budget), Goal::Values);
        let mut session =
            Self { settings, subject, watch, limits, pool, began: Instant::now(), deadline: None };
        if let (Mode::Exhaustive, Goal::Values(all)) = (blank.mode, goal) {
            let values = all.saturating_sub(schedule.inputs(&totals.finished));
            watch.warn_of_long_sweep(values, || session.seconds(values));
        }
        watch.warn_of_conditions(limits.threads);
        session.began = watch.begin(goal, schedule.inputs(&totals.finished) as u64, totals.all_failures());
        session.deadline = deadline(goal, session.began, blank.seconds);
        Ok(session)
    }

    /// Checks all units, until the end or until the run is stopped.
    fn run(&self, start: Start, checkpoint: Option<&Checkpoint>) -> Result<Done, SweepError> {
        let Self { settings, subject, watch, limits, .. } = *self;
        let Start { blank, schedule, totals } = start;
        let stopwatch = Stopwatch::since(self.began);
        let are_edges_checked = totals.finished.contains(0);
        let totals = SharedTotals::new(blank.threads, totals);
        let space = Arc::clone(&settings.space);
        let running = Running { space, blank, schedule, totals, list: limits.listed(), stopwatch };
        let running = Arc::new(running);
        watch.show(Arc::clone(&running));

        let work = Work {
            subject,
            watch,
            schedule: &running.schedule,
            totals: &running.totals,
            // An exhaustive sweep has no seed and draws nothing.
            seed: running.blank.seed.unwrap_or_default(),
            deadline: self.deadline,
            limits,
            reporting: Reporting::new(watch, &running.schedule),
            end: AtomicU64::new(u64::MAX),
            are_edges_checked: AtomicBool::new(are_edges_checked),
            broken: AtomicBool::new(false),
        };
        match checkpoint {
            Some(checkpoint) => {
                let content = || saved(&running, Ending::Running);
                autosaved(checkpoint, watch, content, || work.run_on(&self.pool))
                    .map_err(SweepError::Checkpoint)?
            }
            None => work.run_on(&self.pool),
        }
        let (is_at_limit, is_broken) = (work.end.into_inner() < u64::MAX, work.broken.into_inner());
        work.reporting.finish();
        Ok(Done { running, is_at_limit, is_broken })
    }

    /// Returns the report of what was done, and the state from which a later run can continue.
    fn finish(&self, Done { running, is_at_limit, is_broken }: &Done, is_out_of_time: bool) -> Saved {
        let (is_done, is_limit_reached) = {
            let totals = running.totals.collect();
            let ranges = totals.ranges().max(totals.edge_ranges());
            let is_reached = self.limits.is_reached_by(ranges, totals.all_failures());
            (totals.has(running.schedule.needed()), *is_at_limit || is_reached)
        };
        // A run that only time limits can be stopped before its deadline.
        let is_cut_short = running.schedule.is_endless()
            && self.watch.is_stopped()
            && self.deadline.is_some_and(|deadline| Instant::now() < deadline);
        let ending = match () {
            () if is_limit_reached => Ending::Failures,
            () if *is_broken => Ending::Breakdown,
            () if is_done && !is_cut_short => Ending::Complete,
            () if is_out_of_time => Ending::TimeLimit,
            () => Ending::Interrupted,
        };
        let mut saved = saved(running, ending);
        let report = &mut saved.report;
        if report.complete && report.mode == Mode::Sample && report.failures == 0 {
            report.exhaustive_seconds = Some(self.seconds(interval::count(&self.settings.plan)));
        }
        saved
    }

    /// Returns an estimate of the time for this number of values.
    fn seconds(&self, values: u128) -> f64 {
        let (plan, subject) = (&self.settings.plan, self.subject);
        let rates = self.pool.broadcast(|context| {
            __rust_begin_short_backtrace(|| consecutive_rate(plan, subject, TRIAL, context.index()))
        });
        values as f64 / rates.into_iter().sum::<f64>().max(1.0)
    }
}

/// Returns what a checkpoint has of a run that ends now.
fn saved(running: &Running, ending: Ending) -> Saved {
    let state = running.totals.collect().clone();
    Saved { report: running.report(&state, ending), state }
}

/// Returns the state in which the run starts, which is empty or from its checkpoint. If the sweep
/// is complete in the checkpoint, returns its report instead.
fn start(
    settings: &Settings,
    subject: &dyn Subject,
    watch: &Watch,
    checkpoint: Option<&Checkpoint>,
) -> Result<ControlFlow<Report, Start>, SweepError> {
    let before = checkpoint.and_then(Checkpoint::report);
    let mode = settings.mode(subject, before.map(|report| report.mode))?;
    let seed = match mode {
        Mode::Exhaustive => None,
        Mode::Sample => Some(settings.sample_seed(before.and_then(|report| report.seed))?),
    };
    let mut blank = settings.blank_report(mode, seed, subject, watch.program());
    let saved = match checkpoint {
        Some(checkpoint) => checkpoint.resume(&blank).map_err(SweepError::Checkpoint)?,
        None => None,
    };
    let schedule = Schedule::of(&*settings.space, mode, &settings.plan, settings.draws(), settings.shard);
    let list = settings.limits.kept();
    let Some(Saved { report, state }) = saved else {
        let totals = Totals { list, ..Totals::default() };
        return Ok(ControlFlow::Continue(Start { blank, schedule, totals }));
    };
    if report.complete {
        return Ok(ControlFlow::Break(report));
    }
    blank.kernel = joined_kernels([&blank, &report]);
    (blank.seconds, blank.cpu_seconds) = (report.seconds, report.cpu_seconds);
    blank.thread_cpu_seconds = report.thread_cpu_seconds;
    let schedule = state.resume(schedule).ok_or_else(|| {
        let path = checkpoint.map_or(Path::new(""), Checkpoint::path);
        let problem = "its counts do not match its finished units";
        SweepError::Checkpoint(FileError::new(path, problem, "name another file to start over"))
    })?;
    Ok(ControlFlow::Continue(Start { blank, schedule, totals: Totals { list, ..state } }))
}

/// Returns the deadline of a run that only time limits, of which earlier runs used `spent` seconds.
fn deadline(goal: Goal, began: Instant, spent: f64) -> Option<Instant> {
    let Goal::Time(budget) = goal else { return None };
    let spent = Duration::try_from_secs_f64(spent).unwrap_or(Duration::MAX);
    began.checked_add(budget.saturating_sub(spent))
}
