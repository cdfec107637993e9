//! The work of each thread: it claims units of the schedule, checks them and counts the results,
//! until no unit is left.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};
use std::thread;
use std::time::{Duration, Instant};

use super::settings::Settings;
use crate::check::failure::Failure;
use crate::check::function::MAX_BLOCK_LEN;
use crate::check::subject::{BlockCheck, Found, Observer, Subject};
use crate::plan::schedule::Unit;
use crate::state::failure_list::FailureWriter;
use crate::watch::handle::Watch;
use crate::watch::running::Running;

/// The number of units that are checked even if the first of them, that of edge cases, reaches the
/// limit of failures. Further units wait for it.
const FIRST_UNITS: u64 = 17;

/// A run, which the worker threads share.
pub(super) struct Work<'r, 'c> {
    pub(super) settings: &'r Settings,
    pub(super) subject: &'r Subject<'c>,
    pub(super) watch: &'r Watch,
    pub(super) pool: rayon::ThreadPool,
    pub(super) running: Arc<Running>,
    pub(super) failures: Option<FailureWriter>,
    /// The end of a run without another, after the units that a complete sweep needs.
    pub(super) deadline: Option<Instant>,
    /// The end of any run, even if it is not complete.
    pub(super) time_limit: Option<Instant>,
    /// Whether the time limit has passed before the run was asked to stop.
    pub(super) is_out_of_time: AtomicBool,
    /// The number of the first unit to leave out, once the limit of failures is reached.
    pub(super) end: AtomicU64,
    /// Whether the unit of edge cases is finished.
    pub(super) are_edges_checked: AtomicBool,
    /// Whether the codec broke down permanently.
    pub(super) broken: AtomicBool,
}

impl Work<'_, '_> {
    /// Does all units of the schedule on the threads of the pool.
    pub(super) fn run(&self) {
        self.pool.broadcast(|context| __rust_begin_short_backtrace(|| self.work(context.index())));
    }

    fn work(&self, thread: usize) {
        // Threads that claim a unit at the same time may all finish theirs.
        if self.is_stopped() {
            return;
        }
        let _ending = EndOnPanic(self);
        let Running { schedule, totals, .. } = &*self.running;
        let (space, edges) = (&self.subject.space, &schedule.sorted_edges);
        let mut check = (self.subject.check)();
        let mut found = Found::new(self.settings.kept(), Some(self), space, edges);
        // All failures of edge cases are kept, because other units may have the same ones.
        let mut alone = Found::new(usize::MAX, Some(self), space, edges);
        while let Some(unit) = schedule.claim(|number| self.is_over(number)) {
            while unit >= FIRST_UNITS && !self.are_edges_checked.load(Relaxed) && !self.is_stopped() {
                thread::sleep(Duration::from_micros(100));
            }
            if unit >= self.end.load(Relaxed) {
                break;
            }
            found.broke_down |= alone.broke_down;
            let found = if unit == 0 { &mut alone } else { &mut found };
            found.unit = unit;
            let part = schedule.unit(unit);
            let (checked, all) = (self.check(unit, &part, &mut *check, found), schedule.len_of(&part));
            let result = found.take(checked, all);
            let has_failed = result.failures > 0 || !result.failed_edges.is_empty();
            if found.is_over {
                self.broken.store(true, Relaxed);
            }
            totals.add(thread, result);
            if has_failed && self.settings.max_failures > 0 {
                // Joined with those of other units, of which they may be the neighbours.
                let totals = totals.collect();
                if self.is_limit_reached(totals.ranges(), totals.all_failures()) {
                    self.end.store(0, Relaxed);
                } else if self.is_limit_reached(totals.edge_ranges(), 0) {
                    // Unless calls are slow, a moment more shows whether neighbours fail too.
                    self.end.fetch_min(if found.broke_down { 0 } else { FIRST_UNITS }, Relaxed);
                }
            }
            if unit == 0 {
                self.are_edges_checked.store(true, Relaxed);
            }
        }
    }

    /// Returns whether these ranges of failures with this number of inputs end the run.
    pub(super) fn is_limit_reached(&self, ranges: u64, inputs: u64) -> bool {
        let max = self.settings.max_failures;
        max > 0 && (ranges >= max || inputs >= self.subject.max_failing_inputs)
    }

    /// Returns whether the sweep shall end before the unit with this number. The deadline ends it
    /// only after the units that a complete sweep needs.
    fn is_over(&self, number: u64) -> bool {
        let is_late = || self.deadline.is_some_and(|deadline| Instant::now() >= deadline);
        self.is_stopped()
            || self.broken.load(Relaxed)
            || number >= self.end.load(Relaxed)
            || (number >= self.running.schedule.needed() && is_late())
    }

    /// Returns whether a unit shall end early: the subject broke down permanently, or it broke down and
    /// the sweep shall end, or the unit alone reaches the limit of failures. Edge cases do so only
    /// after a breakdown, because few of them say which neighbours fail too.
    fn is_cut_short(&self, unit: u64, found: &Found<'_>) -> bool {
        let is_first = unit == 0;
        found.is_over
            || ((found.broke_down || is_first) && self.is_stopped())
            || (self.is_limit_reached(found.ranges, found.failures) && (found.broke_down || !is_first))
    }

    /// Checks a unit in blocks, or each edge case in a call of its own. Returns the number of inputs
    /// that are checked.
    fn check(&self, unit: u64, part: &Unit, check: &mut dyn BlockCheck, found: &mut Found<'_>) -> u64 {
        let Running { schedule, blank, .. } = &*self.running;
        let (all, mut done) = (schedule.len_of(part), 0);
        // An exhaustive sweep has no seed and draws nothing.
        let mut draw = schedule.draw(part, blank.seed.unwrap_or_default());
        while done < all && !self.is_cut_short(unit, found) {
            if unit == 0 {
                found.list_one_more();
            }
            let count = (all - done).min(if unit == 0 { 1 } else { MAX_BLOCK_LEN as u64 });
            match (part, &mut draw) {
                (Unit::Draw { stratum, .. }, Some(draw)) => {
                    check.drawn(count as usize, &schedule.strata[*stratum], draw, found);
                }
                (Unit::Consecutive(inputs), _) => {
                    check.consecutive(inputs.first + i128::from(done), count as usize, found);
                }
                _ => check.consecutive(schedule.edges[done as usize], 1, found),
            }
            done += count;
        }
        done
    }
}

/// Ends the sweep if a thread panics, as a space of a user may. Otherwise the other threads would wait
/// for its unit, or check all others first.
struct EndOnPanic<'w, 'r, 'c>(&'w Work<'r, 'c>);

impl Drop for EndOnPanic<'_, '_, '_> {
    fn drop(&mut self) {
        if thread::panicking() {
            self.0.are_edges_checked.store(true, Relaxed);
            self.0.broken.store(true, Relaxed);
        }
    }
}

impl Observer for Work<'_, '_> {
    fn is_stopped(&self) -> bool {
        if self.watch.is_stopped() {
            return true;
        }
        let is_out_of_time = self.time_limit.is_some_and(|end| Instant::now() >= end);
        if is_out_of_time {
            self.is_out_of_time.store(true, Relaxed);
        }
        is_out_of_time
    }

    fn failed(&self, unit: u64, failure: &Failure) {
        // What was found is written before the sweep goes on.
        if self.failures.as_ref().is_some_and(|failures| !failures.add(unit, failure)) {
            self.watch.stop();
        }
    }
}

/// Calls `work` on a thread of a pool.
///
/// Backtraces of panics and profiles leave out the innermost function of this name and its callers.
/// std has such a function at the start of each thread, so that its own functions are left out. This
/// one leaves out those of the thread pool.
#[inline(never)]
pub(crate) fn __rust_begin_short_backtrace<T>(work: impl FnOnce() -> T) -> T {
    let result = work();
    std::hint::black_box(()); // so that the call above is not a tail call, which would remove this frame
    result
}
