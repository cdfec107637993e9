//! The progress of a sweep: the finished units, their counts, and the first failures; and the totals
//! that the worker threads add to, which can be read at any time.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Mutex, MutexGuard};

use crossbeam_utils::CachePadded;
use serde::{Deserialize, Serialize};

use crate::check::bounds::{self, Listed};
use crate::check::failure::{Failure, joined};
use crate::check::panics::lock;
use crate::check::subject::UnitResult;
use crate::check::worst::{WorstByClass, add};
use crate::plan::interval::{self, Interval, UnitSet};
use crate::plan::schedule::{Schedule, Unit};
use crate::report::decimal;

/// The finished units of a sweep with their failures, and the results of units that are not
/// finished. A resumed sweep checks the latter again. The numbers of inputs follow from the
/// schedule.
///
/// A checkpoint has the finished units only.
#[derive(Clone, Default, Serialize, Deserialize)]
pub(crate) struct Totals {
    pub(crate) finished: UnitSet,
    /// The number of failing inputs that are no edge cases.
    #[serde(with = "decimal")]
    pub(crate) failures: u64,
    /// The edge cases that failed, alone or with their unit of consecutive inputs.
    pub(crate) failed_edges: BTreeSet<i128>,
    /// Failures by unit, so that the list does not depend on the number of threads. Those of unit 0,
    /// the edge cases, may be listed again with another unit.
    pub(crate) listed: BTreeMap<u64, Vec<Failure>>,
    /// The number of failures of later units that are not listed, where neighbours are one.
    #[serde(with = "decimal")]
    pub(crate) unlisted: u64,
    pub(crate) worst: WorstByClass,
    #[serde(skip)]
    pub(crate) unfinished: Vec<UnitResult>,
    #[serde(skip)]
    pub(crate) list: usize,
    /// The last unit with a listed failure, if the list is full.
    #[serde(skip)]
    full_at: Option<u64>,
}

impl Totals {
    /// Returns the schedule with which a run continues from these totals, or `None` if it does not
    /// have the finished units, or if a unit with failures is not finished.
    pub(crate) fn resume(&self, schedule: Schedule) -> Option<Schedule> {
        let are_finished = self.listed.keys().all(|&unit| self.finished.contains(unit));
        schedule.resumed(self.finished.clone()).filter(|_| are_finished)
    }

    pub(crate) fn add(&mut self, mut results: Vec<UnitResult>) {
        // In order, so that ranges join before the list is cut.
        results.sort_unstable_by_key(|result| result.unit);
        for result in &mut results {
            for (class, worst) in std::mem::take(&mut result.worst) {
                add(&mut self.worst, class, worst);
            }
        }
        let (finished, unfinished): (Vec<_>, Vec<_>) =
            results.into_iter().partition(|result| result.is_finished);
        self.finished.add(&finished.iter().map(|result| result.unit).collect::<Vec<_>>());
        let mut has_failed = false;
        for result in finished {
            // Saturating, since a checkpoint may contain any numbers.
            self.failures = self.failures.saturating_add(result.failures);
            self.failed_edges.extend(result.failed_edges);
            let is_after = self.full_at.is_some_and(|last| result.unit > last);
            let listed =
                if is_after { self.continues(&result.listed).into() } else { result.listed.len() as u64 };
            if result.unit > 0 {
                self.unlisted = self.unlisted.saturating_add(result.ranges.saturating_sub(listed));
            }
            if !result.listed.is_empty() && !is_after {
                self.listed.insert(result.unit, result.listed);
                has_failed = true;
            }
        }
        if has_failed {
            self.join_listed();
            self.keep_first();
        }
        self.unfinished.extend(unfinished);
    }

    /// Returns whether the failures of a unit after those that are listed begin with a part of the last
    /// range, which is added to it.
    fn continues(&mut self, listed: &[Failure]) -> bool {
        let last = self.listed.values_mut().next_back().and_then(|listed| listed.last_mut());
        last.zip(listed.first()).is_some_and(|(last, next)| last.join(next))
    }

    /// Removes the failures of all units after those that contain as many as are listed, without those
    /// of the edge cases.
    fn keep_first(&mut self) {
        let mut kept = Listed::of(self.listed.range(1..).flat_map(|(_, listed)| listed));
        self.full_at = None;
        while let Some(last) = self.listed.last_entry().filter(|last| *last.key() > 0) {
            let before = kept.without(Listed::of(last.get()));
            if !before.is_full(self.list) {
                self.full_at = kept.is_full(self.list).then_some(*last.key());
                break;
            }
            kept = before;
            self.unlisted = self.unlisted.saturating_add(last.remove().len() as u64);
        }
    }

    /// Joins ranges that continue in other units. Each is listed in the unit of its first input.
    fn join_listed(&mut self) {
        let edges = self.listed.remove_entry(&0);
        let listed = std::mem::take(&mut self.listed).into_iter();
        let mut all: Vec<_> = listed
            .flat_map(|(unit, listed)| listed.into_iter().map(move |failure| (unit, failure)))
            .collect();
        all.dedup_by(|(_, next), (_, last)| last.join(next));
        for (unit, failure) in all {
            self.listed.entry(unit).or_default().push(failure);
        }
        self.listed.extend(edges);
    }

    /// Returns the number of failures in all units, including unfinished ones.
    pub(crate) fn all_failures(&self) -> u64 {
        let failures = self.unfinished.iter().map(|result| result.failures);
        let failures = failures.fold(self.failures, u64::saturating_add);
        let unfinished = self.unfinished.iter().flat_map(|result| &result.failed_edges).copied();
        let more: BTreeSet<i128> = unfinished.filter(|edge| !self.failed_edges.contains(edge)).collect();
        failures.saturating_add((self.failed_edges.len() + more.len()) as u64)
    }

    /// Returns the first failures, including those of unfinished units: ranges, which say most, then
    /// edge cases, then others, each in the order of the schedule.
    pub(crate) fn first_failures(&self) -> Vec<Failure> {
        let mut listed = self.listed.clone();
        listed.extend(self.unfinished.iter().map(|result| (result.unit, result.listed.clone())));
        listed.remove(&0);
        let mut others = joined(listed.into_values().flatten());
        // An edge case in a range of failures is no case of its own.
        let mut edges = self.edges();
        let is_in_range =
            |edge: &Failure| others.iter().any(|other| other.last.is_some() && other.covers(edge));
        edges.retain(|edge| !is_in_range(edge));
        others.retain(|other| !edges.iter().any(|edge| edge.covers(other)));
        let (ranges, single): (Vec<_>, Vec<_>) =
            others.into_iter().partition(|failure| failure.last.is_some());
        let mut first = [ranges, edges, single].concat();
        bounds::truncate(&mut first, self.list);
        first
    }

    /// Returns the failures of the unit of edge cases, with neighbours joined.
    fn edges(&self) -> Vec<Failure> {
        let unfinished = self.unfinished.iter().filter(|result| result.unit == 0);
        let listed = self.listed.get(&0).into_iter().chain(unfinished.map(|result| &result.listed));
        let mut failures: Vec<Failure> = listed.flatten().cloned().collect();
        failures.sort_by_key(|failure| failure.numbers.map(|numbers| numbers.first));
        joined(failures)
    }

    pub(crate) fn edge_ranges(&self) -> u64 {
        self.edges().len() as u64
    }

    /// Returns the number of ranges of neighbours that fail, without edge cases. After the first unit
    /// that is not finished, parts of one range may still be apart, so these do not count if they are
    /// listed.
    pub(crate) fn ranges(&self) -> u64 {
        let unfinished = self.unfinished.iter().map(|result| result.ranges);
        let listed = self.listed.range(1..self.finished.first_missing().max(1));
        let listed = listed.map(|(_, listed)| listed.len() as u64);
        listed.chain(unfinished).fold(self.unlisted, u64::saturating_add)
    }

    /// Returns the inputs that were checked exhaustively, and the number of draws from each
    /// stratum.
    pub(crate) fn covered(&self, schedule: &Schedule) -> (Vec<Interval>, Vec<u64>) {
        let (mut covered, mut drawn) = (schedule.values(&self.finished), schedule.drawn(&self.finished));
        let edge = |&edge: &i128| Interval { first: edge, last: edge };
        if self.finished.contains(0) {
            covered.extend(schedule.edges.iter().map(edge));
        }
        for &UnitResult { unit, checked, .. } in &self.unfinished {
            match schedule.unit(unit) {
                Unit::Edges => covered.extend(schedule.edges.iter().take(checked as usize).map(edge)),
                Unit::Consecutive(inputs) => {
                    covered.extend(Interval::new(inputs.first, inputs.first + i128::from(checked) - 1));
                }
                Unit::Draw { stratum, .. } => drawn[stratum] += checked,
            }
        }
        (interval::union(covered), drawn)
    }

    /// Returns the number of inputs that were checked, without those of edge cases alone.
    pub(crate) fn inputs(&self, schedule: &Schedule) -> u128 {
        let unfinished = self.unfinished.iter().filter(|result| result.unit > 0);
        let unfinished = unfinished.map(|result| u128::from(result.checked)).sum::<u128>();
        schedule.inputs(&self.finished) + unfinished
    }

    /// Returns the last unit in which something was checked.
    pub(crate) fn last_unit(&self) -> Option<u64> {
        let unfinished = self.unfinished.iter().filter(|result| result.checked > 0);
        let units = self.finished.ranges().map(|(_, last)| last).chain(unfinished.map(|result| result.unit));
        units.max()
    }
}

/// The number of units, and the size of their failures, after which a thread adds its results to the
/// shared ones, so that memory stays bounded even if no observer collects them.
const MAX_THREAD_UNITS: usize = 4096;
const MAX_THREAD_SIZE: usize = 1 << 20;

/// The results of each thread, in its own cache line, and the totals that they are collected into.
///
/// A thread adds the results of a unit in one step, so the collected totals are always consistent.
pub(crate) struct SharedTotals {
    threads: Vec<CachePadded<Mutex<Pending>>>,
    totals: Mutex<Totals>,
}

/// The results of a thread that are not collected yet, and the size of their failures.
#[derive(Default)]
struct Pending {
    results: Vec<UnitResult>,
    size: usize,
}

impl SharedTotals {
    /// Creates totals for `count` threads, which continue from `totals`.
    pub(crate) fn new(count: usize, totals: Totals) -> Self {
        let threads = (0..count).map(|_| CachePadded::default()).collect();
        Self { threads, totals: Mutex::new(totals) }
    }

    pub(crate) fn add(&self, thread: usize, result: UnitResult) {
        let mut own = lock(&self.threads[thread]);
        own.size += Listed::of(&result.listed).size();
        own.results.push(result);
        if own.results.len() >= MAX_THREAD_UNITS || own.size >= MAX_THREAD_SIZE {
            // Never hold both locks, or this could deadlock.
            drop(own);
            drop(self.collect());
        }
    }

    /// Returns the totals, including everything added so far.
    pub(crate) fn collect(&self) -> MutexGuard<'_, Totals> {
        let mut totals = lock(&self.totals);
        totals.add(self.threads.iter().flat_map(|own| std::mem::take(&mut *lock(own)).results).collect());
        totals
    }
}
