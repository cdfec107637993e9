//! Runs a sweep from its start, or from its checkpoint, to its report.

use std::ops::ControlFlow;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};
use std::thread;
use std::time::{Duration, Instant};

use crate::check::subject::Subject;
use crate::error::{FileError, SweepError};
use crate::plan::interval;
use crate::plan::sample::Mode;
use crate::plan::schedule::Schedule;
use crate::report::sweep_report::{Ending, Report, joined_kernels};
use crate::run::limits::{Limits, within};
use crate::run::settings::{Settings, TRIAL, consecutive_rate};
use crate::run::worker::{__rust_begin_short_backtrace, Work};
use crate::state::checkpoint::{Checkpoint, Saved};
use crate::state::failure_lines::Names;
use crate::state::failure_list::FailureWriter;
use crate::state::totals::{SharedTotals, Totals};
use crate::watch::handle::{Goal, Watch};
use crate::watch::running::{Running, cpu_time};

/// Runs the sweep; see [`Sweep::run_watched`](super::sweep::Sweep::run_watched).
pub(crate) fn run(
    settings: &Settings,
    subject: &Subject<'_>,
    watch: &Watch,
    checkpoint: Option<&mut Checkpoint>,
) -> Result<Report, SweepError> {
    if let Some(checkpoint) = &checkpoint {
        let _ = watch.checkpoint.set(checkpoint.path.clone()); // it observes the first run
    }
    let session = match Session::start(settings, subject, watch, checkpoint.as_deref())? {
        ControlFlow::Break(report) => return Ok(report),
        ControlFlow::Continue(session) => session,
    };
    let work = || session.work(checkpoint.as_deref());
    let (is_broken, is_out_of_time) = within(settings.time_limit, session.running.began, watch, work);
    let saved = session.finish(is_broken?, is_out_of_time);
    let start = session.failures.map_or(0, FailureWriter::finish);
    let is_listed = watch.failure_list.as_ref().is_none_or(|list| list.error().is_none());
    let mut is_final = true;
    if let Some(checkpoint) = checkpoint {
        // A checkpoint counts no failures that are not in the list.
        if is_listed {
            checkpoint.save_error = checkpoint.save(&saved).err();
        }
        let is_saved = is_listed && checkpoint.save_error().is_none();
        if is_saved {
            watch.saved_now();
        }
        // A run that resumes needs the unit of each failure.
        is_final = is_saved && saved.report.complete;
    }
    if let Some(list) = watch.failure_list.as_ref().filter(|_| is_final) {
        list.join(start, &session.running.schedule);
    }
    Ok(saved.report)
}

struct Session<'s, 'c> {
    settings: &'s Settings,
    subject: &'s Subject<'c>,
    watch: &'s Watch,
    failures: Option<FailureWriter>,
    limits: Limits,
    pool: rayon::ThreadPool,
    running: Arc<Running>,
    deadline: Option<Instant>,
}

impl<'s, 'c> Session<'s, 'c> {
    /// Starts the threads and begins the run, from its checkpoint if there is one. If the sweep is
    /// complete in the checkpoint, returns its report instead.
    fn start(
        settings: &'s Settings,
        subject: &'s Subject<'c>,
        watch: &'s Watch,
        checkpoint: Option<&Checkpoint>,
    ) -> Result<ControlFlow<Report, Self>, SweepError> {
        let before = checkpoint.and_then(Checkpoint::report);
        let mode = settings.mode(subject, before.map(|report| report.mode))?;
        let seed = match mode {
            Mode::Exhaustive => None,
            Mode::Sample => Some(settings.sample_seed(before.and_then(|report| report.seed))?),
        };
        let mut blank = settings.blank_report(mode, seed, subject, watch.program());
        let mut schedule =
            Schedule::of(&settings.space, mode, &settings.plan, settings.draws(), settings.shard);
        let mut totals = Totals::default();
        let mut finished = None;
        if let Some(checkpoint) = checkpoint
            && let Some(Saved { report, state }) = checkpoint.resume(&blank)?
        {
            if report.complete {
                // The run that completed it may have been killed before.
                watch.failure_list.iter().for_each(|list| list.join(0, &schedule));
                return Ok(ControlFlow::Break(report));
            }
            // The blank report has the time of earlier runs.
            blank.kernel = joined_kernels([&blank, &report]);
            (blank.seconds, blank.cpu_seconds) = (report.seconds, report.cpu_seconds);
            schedule = state.resume(schedule).ok_or_else(|| {
                let problem = "its counts do not match its finished units";
                FileError::new(&checkpoint.path, problem, "name another file to start over")
            })?;
            finished = Some(state.finished.clone());
            totals = state;
        }
        let limits = Limits { max_failing_inputs: subject.max_failing_inputs, ..settings.limits };
        totals.list = limits.kept();
        let pool = limits.pool(schedule.remaining())?;
        blank.threads = pool.current_num_threads();
        let goal = schedule.count().map_or(Goal::Time(settings.budget), Goal::Values);
        let resumed = schedule.inputs(&totals.finished);
        if let (Mode::Exhaustive, Goal::Values(all)) = (mode, goal) {
            let values = all.saturating_sub(resumed);
            watch.warn_of_long_sweep(values, || seconds(&pool, settings, subject, values));
        }
        // Not before, because a sweep that cannot begin leaves the list as it is.
        let failures = watch.failure_list.as_ref().map(|list| {
            let (writer, kept) = list.begin(Names::of(&blank), finished.as_ref())?;
            let found = totals.all_failures();
            if kept < totals.failures || (kept == 0 && found > 0) {
                watch.warn(
                    "the list of failures lacks some that were found before this run; they are only counted",
                );
            }
            Ok::<_, FileError>(writer)
        });
        let failures = failures.transpose()?;
        let began = watch.begin(goal, resumed as u64, totals.all_failures());
        let deadline = deadline(goal, began, blank.seconds);
        let (space, totals) = (Arc::clone(&settings.space), SharedTotals::new(blank.threads, totals));
        let (list, cpu) = (limits.listed(), cpu_time());
        let running = Arc::new(Running { space, blank, schedule, totals, list, began, cpu });
        let _ = watch.running.set(Arc::clone(&running)); // it observes the first run
        let session = Self { settings, subject, watch, failures, limits, pool, running, deadline };
        Ok(ControlFlow::Continue(session))
    }

    /// Checks all units, until the end or until the run is stopped. Returns whether the codec broke
    /// down permanently.
    fn work(&self, checkpoint: Option<&Checkpoint>) -> Result<bool, FileError> {
        let Running { blank, schedule, totals, .. } = &*self.running;
        let work = Work {
            subject: self.subject,
            watch: self.watch,
            schedule,
            totals,
            // An exhaustive sweep has no seed and draws nothing.
            seed: blank.seed.unwrap_or_default(),
            deadline: self.deadline,
            limits: self.limits,
            failures: self.failures.as_ref(),
            end: AtomicU64::new(u64::MAX),
            are_edges_checked: AtomicBool::new(totals.collect().finished.contains(0)),
            broken: AtomicBool::new(false),
        };
        match checkpoint {
            Some(checkpoint) => {
                let content = || {
                    let saved = self.saved(Ending::Running);
                    self.failures.as_ref().map_or(Ok(()), FailureWriter::sync)?;
                    Ok(saved)
                };
                autosaved(checkpoint, self.watch, content, || work.run_on(&self.pool))?;
            }
            None => work.run_on(&self.pool),
        }
        Ok(work.broken.into_inner())
    }

    /// Returns the report of what was done, and the state from which a later run can continue.
    fn finish(&self, is_broken: bool, is_out_of_time: bool) -> Saved {
        let Running { schedule, totals, .. } = &*self.running;
        let (is_done, is_at_limit) = {
            let totals = totals.collect();
            let ranges = totals.ranges().max(totals.edge_ranges());
            (
                totals.finished.first_missing() >= schedule.needed(),
                self.limits.is_reached_by(ranges, totals.all_failures()),
            )
        };
        // A run that only time limits can be stopped before its deadline.
        let is_cut_short = schedule.is_endless()
            && self.watch.is_stopped()
            && self.deadline.is_some_and(|deadline| Instant::now() < deadline);
        let ending = match () {
            () if is_at_limit => Ending::Failures,
            () if is_broken => Ending::Breakdown,
            () if is_done && !is_cut_short => Ending::Complete,
            () if is_out_of_time => Ending::TimeLimit,
            () => Ending::Interrupted,
        };
        let mut saved = self.saved(ending);
        let report = &mut saved.report;
        if report.complete && report.mode == Mode::Sample && report.failures == 0 {
            let all = interval::count(&self.settings.plan);
            report.exhaustive_seconds = Some(seconds(&self.pool, self.settings, self.subject, all));
        }
        saved
    }

    /// Returns what a checkpoint has of a run that ends now.
    fn saved(&self, ending: Ending) -> Saved {
        let state = self.running.totals.collect().clone();
        Saved { report: self.running.report(&state, ending), state }
    }
}

/// Returns an estimate of the time for this number of values.
fn seconds(pool: &rayon::ThreadPool, settings: &Settings, subject: &Subject<'_>, values: u128) -> f64 {
    let rates = pool.broadcast(|context| {
        __rust_begin_short_backtrace(|| consecutive_rate(&settings.plan, subject, TRIAL, context.index()))
    });
    values as f64 / rates.into_iter().sum::<f64>().max(1.0)
}

/// Returns the deadline of a run that only time limits, of which earlier runs used `spent` seconds.
fn deadline(goal: Goal, began: Instant, spent: f64) -> Option<Instant> {
    let Goal::Time(budget) = goal else { return None };
    let spent = Duration::try_from_secs_f64(spent).unwrap_or(Duration::MAX);
    began.checked_add(budget.saturating_sub(spent))
}

/// Runs `work` and saves the progress, which `content` returns, before it begins and at regular
/// intervals, but not at its end.
///
/// After a failure to save, the sweep continues and tries again. Of several such failures in a row,
/// only the first is reported. Without a first save, the work does not begin.
pub(crate) fn autosaved(
    checkpoint: &Checkpoint,
    watch: &Watch,
    content: impl Fn() -> Result<Saved, FileError> + Sync,
    work: impl FnOnce(),
) -> Result<(), FileError> {
    let save = || checkpoint.save(&content()?).inspect(|()| watch.saved_now());
    save()?;
    let ended = AtomicBool::new(false);
    thread::scope(|scope| {
        let saving = scope.spawn(|| {
            let mut reported = false;
            loop {
                thread::park_timeout(checkpoint.save_every);
                if ended.load(Relaxed) {
                    return;
                }
                let saved = save();
                if let Some(error) = saved.as_ref().err().filter(|_| !reported) {
                    (checkpoint.on_save_error)(error);
                }
                reported = saved.is_err();
            }
        });
        work();
        ended.store(true, Relaxed);
        saving.thread().unpark();
    });
    Ok(())
}
