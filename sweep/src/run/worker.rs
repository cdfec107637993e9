//! The work of each thread: it claims units of the schedule, checks them and counts the results,
//! until no unit is left.

use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::time::Instant;

use super::limits::Limits;
use crate::check::checker::{Checker, MAX_BLOCK_LEN};
use crate::check::codec::Codec;
use crate::check::counts::Counts;
use crate::check::edges::Edges;
use crate::check::failure::Failure;
use crate::check::observer::Observer;
use crate::environment::cpu_time::thread_time;
use crate::environment::short_backtrace::__rust_begin_short_backtrace;
use crate::plan::integer::Integer;
use crate::plan::interval::Interval;
use crate::plan::sample::Draw;
use crate::plan::schedule::{Schedule, Unit};
use crate::state::shared_totals::SharedTotals;
use crate::state::totals::{Unchecked, UnitResult};
use crate::watch::handle::Watch;

/// The state that the worker threads share.
pub(super) struct Work<'r, T> {
    pub(super) codec: &'r dyn Codec<T>,
    pub(super) watch: &'r Watch,
    pub(super) schedule: &'r Schedule,
    pub(super) totals: &'r SharedTotals,
    pub(super) edges: &'r Edges,
    pub(super) seed: u64,
    pub(super) deadline: Option<Instant>,
    pub(super) limits: Limits,
    /// Whether the codec broke down permanently.
    pub(super) broken: AtomicBool,
}

impl<T: Integer> Work<'_, T> {
    /// Does all units of the schedule on the threads of `pool`.
    pub(super) fn run_on(&self, pool: &rayon::ThreadPool) {
        pool.broadcast(|context| __rust_begin_short_backtrace(|| self.work(context.index())));
    }

    fn work(&self, thread: usize) {
        let mut checker = Checker::new(self.codec, self.limits.kept(), self);
        while let Some(unit) = self.schedule.claim(|number| self.is_over(number)) {
            let mut counts = Counts::new(self.schedule.strata.len());
            let unchecked = match self.schedule.unit(unit) {
                Unit::Consecutive(values) => self.consecutive(&mut checker, values).map(Unchecked::Values),
                Unit::Draw { stratum, number, count } => {
                    counts.drawn[stratum] = self.draw(&mut checker, number, stratum, count);
                    (counts.drawn[stratum] < count).then_some(Unchecked::Draws)
                }
            };
            counts.by_length = std::mem::take(&mut checker.by_length);
            counts.failures = std::mem::take(&mut checker.failures);
            self.watch.add(counts.by_length.iter().sum(), counts.failures);
            let listed = std::mem::take(&mut checker.listed);
            self.totals.add(thread, UnitResult { unit, counts, listed, unchecked });
            self.totals.record_cpu(thread, thread_time());
            if checker.is_over {
                self.broken.store(true, Relaxed);
            }
        }
    }

    /// Returns whether the sweep shall end before the unit with this number. The deadline ends it
    /// only after the units that a complete sweep needs.
    fn is_over(&self, number: u64) -> bool {
        let is_late = || self.deadline.is_some_and(|deadline| Instant::now() >= deadline);
        self.watch.is_stopped()
            || self.broken.load(Relaxed)
            || self.limits.is_reached_by(self.watch.failures())
            || (number >= self.schedule.needed() && is_late())
    }

    /// Returns whether a unit shall end early, of which `before` is the number of failures at its
    /// start: it alone reaches the limit of failures, the codec broke down permanently, or
    /// it broke down and the sweep shall end.
    fn is_cut_short(&self, checker: &Checker<'_, T>, before: u64) -> bool {
        checker.is_over || self.limits.is_reached_by(checker.failures - before) || checker.is_cut_short()
    }

    /// Checks consecutive values and returns those that are left unchecked, if it ended early.
    fn consecutive(&self, checker: &mut Checker<'_, T>, values: Interval) -> Option<Interval> {
        let before = checker.failures;
        let mut first = values.first;
        while first <= values.last && !self.is_cut_short(checker, before) {
            let count = (values.last - first + 1).min(MAX_BLOCK_LEN as i128);
            checker.check_consecutive(first, count as usize);
            first += count;
        }
        Interval::new(first, values.last)
    }

    /// Checks draws from a stratum and returns their number, which is smaller if it ended early.
    fn draw(&self, checker: &mut Checker<'_, T>, number: u64, stratum: usize, count: u64) -> u64 {
        let before = checker.failures;
        let stratum = &self.schedule.strata[stratum];
        let mut draw = Draw::new(stratum, self.seed, number);
        let mut done = 0;
        while done < count && !self.is_cut_short(checker, before) {
            let block_len = (count - done).min(MAX_BLOCK_LEN as u64);
            checker.check_drawn(block_len as usize, stratum.length, |values| draw.fill(values));
            done += block_len;
        }
        done
    }
}

impl<T: Integer> Observer for Work<'_, T> {
    fn is_stopped(&self) -> bool {
        self.watch.is_stopped()
    }

    fn failed(&self, failure: &Failure) {
        // A failure of an edge case was reported before the work began.
        if !self.edges.has_failure_of(&failure.value) {
            self.watch.failed(failure);
        }
    }
}
