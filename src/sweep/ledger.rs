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

/// The finished units of a sweep, and apart from them those that failed too often to be finished: a sweep that is
/// resumed does these again.
#[derive(Clone)]
pub(super) struct Ledger {
    pub(super) finished: Units,
    pub(super) counts: Counts,
    /// First failures by unit: which ones these are does not depend on the threads.
    pub(super) listed: BTreeMap<u64, Vec<Failure>>,
    unfinished: Units,
    unfinished_counts: Counts,
    unfinished_listed: BTreeMap<u64, Vec<Failure>>,
    left: Vec<Interval>,
    /// Failures to list.
    list: usize,
}

impl Counts {
    pub(super) fn new(strata: usize) -> Self {
        Self { by_length: [0; MAX_LEN + 1], drawn: vec![0; strata], failures: 0 }
    }

    pub(super) fn add(&mut self, other: &Self) {
        for (sum, count) in self.by_length.iter_mut().zip(other.by_length) {
            *sum += count;
        }
        for (sum, count) in self.drawn.iter_mut().zip(&other.drawn) {
            *sum += count;
        }
        self.failures += other.failures;
    }
}

impl Ledger {
    /// Nothing done yet.
    pub(super) fn new(strata: usize, list: usize) -> Self {
        Self {
            finished: Units::default(),
            counts: Counts::new(strata),
            listed: BTreeMap::new(),
            unfinished: Units::default(),
            unfinished_counts: Counts::new(strata),
            unfinished_listed: BTreeMap::new(),
            left: Vec::new(),
            list,
        }
    }

    /// Enters units and what was counted in all of them.
    pub(super) fn enter(&mut self, units: &[u64], counts: &Counts, listed: BTreeMap<u64, Vec<Failure>>) {
        self.finished.add(units);
        self.counts.add(counts);
        self.listed.extend(listed);
        keep_first(&mut self.listed, self.list);
    }

    /// Enters a unit that was not finished.
    pub(super) fn enter_unfinished(&mut self, outcome: Outcome) {
        self.unfinished.add(&[outcome.unit]);
        self.unfinished_counts.add(&outcome.counts);
        self.unfinished_listed.insert(outcome.unit, outcome.listed);
        keep_first(&mut self.unfinished_listed, self.list);
        if let Some(Left::Values(left)) = outcome.left {
            self.left.push(left);
        }
    }

    /// Everything counted, unfinished units included.
    pub(super) fn all_counts(&self) -> Counts {
        let mut counts = self.counts.clone();
        counts.add(&self.unfinished_counts);
        counts
    }

    /// The first failures in the order of the schedule, unfinished units included.
    pub(super) fn first_failures(&self) -> Vec<Failure> {
        let mut listed = self.listed.clone();
        listed.extend(self.unfinished_listed.clone());
        listed.into_values().flatten().take(self.list).collect()
    }

    /// The values that were all checked.
    pub(super) fn covered(&self, schedule: &Schedule) -> Vec<Interval> {
        let mut covered = schedule.values(&self.finished);
        covered.extend(schedule.values(&self.unfinished));
        let left = interval::union(self.left.iter().copied());
        interval::difference(&interval::union(covered), &left)
    }

    /// Whether the first `needed` units are finished.
    pub(super) fn has(&self, needed: u64) -> bool {
        self.finished.first_missing() >= needed
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
