//! The work of each thread: it claims positions of the schedule, checks them and counts the results,
//! until none is left.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};
use std::thread;
use std::time::{Duration, Instant};

use super::claims::Claims;
use super::ends::Ends;
use super::pace::{Pace, TARGET};
use super::settings::Settings;
use crate::check::failure::Failure;
use crate::check::subject::{BlockCheck, Found, Observer, Subject};
use crate::plan::interval::Interval;
use crate::plan::mode::Mode;
use crate::plan::schedule::Part;
use crate::report::running_report::RunningReport;
use crate::state::failure_list::FailureWriter;
use crate::watch::handle::Watch;

/// The number of positions that are checked for a moment after the edge cases, or others beside them,
/// reach the limit of failures, so that it is known which neighbours fail too. Those after them wait
/// for them.
pub(super) const FIRST_POSITIONS: i128 = 1 << 22;

/// The seconds for which a sweep may go on after its budget, so that it has as many draws from each
/// stratum.
const MAX_OVERTIME: f64 = 0.1;

/// A run, which the worker threads share.
pub(super) struct Work<'r, 'c> {
    pub(super) settings: &'r Settings,
    pub(super) subject: &'r Subject<'c>,
    pub(super) watch: &'r Watch,
    pub(super) pool: rayon::ThreadPool,
    pub(super) running: Arc<RunningReport>,
    pub(super) failures: Option<FailureWriter>,
    pub(super) claims: Claims,
    pub(super) ends: Ends,
    /// Whether anything is checked.
    pub(super) has_checked: AtomicBool,
    /// The number of first positions that are not checked yet.
    pub(super) first_left: AtomicU64,
    /// The greatest number of failures that may be found. Only from the limit on they are counted, because
    /// that takes as long as there are failures to list.
    pub(super) failures_at_most: AtomicU64,
}

/// How far a thread came with its claim.
struct Checked {
    /// The first position that is not checked.
    end: i128,
    /// The positions of a block that failed, if the run ended before it was known which inputs do.
    cut: Option<Interval>,
}

impl Work<'_, '_> {
    /// Checks all positions of the schedule on the threads of the pool.
    pub(super) fn run(&self) {
        self.pool.broadcast(|context| __rust_begin_short_backtrace(|| self.work(context.index())));
    }

    fn work(&self, thread: usize) {
        let _ending = EndOnPanic(self);
        let RunningReport { schedule, totals, .. } = &*self.running;
        let (space, edges) = (&self.subject.space, &schedule.sorted_edges);
        let mut check = (self.subject.check)();
        let mut pace = Pace::new();
        let list = self.settings.kept_of_consecutive(self.running.blank.mode);
        let mut found = Found::new(Some(self), space, edges);
        // It lists the failures of each edge case, because others may be the same ones.
        let mut alone = Found::new(Some(self), space, edges);
        while let Some(claim) = self.claim(&pace) {
            let must_wait = || self.first_left.load(Relaxed) > 0 && !self.claims.is_closed(claim.first);
            while claim.first >= FIRST_POSITIONS && must_wait() && !self.is_over() {
                thread::sleep(Duration::from_micros(100));
            }
            if self.claims.is_closed(claim.first) {
                continue;
            }
            found.broke_down |= alone.broke_down;
            let found = if claim.first < 0 { &mut alone } else { &mut found };
            found.is_drawn = schedule.is_drawn(claim.first);
            if claim.first >= 0 {
                found.list = if found.is_drawn { self.settings.kept() } else { list };
            }
            let Checked { end, cut } = self.check(claim, &mut pace, &mut *check, found);
            let pieces = found.take(Interval::new(claim.first, end - 1), cut);
            let failed = pieces.iter().map(|piece| {
                // An edge case can have several failures.
                (piece.failures + piece.failed_edges.len() as u64).max(piece.listed.len() as u64)
            });
            let failed = failed.sum::<u64>();
            if found.is_over {
                self.ends.break_down();
            }
            totals.add(thread, pieces);
            self.has_checked.store(true, Relaxed);
            if failed > 0 {
                let most = self.failures_at_most.fetch_add(failed, Relaxed).saturating_add(failed);
                if self.is_limit_reached(most, most) {
                    self.limit_failures(found);
                }
            }
            if let Some(first) = Interval::new(claim.first, end.min(FIRST_POSITIONS) - 1) {
                self.first_left.fetch_sub(first.count() as u64, Relaxed);
            }
            if let Some(rest) = Interval::new(end, claim.last) {
                self.claims.give_back(rest);
            }
        }
    }

    /// Ends the run if the limit of failures is reached. Claims under way are finished, so that the first
    /// failures do not depend on the threads.
    fn limit_failures(&self, found: &Found<'_>) {
        // Joined with those of other threads, of which they may be the neighbours.
        let totals = self.running.totals.collect();
        let (ranges, edges, inputs) = (totals.ranges(), totals.edge_ranges(), totals.all_failures());
        if !self.is_limit_reached(ranges.max(edges), inputs) {
            return;
        }
        let is_sample = self.running.blank.mode == Mode::Sample;
        let is_last = (found.broke_down && self.subject.is_remote())
            || self.is_limit_reached(0, inputs)
            || (self.is_limit_reached(ranges, 0) && !(is_sample && edges > 0));
        self.claims.close(if is_last { i128::MIN + 1 } else { FIRST_POSITIONS });
        self.ends.limit_failures();
    }

    /// Returns whether these ranges of failures with this number of inputs end the run.
    pub(super) fn is_limit_reached(&self, ranges: u64, inputs: u64) -> bool {
        let max = self.settings.max_failures;
        max > 0 && (ranges >= max || inputs >= self.subject.max_failing_inputs)
    }

    /// Claims the next positions, or returns `None` if the thread shall end.
    fn claim(&self, pace: &Pace) -> Option<Interval> {
        self.heed_budget(pace);
        if self.is_over() { None } else { self.claims.claim(&self.running.schedule, pace.claim()) }
    }

    /// Returns whether no thread shall claim or wait any more.
    fn is_over(&self) -> bool {
        self.is_stopped() || self.ends.is_over()
    }

    /// Ends the run if its budget is used up and anything is checked: after a round of draws if that
    /// takes a moment only, so that every stratum has as many, otherwise at once.
    fn heed_budget(&self, pace: &Pace) {
        if !self.ends.is_late() || !self.has_checked.load(Relaxed) || !self.ends.end_by_budget() {
            return;
        }
        let end_if_slow = || {
            if pace.is_slow() {
                self.ends.end_with_calls();
            }
        };
        let Some(next) = self.claims.next() else {
            return end_if_slow();
        };
        let end = self.running.schedule.balanced_end(next);
        let overtime = (end - next) as f64 * pace.each() / self.running.blank.threads as f64;
        if overtime <= MAX_OVERTIME {
            self.claims.close(end);
        } else {
            self.claims.close(next);
            end_if_slow();
        }
    }

    /// Returns whether a claim shall end early: the run ends, the subject broke down permanently, or the
    /// claim alone reaches the limit of failures. The first positions of a sample do so only after a
    /// breakdown.
    fn is_cut_short(&self, position: i128, found: &Found<'_>) -> bool {
        found.is_over
            || self.watch.is_stopped()
            || self.ends.is_with_calls()
            || (self.is_limit_reached(found.ranges, found.failures)
                && (found.broke_down || !self.is_first(position)))
            || self.ends.is_moment_over()
    }

    /// Returns whether this is an edge case or one of the first positions of a sample.
    fn is_first(&self, position: i128) -> bool {
        position < 0 || (position < FIRST_POSITIONS && self.running.blank.mode == Mode::Sample)
    }

    /// Checks claimed positions in blocks, or each edge case in a call of its own. It ends early if that
    /// takes longer than expected.
    fn check(
        &self,
        claim: Interval,
        pace: &mut Pace,
        check: &mut dyn BlockCheck,
        found: &mut Found<'_>,
    ) -> Checked {
        let RunningReport { schedule, blank, .. } = &*self.running;
        let (began, block) = (Instant::now(), pace.block());
        let (mut calls, mut until_look) = (0, pace.calls());
        found.is_slow = self.subject.is_remote() || pace.is_slow();
        let broke_down_before = std::mem::take(&mut found.broke_down);
        let mut checked = Checked { end: claim.first, cut: None };
        'claim: while let Some(rest) = Interval::new(checked.end, claim.last) {
            let Some(part) = schedule.part(rest) else {
                found.is_over = true; // the plan cannot be read
                break;
            };
            // An exhaustive sweep has no seed and draws nothing.
            let mut draw = schedule.draw(&part, blank.seed.unwrap_or_default());
            let (len, mut done) = (part.len(), 0);
            while done < len {
                if self.is_cut_short(claim.first, found) {
                    break 'claim;
                }
                // To the next multiple of the block.
                let fitting = |first: u64| (block - first % block).min(len - done);
                found.position = checked.end;
                let count = match (&part, &mut draw) {
                    (Part::Draws { stratum, skip, .. }, Some(draw)) => {
                        let (count, before) = (fitting(skip + done), found.failures);
                        check.drawn(count as usize, &schedule.strata[*stratum], draw, found);
                        found.end_draws(*stratum, before);
                        count
                    }
                    (Part::Consecutive(values), _) => {
                        let first = values.first + i128::from(done);
                        let count = fitting(first as u64);
                        check.consecutive(first, count as usize, found);
                        count
                    }
                    (Part::Edge(edge), _) => {
                        found.list_one_more();
                        check.consecutive(*edge, 1, found);
                        1
                    }
                    (Part::Draws { .. }, None) => break 'claim, // they always have a generator
                };
                if found.is_block_cut() {
                    let last = checked.end + i128::from(count) - 1;
                    checked.cut = Some(Interval { first: checked.end, last });
                    break 'claim;
                }
                checked.end += i128::from(count);
                done += count;
                calls += 1;
                until_look -= 1;
                if until_look == 0 {
                    until_look = pace.calls();
                    self.heed_budget(pace);
                    if began.elapsed() > 2 * TARGET || self.is_stopped() {
                        break 'claim;
                    }
                }
                if found.is_block_apart() {
                    break 'claim;
                }
            }
        }
        // A breakdown may have taken a whole timeout.
        if calls > 0 && !found.broke_down {
            pace.learn(calls, (checked.end - claim.first) as u64, began.elapsed());
        }
        found.broke_down |= broke_down_before;
        checked
    }
}

/// Ends the sweep if a thread panics, as a space of a user may. Otherwise the other threads would wait
/// for its first positions, or check all others first.
struct EndOnPanic<'w, 'r, 'c>(&'w Work<'r, 'c>);

impl Drop for EndOnPanic<'_, '_, '_> {
    fn drop(&mut self) {
        if thread::panicking() {
            self.0.ends.break_down();
        }
    }
}

impl Observer for Work<'_, '_> {
    fn is_stopped(&self) -> bool {
        self.watch.is_stopped() || self.ends.heed_time_limit()
    }

    fn failed(&self, position: i128, failure: &Failure) {
        // What was found is written before the sweep goes on.
        if self.failures.as_ref().is_some_and(|failures| !failures.add(position, failure)) {
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
