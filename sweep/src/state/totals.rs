//! The progress of a sweep: the finished units, their counts, and the first failures.

use std::collections::BTreeMap;

use crate::check::failure::{Failure, Worst, joined};
use crate::plan::interval::{self, Interval};
use crate::plan::schedule::{Schedule, Unit};
use crate::plan::unit_set::UnitSet;

/// The result of one unit.
#[derive(Clone)]
pub(crate) struct UnitResult {
    pub(crate) unit: u64,
    /// The number of its inputs that are checked, from the first on.
    pub(crate) checked: u64,
    pub(crate) failures: u64,
    /// The first failures of the unit.
    pub(crate) listed: Vec<Failure>,
    pub(crate) worst: Option<Worst>,
    /// Whether all inputs are checked. A unit that failed too often is not finished.
    pub(crate) is_finished: bool,
}

/// The finished units of a sweep with their failures, and the results of units that are not
/// finished. A resumed sweep checks the latter again. The numbers of inputs follow from the
/// schedule.
#[derive(Clone)]
pub(crate) struct Totals {
    pub(crate) finished: UnitSet,
    pub(crate) failures: u64,
    /// Failures by unit, so that the list does not depend on the number of threads.
    pub(crate) listed: BTreeMap<u64, Vec<Failure>>,
    /// The greatest deviation.
    pub(crate) worst: Option<Worst>,
    unfinished: Vec<UnitResult>,
    /// The number of failures to list.
    list: usize,
}

impl Totals {
    /// Creates totals that continue from these units.
    pub(crate) fn new(
        finished: UnitSet,
        failures: u64,
        listed: BTreeMap<u64, Vec<Failure>>,
        list: usize,
    ) -> Self {
        Self { finished, failures, listed, worst: None, unfinished: Vec::new(), list }
    }

    /// Adds the results of units.
    pub(crate) fn add(&mut self, mut results: Vec<UnitResult>) {
        // In order, so that ranges join before the list is cut.
        results.sort_unstable_by_key(|result| result.unit);
        for result in &mut results {
            self.worst = Worst::greater(self.worst.take(), result.worst.take());
        }
        let (finished, unfinished): (Vec<_>, Vec<_>) =
            results.into_iter().partition(|result| result.is_finished);
        self.finished.add(&finished.iter().map(|result| result.unit).collect::<Vec<_>>());
        for result in finished {
            // Saturating, since a checkpoint may contain any numbers.
            self.failures = self.failures.saturating_add(result.failures);
            if !result.listed.is_empty() {
                self.list_unit(result.unit, result.listed);
            }
        }
        keep_first(&mut self.listed, self.list);
        self.unfinished.extend(unfinished);
    }

    /// Adds the failures of a unit, and joins ranges that continue in it or from it.
    fn list_unit(&mut self, unit: u64, mut listed: Vec<Failure>) {
        let before = self.listed.range_mut(..unit).next_back();
        if before.and_then(|(_, before)| before.last_mut()).is_some_and(|last| last.join(&listed[0])) {
            listed.remove(0);
        }
        // A range that ends in a later unit is listed in the unit of its first input.
        if !listed.is_empty() {
            self.listed.insert(unit, listed);
        }
        let Some(after) = self.listed.range(unit + 1..).next().map(|(unit, _)| *unit) else { return };
        let Some(mut rest) = self.listed.remove(&after) else { return };
        let before = self.listed.range_mut(..=unit).next_back();
        if before.and_then(|(_, before)| before.last_mut()).is_some_and(|last| last.join(&rest[0])) {
            rest.remove(0);
        }
        if !rest.is_empty() {
            self.listed.insert(after, rest);
        }
    }

    /// Returns the number of failures in all units, including unfinished ones.
    pub(crate) fn all_failures(&self) -> u64 {
        self.unfinished.iter().map(|result| result.failures).fold(self.failures, u64::saturating_add)
    }

    /// Returns the first failures in the order of the schedule, including those of unfinished
    /// units.
    pub(crate) fn first_failures(&self) -> Vec<Failure> {
        let mut listed = self.listed.clone();
        listed.extend(self.unfinished.iter().map(|result| (result.unit, result.listed.clone())));
        let mut joined = joined(listed.into_values().flatten());
        joined.truncate(self.list);
        joined
    }

    /// Returns the number of listed ranges of neighbours that fail. After the first unit that is not
    /// finished, parts of one range may still be apart, so these do not count.
    pub(crate) fn ranges(&self) -> u64 {
        let unfinished = self.unfinished.iter().map(|result| &result.listed);
        let listed = self.listed.range(..self.finished.first_missing()).map(|(_, listed)| listed);
        listed.chain(unfinished).map(|listed| listed.len() as u64).sum()
    }

    /// Returns the inputs that were checked exhaustively, and the number of draws from each
    /// stratum.
    pub(crate) fn covered(&self, schedule: &Schedule) -> (Vec<Interval>, Vec<u64>) {
        let (mut covered, mut drawn) = (schedule.values(&self.finished), schedule.drawn(&self.finished));
        for &UnitResult { unit, checked, .. } in &self.unfinished {
            match schedule.unit(unit) {
                Unit::Consecutive(inputs) => {
                    covered.extend(Interval::new(inputs.first, inputs.first + i128::from(checked) - 1));
                }
                Unit::Draw { stratum, .. } => drawn[stratum] += checked,
            }
        }
        (interval::union(covered), drawn)
    }

    /// Returns the last unit in which something was checked.
    pub(crate) fn last_unit(&self) -> Option<u64> {
        let unfinished = self.unfinished.iter().filter(|result| result.checked > 0);
        let units = self.finished.ranges().map(|(_, last)| last).chain(unfinished.map(|result| result.unit));
        units.max()
    }

    /// Returns whether the first `needed` units are finished.
    pub(crate) fn has(&self, needed: u64) -> bool {
        self.finished.first_missing() >= needed
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
