//! What the threads do: claim a unit of the schedule, check it, count, until none is left.

use std::collections::BTreeMap;
use std::sync::{Mutex, PoisonError};
use std::time::Instant;

use crossbeam_utils::CachePadded;

use super::check::{BLOCK, ByLength, Checker};
use super::codec::Codec;
use super::failure::Failure;
use super::integer::Integer;
use super::interval::{self, Interval};
use super::sample::Draw;
use super::schedule::{Schedule, Unit};
use super::watch::Watch;

/// A sweep under way.
pub(super) struct Run<'r, T> {
    pub(super) codec: &'r dyn Codec<T>,
    pub(super) watch: &'r Watch,
    pub(super) schedule: &'r Schedule,
    pub(super) seed: u64,
    pub(super) deadline: Option<Instant>,
    /// Failures to list.
    pub(super) list: usize,
    /// Failures that end the sweep; 0: none do.
    pub(super) max_failures: u64,
}

/// What a sweep has done.
pub(super) struct Done {
    pub(super) by_length: ByLength,
    pub(super) failures: u64,
    /// The first failures in the order of the schedule.
    pub(super) listed: Vec<Failure>,
    /// Consecutive values checked.
    pub(super) covered: Vec<Interval>,
    /// Draws from each stratum.
    pub(super) drawn: Vec<u64>,
    pub(super) complete: bool,
    /// The codec broke down for good.
    pub(super) is_over: bool,
}

/// What one thread has done, apart from the others' cache lines.
struct Tally {
    by_length: ByLength,
    failures: u64,
    drawn: Vec<u64>,
    /// What was left of blocks that failed too often.
    left: Vec<Interval>,
    is_over: bool,
}

/// First failures by number of the unit. As units are claimed in order and finished, it does not depend
/// on the threads which ones these are.
type Found = Mutex<BTreeMap<u64, Vec<Failure>>>;

impl Done {
    /// Not begun.
    pub(super) fn nothing() -> Self {
        let by_length = ByLength::default();
        let is_over = false;
        Self {
            by_length,
            failures: 0,
            listed: vec![],
            covered: vec![],
            drawn: vec![],
            complete: false,
            is_over,
        }
    }

    /// Values checked.
    pub(super) fn values(&self) -> u64 {
        self.by_length.iter().sum()
    }
}

impl<T: Integer> Run<'_, T> {
    /// Does all of the schedule on the threads of `pool`.
    pub(super) fn on(&self, pool: &rayon::ThreadPool) -> Done {
        let found = Found::default();
        let tallies = pool.broadcast(|_| CachePadded::new(self.work(&found)));
        let mut done = Done {
            covered: self.schedule.blocks.prefix(self.schedule.begun()),
            drawn: vec![0; self.schedule.strata.len()],
            complete: self.schedule.complete(),
            ..Done::nothing()
        };
        for tally in &tallies {
            done.failures += tally.failures;
            done.covered = interval::difference(&done.covered, &tally.left);
            done.complete &= tally.left.is_empty();
            done.is_over |= tally.is_over;
            for (sum, count) in done.by_length.iter_mut().zip(tally.by_length) {
                *sum += count;
            }
            for (sum, count) in done.drawn.iter_mut().zip(&tally.drawn) {
                *sum += count;
            }
        }
        let found = found.into_inner().unwrap_or_else(PoisonError::into_inner);
        done.listed = found.into_values().flatten().take(self.list).collect();
        done
    }

    fn work(&self, found: &Found) -> Tally {
        let mut checker = Checker::new(self.codec, self.list);
        let mut drawn = vec![0; self.schedule.strata.len()];
        let mut left = vec![];
        while let Some(number) = self.schedule.claim(|number| checker.is_over || self.is_over(number)) {
            let failures = checker.failures;
            let values = match self.schedule.unit(number) {
                Unit::Block(block) => {
                    let rest = self.block(&mut checker, block);
                    left.extend(rest);
                    block.count() as u64 - rest.map_or(0, |rest| rest.count() as u64)
                }
                Unit::Draw { stratum, count } => {
                    let count = self.draw(&mut checker, number, stratum, count);
                    drawn[stratum] += count;
                    count
                }
            };
            if !checker.listed.is_empty() {
                note(found, number, std::mem::take(&mut checker.listed), self.list);
            }
            self.watch.add(values, checker.failures - failures);
        }
        let Checker { by_length, failures, is_over, .. } = checker;
        Tally { by_length, failures, drawn, left, is_over }
    }

    /// Whether the sweep is to end before the unit of that number. Time alone ends it only after what is needed.
    fn is_over(&self, number: u64) -> bool {
        let is_late = || self.deadline.is_some_and(|deadline| Instant::now() >= deadline);
        self.watch.is_stopped()
            || self.is_enough(self.watch.failures())
            || (number >= self.schedule.needed() && is_late())
    }

    fn is_enough(&self, failures: u64) -> bool {
        self.max_failures > 0 && failures >= self.max_failures
    }

    /// Checks a block; what is left of it where it alone has failures enough, or the codec broke down for good.
    fn block(&self, checker: &mut Checker<'_, T>, block: Interval) -> Option<Interval> {
        let before = checker.failures;
        let mut first = block.first;
        while first <= block.last && !checker.is_over && !self.is_enough(checker.failures - before) {
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
        let mut draw = Draw::new(stratum, self.seed, number - self.schedule.blocks.len());
        let mut done = 0;
        while done < count && !checker.is_over && !self.is_enough(checker.failures - before) {
            let some = (count - done).min(BLOCK as u64);
            checker.drawn(some as usize, stratum.length, || draw.next());
            done += some;
        }
        done
    }
}

/// Keeps the failures of a unit, and of all units no more than the first that are listed.
fn note(found: &Found, unit: u64, failures: Vec<Failure>, list: usize) {
    let mut found = found.lock().unwrap_or_else(PoisonError::into_inner);
    found.insert(unit, failures);
    let mut kept: usize = found.values().map(Vec::len).sum();
    while let Some(last) = found.last_entry() {
        let count = last.get().len();
        if kept - count < list {
            break;
        }
        last.remove();
        kept -= count;
    }
}
