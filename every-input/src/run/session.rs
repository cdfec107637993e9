//! Runs a sweep from its start, or from its checkpoint, to its report.

use std::ops::ControlFlow;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64};
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::thread;
use std::time::{Duration, Instant};

use crate::check::subject::Subject;
use crate::error::{FileError, SweepError};
use crate::plan::interval::{self, Interval};
use crate::plan::mode::Mode;
use crate::plan::schedule::Schedule;
use crate::report::limit::{Limit, Limited};
use crate::report::running_report::{Goal, RunningReport, blank_report};
use crate::report::setting::setting;
use crate::report::sweep_report::{Ending, Report, joined_kernels};
use crate::run::claims::Claims;
use crate::run::ends::Ends;
use crate::run::mode_choice::{TRIAL, consecutive_rate};
use crate::run::pace::MAX_CLAIM;
use crate::run::settings::Settings;
use crate::run::worker::{__rust_begin_short_backtrace, FIRST_POSITIONS, Work};
use crate::state::checkpoint::{Checkpoint, Saved};
use crate::state::failure_lines::Names;
use crate::state::failure_list::FailureWriter;
use crate::state::totals::{SharedTotals, Totals};
use crate::watch::handle::Watch;
use crate::watch::threads::{CpuTimes, thread_id};

/// Runs the sweep; see [`Sweep::run_watched`](super::sweep::Sweep::run_watched).
pub(crate) fn run(
    settings: &Settings,
    subject: &Subject<'_>,
    watch: &Watch,
    checkpoint: Option<&mut Checkpoint>,
) -> Result<Report, SweepError> {
    subject.losses.iter().for_each(|losses| losses.set_limited(settings.max_failures > 0));
    if let Some(checkpoint) = &checkpoint {
        let _ = watch.checkpoint.set(checkpoint.path.clone()); // it observes the first run
    }
    let work = match start(settings, subject, watch, checkpoint.as_deref())? {
        ControlFlow::Break(report) => return Ok(report),
        ControlFlow::Continue(work) => work,
    };
    // Children that a measurement lost, or an earlier sweep, do not end this one.
    subject.losses.iter().for_each(|losses| losses.forget());
    match checkpoint.as_deref() {
        Some(checkpoint) => run_autosaved(&work, checkpoint)?,
        None => work.run(),
    }
    settings.plan.error().map_or(Ok(()), Err)?;
    let saved = finish(&work);
    let start = work.failures.map_or(0, FailureWriter::finish);
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
        // A run that resumes needs the position of each failure.
        is_final = is_saved && saved.report.complete;
    }
    if let Some(list) = watch.failure_list.as_ref().filter(|_| is_final) {
        list.join(start, &work.running.schedule);
    }
    Ok(saved.report)
}

/// Starts the threads and begins the run, from its checkpoint if there is one. If the sweep is
/// complete in the checkpoint, returns its report instead.
fn start<'s, 'c>(
    settings: &'s Settings,
    subject: &'s Subject<'c>,
    watch: &'s Watch,
    checkpoint: Option<&Checkpoint>,
) -> Result<ControlFlow<Report, Work<'s, 'c>>, SweepError> {
    let before = checkpoint.and_then(Checkpoint::report);
    let program = watch.program();
    let mode = settings.mode(subject, before.map(|report| report.mode), program)?;
    let seed = match mode {
        Mode::Exhaustive => None,
        Mode::Sample => Some(settings.sample_seed(before.and_then(|report| report.seed), program)?),
    };
    let mut blank = blank_report(settings, mode, seed, subject, program);
    let schedule = Schedule::of(&settings.space, mode, &settings.plan, settings.draws(), settings.shard);
    settings.plan.error().map_or(Ok(()), Err)?;
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
        blank.cpu_by_thread = report.cpu_by_thread;
        if !state.is_of(&schedule) {
            let problem = "its counts do not match its finished values";
            return Err(FileError::new(&checkpoint.path, problem, "name another file to start over").into());
        }
        finished = Some(state.finished.clone());
        totals = state;
    }
    totals.keep(settings.kept_of_consecutive(mode), settings.kept());
    let claims = Claims::new(&schedule, &totals.finished);
    let pool = pool(settings.threads, claims.remaining(), program)?;
    blank.threads = pool.current_num_threads();
    let goal = schedule.count().map_or(Goal::Time(settings.budget), Goal::Values);
    let resumed = schedule.inputs(&totals.finished);
    if let (Mode::Exhaustive, Goal::Values(all)) = (mode, goal) {
        let values = all.saturating_sub(resumed);
        watch.warn_of_long_sweep(values, || seconds(&pool, settings, subject, values));
    }
    watch.warn_of_governor(schedule.count());
    // Not before, because a sweep that cannot begin leaves the list as it is.
    let failures = watch.failure_list.as_ref().map(|list| {
        let (writer, kept) = list.begin(Names::of(&blank), finished.as_ref(), &|| watch.is_stopped())?;
        let found = totals.all_failures();
        if kept < totals.failures || (kept == 0 && found > 0) {
            watch.warn(
                "the list of failures lacks some that were found before this run; they are only counted",
            );
        }
        Ok::<_, FileError>(writer)
    });
    let failures = failures.transpose()?;
    let began = Instant::now();
    let first =
        schedule.positions().and_then(|all| Interval::new(all.first, all.last.min(FIRST_POSITIONS - 1)));
    let first_left = first.map_or_else(Vec::new, |first| totals.finished.missing(first));
    let has_checked = !totals.finished.intervals().is_empty();
    let deadline = if settings.has_budget(mode) {
        let spent = Duration::try_from_secs_f64(blank.seconds).unwrap_or(Duration::MAX);
        began.checked_add(settings.budget.saturating_sub(spent))
    } else {
        None
    };
    let failures_at_most = totals.all_failures().max(totals.ranges()).max(totals.edge_ranges()).into();
    let (space, totals) = (Arc::clone(&settings.space), SharedTotals::new(blank.threads, totals));
    let workers = pool.broadcast(|_| thread_id()).into_iter().flatten().collect();
    let (list, cpu) = (settings.list_length(), CpuTimes::start(workers, &blank));
    let time_limit = settings.time_limit;
    let running =
        RunningReport { space, blank, schedule, totals, list, goal, time_limit, resumed, began, cpu };
    let running = Arc::new(running);
    let _ = watch.running.set(Arc::clone(&running)); // it observes the first run
    Ok(ControlFlow::Continue(Work {
        settings,
        subject,
        watch,
        pool,
        running,
        failures,
        claims,
        ends: Ends::new(deadline, time_limit.and_then(|limit| began.checked_add(limit))),
        has_checked: AtomicBool::new(has_checked),
        first_left: AtomicU64::new(interval::count(&first_left) as u64),
        failures_at_most,
    }))
}

/// Starts the worker threads, but not more than there are long claims.
fn pool(threads: usize, inputs: u128, program: &str) -> Result<rayon::ThreadPool, SweepError> {
    let claims = usize::try_from(inputs.div_ceil(MAX_CLAIM.into())).unwrap_or(usize::MAX);
    let threads = claims.clamp(1, threads);
    let builder = rayon::ThreadPoolBuilder::new().num_threads(threads);
    builder.thread_name(|index| format!("sweep-{}", index + 1)).build().map_err(|error| {
        let fewer = setting(program, "threads");
        SweepError::Usage(format!("cannot start {threads} threads ({error}); use a lower number for {fewer}"))
    })
}

/// Does the work and saves its progress before it begins and at regular intervals, but not at its end.
///
/// After a failure to save, the sweep continues and tries again. Of several such failures in a row,
/// only the first is reported. Without a first save, the work does not begin.
fn run_autosaved(work: &Work<'_, '_>, checkpoint: &Checkpoint) -> Result<(), FileError> {
    let save = || {
        let saved = work.running.saved(Ending::Running);
        work.failures.as_ref().map_or(Ok(()), FailureWriter::sync)?;
        checkpoint.save(&saved).inspect(|()| work.watch.saved_now())
    };
    save()?;
    thread::scope(|scope| {
        let (end, ended) = channel::<()>();
        let autosave = move || {
            let mut reported = false;
            while ended.recv_timeout(checkpoint.save_every) == Err(RecvTimeoutError::Timeout) {
                let saved = save();
                if let Some(error) = saved.as_ref().err().filter(|_| !reported) {
                    (checkpoint.on_save_error)(error);
                }
                reported = saved.is_err();
            }
        };
        let thread = thread::Builder::new().name("checkpoint".into()).spawn_scoped(scope, autosave);
        thread.map_err(|error| {
            let problem = format_args!("cannot be saved while the sweep runs ({error})");
            FileError::new(&checkpoint.path, problem, "close some other programs")
        })?;
        work.run();
        work.running.cpu.update(); // before the thread ends
        drop(end);
        Ok(())
    })
}

/// Returns the report of what was done, and the state from which a later run can continue.
fn finish(work: &Work<'_, '_>) -> Saved {
    let RunningReport { schedule, totals, .. } = &*work.running;
    let (is_done, is_at_limit) = {
        let totals = totals.collect();
        let ranges = totals.ranges().max(totals.edge_ranges());
        let missing = schedule.positions().map_or_else(Vec::new, |all| totals.finished.missing(all));
        (missing.is_empty(), work.is_limit_reached(ranges, totals.all_failures()))
    };
    let is_done = is_done || work.ends.is_over_budget();
    let ending = match () {
        () if is_at_limit => Ending::Failures,
        () if work.ends.has_broken_down() => Ending::Breakdown,
        () if is_done => Ending::Complete,
        () if work.ends.is_out_of_time() => Ending::TimeLimit,
        () if work.watch.is_stopped() => Ending::Interrupted,
        // A thread saw the limit of failures, but parts of one range were joined since.
        () => Ending::Failures,
    };
    let mut saved = work.running.saved(ending);
    let report = &mut saved.report;
    report.limit = reached_limit(work, report);
    if report.complete && report.mode == Mode::Sample && report.failures == 0 {
        let all = work.settings.plan.count();
        // The budget of a slow sweep is used up, and its rate is that of consecutive values too.
        report.exhaustive_seconds = Some(match work.ends.is_with_calls() {
            true => all as f64 / report.values_per_second,
            false => seconds(&work.pool, work.settings, work.subject, all),
        });
    }
    saved
}

/// Returns the limit that ended a run with this report, if any did.
fn reached_limit(work: &Work<'_, '_>, report: &Report) -> Option<Limit> {
    let (max_failures, max_inputs) = (work.settings.max_failures, work.subject.max_failing_inputs);
    match report.ending {
        Ending::Failures if report.failures >= max_inputs => {
            Some(Limit::new(Limited::FailingInputs, max_inputs))
        }
        Ending::Failures => Some(Limit::new(Limited::Failures, max_failures)),
        Ending::Breakdown => {
            work.subject.losses.iter().find_map(|losses| losses.limit()).map(|(limit, _)| limit)
        }
        _ => None,
    }
}

/// Returns an estimate of the time for this number of values.
fn seconds(pool: &rayon::ThreadPool, settings: &Settings, subject: &Subject<'_>, values: u128) -> f64 {
    let rates = pool.broadcast(|context| {
        __rust_begin_short_backtrace(|| {
            consecutive_rate(&settings.plan, subject, |_, time| time >= TRIAL, context.index())
        })
    });
    values as f64 / rates.into_iter().sum::<f64>().max(1.0)
}
