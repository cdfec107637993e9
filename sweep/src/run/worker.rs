//! The work of each thread: it claims units of the schedule, checks them and counts the results,
//! until no unit is left.

use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::time::Instant;

use super::limits::Limits;
use crate::check::checker::MAX_BLOCK_LEN;
use crate::check::edges::Edges;
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

/// The state that the worker threads share.
pub(super) struct Work<'r> {
    pub(super) subject: &'r dyn Subject,
    pub(super) watch: &'r Watch,
    pub(super) schedule: &'r Schedule,
    pub(super) totals: &'r SharedTotals,
    pub(super) edges: &'r Edges,
    pub(super) seed: u64,
    pub(super) deadline: Option<Instant>,
    pub(super) limits: Limits,
    /// The number of the first unit to leave out.
    pub(super) end: u64,
    /// Whether the limit of failures is reached.
    pub(super) is_at_limit: AtomicBool,
    /// Whether the codec broke down permanently.
    pub(super) broken: AtomicBool,
}

impl Work<'_> {
    /// Does all units of the schedule on the threads of `pool`.
    pub(super) fn run_on(&self, pool: &rayon::ThreadPool) {
        pool.broadcast(|context| __rust_begin_short_backtrace(|| self.work(context.index())));
    }

    fn work(&self, thread: usize) {
        let space = self.subject.space();
        let (mut check, mut found) = (self.subject.check(), Found::new(self.limits.kept(), self));
        while let Some(unit) = self.schedule.claim(|number| self.is_over(number)) {
            let (checked, all) = match self.schedule.unit(unit) {
                Unit::Consecutive(range) => {
                    (self.consecutive(&mut *check, range, &mut found), range.count() as u64)
                }
                Unit::Draw { stratum, number, count } => {
                    (self.draw(&mut *check, number, stratum, count, &mut found), count)
                }
            };
            let (failures, mut listed) = found.take();
            listed.iter_mut().for_each(|failure| failure.number(&*space));
            let worst = found.worst.take();
            if found.is_over {
                self.broken.store(true, Relaxed);
            }
            self.watch.add(checked, failures);
            let is_finished = checked == all;
            self.totals.add(thread, UnitResult { unit, checked, failures, listed, worst, is_finished });
            self.totals.record_cpu(thread, thread_time());
            if failures > 0 && self.limits.max_failures > 0 {
                // Joined with those of other units, of which they may be the neighbours.
                let totals = self.totals.collect();
                if self.limits.is_reached_by(totals.ranges(), totals.all_failures()) {
                    self.is_at_limit.store(true, Relaxed);
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
            || self.is_at_limit.load(Relaxed)
            || number >= self.end
            || (number >= self.schedule.needed() && is_late())
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
        // A failure of an edge case was reported before the work began.
        if failure.last.is_some() || !self.edges.has_failure_of(&failure.value) {
            self.watch.failed(failure);
        }
    }
}
