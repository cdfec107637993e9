//! What a sweep has done so far: which units are finished, what was counted in them, what failed.

use std::collections::BTreeMap;

use super::check::ByLength;
use super::failure::Failure;
use super::interval::{self, Interval};
use super::oracle::MAX_LEN;
use super::schedule::Schedule;
use super::units::Units;

/// Counts over some units.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Counts {
    pub(super) by_length: ByLength,
    /// Draws from each stratum.
    pub(super) drawn: Vec<u64>,
    pub(super) failures: u64,
}

/// What became of one unit.
pub(super) struct Outcome {
    pub(super) unit: u64,
    pub(super) counts: Counts,
    /// The first of its failures.
    pub(super) listed: Vec<Failure>,
    /// What was left out, where it failed so often that it was not finished.
    pub(super) left: Option<Left>,
}

/// What an unfinished unit left out.
pub(super) enum Left {
    /// These values.
    Values(Interval),
    /// Some draws.
    Draws,
}

/// Some units, what was counted in them, and the first of their failures by unit: which ones these are does not
/// depend on the threads.
#[derive(Clone)]
pub(super) struct Tally {
    pub(super) units: Units,
    pub(super) counts: Counts,
    pub(super) listed: BTreeMap<u64, Vec<Failure>>,
}

/// The finished units of a sweep, and apart from them those that failed too often to be finished: a sweep that is
/// resumed does these again.
#[derive(Clone)]
pub(super) struct Ledger {
    pub(super) finished: Tally,
    unfinished: Tally,
    left: Vec<Interval>,
    /// Failures to list.
    list: usize,
}

impl Counts {
    pub(super) fn new(strata: usize) -> Self {
        Self { by_length: [0; MAX_LEN + 1], drawn: vec![0; strata], failures: 0 }
    }

    /// Up to the limit: a checkpoint may hold any numbers.
    pub(super) fn add(&mut self, other: &Self) {
        for (sum, count) in self.by_length.iter_mut().zip(other.by_length) {
            *sum = sum.saturating_add(count);
        }
        for (sum, count) in self.drawn.iter_mut().zip(&other.drawn) {
            *sum = sum.saturating_add(*count);
        }
        self.failures = self.failures.saturating_add(other.failures);
    }
}

impl Tally {
    /// Of no unit.
    fn new(strata: usize) -> Self {
        Self { units: Units::default(), counts: Counts::new(strata), listed: BTreeMap::new() }
    }

    fn enter(&mut self, units: &[u64], counts: &Counts, listed: BTreeMap<u64, Vec<Failure>>, list: usize) {
        self.units.add(units);
        self.counts.add(counts);
        self.listed.extend(listed);
        keep_first(&mut self.listed, list);
    }
}

impl Ledger {
    /// Nothing done yet.
    pub(super) fn new(strata: usize, list: usize) -> Self {
        Self { finished: Tally::new(strata), unfinished: Tally::new(strata), left: Vec::new(), list }
    }

    /// Enters units and what was counted in all of them.
    pub(super) fn enter(&mut self, units: &[u64], counts: &Counts, listed: BTreeMap<u64, Vec<Failure>>) {
        self.finished.enter(units, counts, listed, self.list);
    }

    /// Enters a unit that was not finished.
    pub(super) fn enter_unfinished(&mut self, outcome: Outcome) {
        let listed = BTreeMap::from([(outcome.unit, outcome.listed)]);
        self.unfinished.enter(&[outcome.unit], &outcome.counts, listed, self.list);
        if let Some(Left::Values(left)) = outcome.left {
            self.left.push(left);
        }
    }

    /// Everything counted, unfinished units included.
    pub(super) fn all_counts(&self) -> Counts {
        let mut counts = self.finished.counts.clone();
        counts.add(&self.unfinished.counts);
        counts
    }

    /// The first failures in the order of the schedule, unfinished units included.
    pub(super) fn first_failures(&self) -> Vec<Failure> {
        let mut listed = self.finished.listed.clone();
        listed.extend(self.unfinished.listed.clone());
        listed.into_values().flatten().take(self.list).collect()
    }

    /// The values that were all checked.
    pub(super) fn covered(&self, schedule: &Schedule) -> Vec<Interval> {
        let mut covered = schedule.values(&self.finished.units);
        covered.extend(schedule.values(&self.unfinished.units));
        let left = interval::union(self.left.iter().copied());
        interval::difference(&interval::union(covered), &left)
    }

    /// Whether the first `needed` units are finished.
    pub(super) fn has(&self, needed: u64) -> bool {
        self.finished.units.first_missing() >= needed
    }
}

/// Of the failures by unit, keeps no more units than hold the first `list`.
pub(super) fn keep_first(listed: &mut BTreeMap<u64, Vec<Failure>>, list: usize) {
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
