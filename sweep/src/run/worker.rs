//! The work of each thread: it claims a unit of the schedule, checks it and counts, until none is left.

use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::time::Instant;

use super::limits::Limits;
use crate::check::checker::{BLOCK, Checker};
use crate::check::codec::Codec;
use crate::check::counts::Counts;
use crate::environment::cpu_time::thread_time;
use crate::plan::integer::Integer;
use crate::plan::interval::Interval;
use crate::plan::sample::Draw;
use crate::plan::schedule::{Schedule, Unit};
use crate::state::shared_totals::SharedTotals;
use crate::state::totals::{Left, UnitResult};
use crate::watch::handle::Watch;

/// What the worker threads share.
pub(super) struct Work<'r, T> {
    pub(super) codec: &'r dyn Codec<T>,
    pub(super) watch: &'r Watch,
    pub(super) schedule: &'r Schedule,
    pub(super) totals: &'r SharedTotals,
    pub(super) seed: u64,
    pub(super) deadline: Option<Instant>,
    pub(super) limits: Limits,
    /// The codec broke down for good.
    pub(super) broken: AtomicBool,
}

impl<T: Integer> Work<'_, T> {
    /// Does all of the schedule on the threads of `pool`.
    pub(super) fn on(&self, pool: &rayon::ThreadPool) {
        pool.broadcast(|context| self.work(context.index()));
    }

    fn work(&self, thread: usize) {
        let mut checker = Checker::new(self.codec, self.limits.kept());
        while let Some(unit) = self.schedule.claim(|number| self.is_over(number)) {
            let mut counts = Counts::new(self.schedule.strata.len());
            let left = match self.schedule.unit(unit) {
                Unit::Block(block) => self.block(&mut checker, block).map(Left::Values),
                Unit::Draw { stratum, number, count } => {
                    counts.drawn[stratum] = self.draw(&mut checker, number, stratum, count);
                    (counts.drawn[stratum] < count).then_some(Left::Draws)
                }
            };
            counts.by_length = std::mem::take(&mut checker.by_length);
            counts.failures = std::mem::take(&mut checker.failures);
            self.watch.add(counts.by_length.iter().sum(), counts.failures);
            let listed = std::mem::take(&mut checker.listed);
            self.totals.add(thread, UnitResult { unit, counts, listed, left });
            self.totals.record_cpu(thread, thread_time());
            if checker.is_over {
                self.broken.store(true, Relaxed);
            }
        }
    }

    /// Whether the sweep is to end before the unit of that number. Time alone ends it only after what is needed.
    fn is_over(&self, number: u64) -> bool {
        let is_late = || self.deadline.is_some_and(|deadline| Instant::now() >= deadline);
        self.watch.is_stopped()
            || self.broken.load(Relaxed)
            || self.limits.is_enough(self.watch.failures())
            || (number >= self.schedule.needed() && is_late())
    }

    /// Checks a block; what is left of it where it alone has failures enough, or the codec broke down for good.
    fn block(&self, checker: &mut Checker<'_, T>, block: Interval) -> Option<Interval> {
        let before = checker.failures;
        let mut first = block.first;
        while first <= block.last && !checker.is_over && !self.limits.is_enough(checker.failures - before) {
            let count = (block.last - first + 1).min(BLOCK as i128);
            checker.consecutive(first, count as usize);
            first += count;
        }
        Interval::new(first, block.last)
    }

    /// Checks draws from a stratum; how many, fewer where they alone have failures enough.
    fn draw(&self, checker: &mut Checker<'_, T>, number: u64, stratum: usize, count: u64) -> u64 {
        let before = checker.failures;
        let stratum = &self.schedule.strata[stratum];
        let mut draw = Draw::new(stratum, self.seed, number);
        let mut done = 0;
        while done < count && !checker.is_over && !self.limits.is_enough(checker.failures - before) {
            let some = (count - done).min(BLOCK as u64);
            checker.drawn(some as usize, stratum.length, || draw.next());
            done += some;
        }
        done
    }
}
