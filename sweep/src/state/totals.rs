//! The progress of a sweep: the finished units, their counts, and the first failures.

use std::collections::BTreeMap;

use crate::check::counts::Counts;
use crate::check::failure::Failure;
use crate::plan::interval::{self, Interval};
use crate::plan::schedule::Schedule;
use crate::plan::unit_set::UnitSet;

/// The result of one unit.
pub(crate) struct UnitResult {
    pub(crate) unit: u64,
    pub(crate) counts: Counts,
    /// The first failures of the unit.
    pub(crate) listed: Vec<Failure>,
    /// What is left unchecked, if the unit failed too often to be finished.
    pub(crate) unchecked: Option<Unchecked>,
}

/// The part of an unfinished unit that is not checked.
pub(crate) enum Unchecked {
    /// These values.
    Values(Interval),
    /// Some draws.
    Draws,
}

/// Some units with their counts and their first failures. Failures are kept by unit, so that the
/// list does not depend on the number of threads.
#[derive(Clone)]
pub(crate) struct UnitTotals {
    pub(crate) units: UnitSet,
    pub(crate) counts: Counts,
    pub(crate) listed: BTreeMap<u64, Vec<Failure>>,
}

/// The finished units of a sweep, and separately the units that failed too often to be finished. A
/// resumed sweep checks the latter again.
#[derive(Clone)]
pub(crate) struct Totals {
    pub(crate) finished: UnitTotals,
    unfinished: UnitTotals,
    /// The values of unfinished units that are not checked.
    unchecked: Vec<Interval>,
    /// The number of failures to list.
    list: usize,
}

impl UnitTotals {
    /// Creates totals without units.
    fn new(strata: usize) -> Self {
        Self { units: UnitSet::default(), counts: Counts::new(strata), listed: BTreeMap::new() }
    }

    fn add(&mut self, units: &[u64], counts: &Counts, listed: BTreeMap<u64, Vec<Failure>>, list: usize) {
        self.units.add(units);
        self.counts.add(counts);
        self.listed.extend(listed);
        keep_first(&mut self.listed, list);
    }
}

impl Totals {
    /// Creates the totals of a sweep that has done nothing yet.
    pub(crate) fn new(strata: usize, list: usize) -> Self {
        Self {
            finished: UnitTotals::new(strata),
            unfinished: UnitTotals::new(strata),
            unchecked: Vec::new(),
            list,
        }
    }

    /// Adds finished units with their counts and first failures.
    pub(crate) fn add(&mut self, units: &[u64], counts: &Counts, listed: BTreeMap<u64, Vec<Failure>>) {
        self.finished.add(units, counts, listed, self.list);
    }

    /// Adds a unit that is not finished.
    pub(crate) fn add_unfinished(&mut self, result: UnitResult) {
        let listed = BTreeMap::from([(result.unit, result.listed)]);
        self.unfinished.add(&[result.unit], &result.counts, listed, self.list);
        if let Some(Unchecked::Values(values)) = result.unchecked {
            self.unchecked.push(values);
        }
    }

    /// Returns the number of values checked in finished units.
    pub(crate) fn values(&self) -> u64 {
        self.finished.counts.by_length.iter().copied().fold(0, u64::saturating_add)
    }

    /// Returns the counts over all units, including unfinished ones.
    pub(crate) fn all_counts(&self) -> Counts {
        let mut counts = self.finished.counts.clone();
        counts.add(&self.unfinished.counts);
        counts
    }

    /// Returns the first failures in the order of the schedule, including those of unfinished
    /// units.
    pub(crate) fn first_failures(&self) -> Vec<Failure> {
        let mut listed = self.finished.listed.clone();
        listed.extend(self.unfinished.listed.clone());
        listed.into_values().flatten().take(self.list).collect()
    }

    /// Returns the values that were checked exhaustively.
    pub(crate) fn covered(&self, schedule: &Schedule) -> Vec<Interval> {
        let mut covered = schedule.values(&self.finished.units);
        covered.extend(schedule.values(&self.unfinished.units));
        let unchecked = interval::union(self.unchecked.iter().copied());
        interval::difference(&interval::union(covered), &unchecked)
    }

    /// Returns the last unit in which something was checked.
    pub(crate) fn last_unit(&self) -> Option<u64> {
        let ranges = self.finished.units.ranges().chain(self.unfinished.units.ranges());
        ranges.map(|(_, last)| last).max()
    }

    /// Returns whether the first `needed` units are finished.
    pub(crate) fn has(&self, needed: u64) -> bool {
        self.finished.units.first_missing() >= needed
    }
}

/// Removes the failures of all units after those that contain the first `list` failures.
pub(crate) fn keep_first<F>(listed: &mut BTreeMap<u64, Vec<F>>, list: usize) {
    let mut kept: usize = listed.values().map(Vec::len).sum();
    while let Some(last) = listed.last_entry() {
        let count = last.get().len();
        if kept - count < list {
            break;
        }
        last.remove();
        kept -= count;
    }
}
