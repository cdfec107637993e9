//! What a sweep has done so far: the finished units, the counts over them, and the first failures.

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
    /// The first of its failures.
    pub(crate) listed: Vec<Failure>,
    /// What was left out, if the unit failed so often that it was not finished.
    pub(crate) left: Option<Left>,
}

/// What an unfinished unit left out.
pub(crate) enum Left {
    /// These values.
    Values(Interval),
    /// Some draws.
    Draws,
}

/// Some units, what was counted in them, and the first of their failures by unit: which ones these are does not
/// depend on the threads.
#[derive(Clone)]
pub(crate) struct UnitTotals {
    pub(crate) units: UnitSet,
    pub(crate) counts: Counts,
    pub(crate) listed: BTreeMap<u64, Vec<Failure>>,
}

/// The finished units of a sweep, and apart from them those that failed too often to be finished: a sweep that is
/// resumed does these again.
#[derive(Clone)]
pub(crate) struct Totals {
    pub(crate) finished: UnitTotals,
    unfinished: UnitTotals,
    left: Vec<Interval>,
    /// Failures to list.
    list: usize,
}

impl UnitTotals {
    /// Of no unit.
    fn new(strata: usize) -> Self {
        Self { units: UnitSet::default(), counts: Counts::new(strata), listed: BTreeMap::new() }
    }

    fn enter(&mut self, units: &[u64], counts: &Counts, listed: BTreeMap<u64, Vec<Failure>>, list: usize) {
        self.units.add(units);
        self.counts.add(counts);
        self.listed.extend(listed);
        keep_first(&mut self.listed, list);
    }
}

impl Totals {
    /// Nothing done yet.
    pub(crate) fn new(strata: usize, list: usize) -> Self {
        Self {
            finished: UnitTotals::new(strata),
            unfinished: UnitTotals::new(strata),
            left: Vec::new(),
            list,
        }
    }

    /// Enters units and what was counted in all of them.
    pub(crate) fn enter(&mut self, units: &[u64], counts: &Counts, listed: BTreeMap<u64, Vec<Failure>>) {
        self.finished.enter(units, counts, listed, self.list);
    }

    /// Enters a unit that was not finished.
    pub(crate) fn enter_unfinished(&mut self, outcome: UnitResult) {
        let listed = BTreeMap::from([(outcome.unit, outcome.listed)]);
        self.unfinished.enter(&[outcome.unit], &outcome.counts, listed, self.list);
        if let Some(Left::Values(left)) = outcome.left {
            self.left.push(left);
        }
    }

    /// The number of values checked in finished units.
    pub(crate) fn values(&self) -> u64 {
        self.finished.counts.by_length.iter().copied().fold(0, u64::saturating_add)
    }

    /// Everything counted, unfinished units included.
    pub(crate) fn all_counts(&self) -> Counts {
        let mut counts = self.finished.counts.clone();
        counts.add(&self.unfinished.counts);
        counts
    }

    /// The first failures in the order of the schedule, unfinished units included.
    pub(crate) fn first_failures(&self) -> Vec<Failure> {
        let mut listed = self.finished.listed.clone();
        listed.extend(self.unfinished.listed.clone());
        listed.into_values().flatten().take(self.list).collect()
    }

    /// The values that were all checked.
    pub(crate) fn covered(&self, schedule: &Schedule) -> Vec<Interval> {
        let mut covered = schedule.values(&self.finished.units);
        covered.extend(schedule.values(&self.unfinished.units));
        let left = interval::union(self.left.iter().copied());
        interval::difference(&interval::union(covered), &left)
    }

    /// Whether the first `needed` units are finished.
    pub(crate) fn has(&self, needed: u64) -> bool {
        self.finished.units.first_missing() >= needed
    }
}

/// Of the failures by unit, keeps no more units than hold the first `list`.
pub(crate) fn keep_first(listed: &mut BTreeMap<u64, Vec<Failure>>, list: usize) {
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
