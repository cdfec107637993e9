//! The work of each thread: it claims units of the schedule, checks them and counts the results,
//! until no unit is left.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};
use std::time::Instant;

use super::limits::Limits;
use super::reporting::Reporting;
use crate::check::checker::MAX_BLOCK_LEN;
use crate::check::failure::Failure;
use crate::check::observer::Observer;
use crate::check::subject::{BlockCheck, Found, Subject};
use crate::environment::cpu_time::thread_time;
use crate::environment::short_backtrace::__rust_begin_short_backtrace;
use crate::plan::interval::Interval;
use crate::plan::sample::Draw;
use crate::plan::schedule::{Schedule, Unit};
use crate::state::shared_totals::SharedTotals;
use crate::state::totals::UnitResult;
use crate::watch::handle::Watch;

/// The number of units that are checked even if the edge cases alone reach the limit of failures.
const FIRST_UNITS: u64 = 16;

/// The state that the worker threads share.
pub(super) struct Work<'r> {
    pub(super) subject: &'r dyn Subject,
    pub(super) watch: &'r Watch,
    pub(super) schedule: &'r Schedule,
    pub(super) totals: &'r SharedTotals,
    pub(super) reporting: Reporting<'r>,
    pub(super) seed: u64,
    pub(super) deadline: Option<Instant>,
    pub(super) limits: Limits,
    /// The number of the first unit to leave out, once the limit of failures is reached.
    pub(super) end: AtomicU64,
    /// Whether the codec broke down permanently.
    pub(super) broken: AtomicBool,
}

impl Work<'_> {
    /// Does all units of the schedule on the threads of `pool`.
    pub(super) fn run_on(&self, pool: &rayon::ThreadPool) {
        pool.broadcast(|context| __rust_begin_short_backtrace(|| self.work(context.index())));
    }

    fn work(&self, thread: usize) {
        let (space, edges) = (self.subject.space(), self.schedule.sorted_edges());
        let mut check = self.subject.check();
        let mut found = Found::new(self.limits.kept(), self, &*space, edges);
        // All failures of edge cases are kept, because other units may have the same ones.
        let mut alone = Found::new(usize::MAX, self.watch, &*space, edges);
        while let Some(unit) = self.schedule.claim(|number| self.is_over(number)) {
            found.broke_down |= alone.broke_down;
            let found = if unit == 0 { &mut alone } else { &mut found };
            let (checked, all) = match self.schedule.unit(unit) {
                Unit::Edges => (self.edges(&mut *check, found), edges.len() as u64),
                Unit::Consecutive(range) => {
                    (self.consecutive(&mut *check, range, found), range.count() as u64)
                }
                Unit::Draw { stratum, number, count } => {
                    (self.draw(&mut *check, number, stratum, count, found), count)
                }
            };
            let (mut failures, failed_edges, listed) = found.take();
            let has_failed = failures > 0 || !failed_edges.is_empty();
            if unit == 0 {
                // Each edge case is one input, however much fails on it.
                failures = 0;
                self.reporting.add_edges(&listed);
            } else {
                self.watch.add(checked, failures + failed_edges.len() as u64);
            }
            let worst = found.worst.take();
            if found.is_over {
                self.broken.store(true, Relaxed);
            }
            let is_finished = checked == all;
            let result = UnitResult { unit, checked, failures, failed_edges, listed, worst, is_finished };
            self.totals.add(thread, result);
            self.totals.record_cpu(thread, thread_time());
            if has_failed && self.limits.max_failures > 0 {
                // Joined with those of other units, of which they may be the neighbours.
                let totals = self.totals.collect();
                if self.limits.is_reached_by(totals.ranges(), totals.all_failures()) {
                    self.end.store(0, Relaxed);
                } else if self.limits.is_reached_by(totals.edge_ranges(), 0) {
                    // Unless calls are slow, a moment more shows whether neighbours fail too.
                    self.end.fetch_min(if found.broke_down { 0 } else { FIRST_UNITS }, Relaxed);
                }
            }
        }
    }

    /// Returns whether the sweep shall end before the unit with this number. The deadline ends it
    /// only after the units that a complete sweep needs.
    fn is_over(&self, number: u64) -> bool {
        let is_late = || self.deadline.is_some_and(|deadline| Instant::now() >= deadline);
        self.watch.is_stopped()
            || self.broken.load(Relaxed)
            || number >= self.end.load(Relaxed)
            || (number >= self.schedule.needed() && is_late())
    }

    /// Checks each edge case in a call of its own, and returns the number of those that are checked.
    fn edges(&self, check: &mut dyn BlockCheck, found: &mut Found<'_>) -> u64 {
        let mut checked = 0;
        for &edge in &self.schedule.edges {
            let is_at_limit = || self.limits.is_reached_by(found.ranges, 0);
            if self.watch.is_stopped() || found.is_over || (found.broke_down && is_at_limit()) {
                break;
            }
            check.consecutive(edge, 1, found);
            checked += 1;
        }
        checked
    }

    /// Returns whether a unit shall end early: it alone reaches the limit of failures, the subject
    /// broke down permanently, or it broke down and the sweep shall end.
    fn is_cut_short(&self, found: &Found<'_>) -> bool {
        found.is_over
            || self.limits.is_reached_by(found.ranges, found.failures)
            || (found.broke_down && self.watch.is_stopped())
    }

    /// Checks consecutive values and returns the number of those that are checked.
    fn consecutive(&self, check: &mut dyn BlockCheck, values: Interval, found: &mut Found<'_>) -> u64 {
        let mut first = values.first;
        while first <= values.last && !self.is_cut_short(found) {
            let count = (values.last - first + 1).min(MAX_BLOCK_LEN as i128);
            check.consecutive(first, count as usize, found);
            first += count;
        }
        (first - values.first) as u64
    }

    /// Checks draws from a stratum and returns their number, which is smaller if it ended early.
    fn draw(
        &self,
        check: &mut dyn BlockCheck,
        number: u64,
        stratum: usize,
        count: u64,
        found: &mut Found<'_>,
    ) -> u64 {
        let stratum = &self.schedule.strata[stratum];
        let mut draw = Draw::new(stratum, self.seed, number);
        let mut done = 0;
        while done < count && !self.is_cut_short(found) {
            let block_len = (count - done).min(MAX_BLOCK_LEN as u64);
            check.drawn(block_len as usize, stratum, &mut draw, found);
            done += block_len;
        }
        done
    }
}

impl Observer for Work<'_> {
    fn is_stopped(&self) -> bool {
        self.watch.is_stopped()
    }

    fn failed(&self, failure: &Failure) {
        self.reporting.add(failure);
    }
}
