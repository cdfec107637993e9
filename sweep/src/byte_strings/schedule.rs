//! The work of a sweep as numbered units: for each type, the batches of each length in order.
//!
//! Worker threads claim units in order and finish each unit that they claimed, unless the limit of
//! disagreements is reached.

use std::ops::Range;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

use super::batch::BATCH;
use super::strings::{Group, groups};
use crate::plan::unit_set::UnitSet;

/// The number of batches in a unit: enough to make the cost of a claim negligible, and few enough
/// to finish in much less than a second.
const UNIT: u64 = 16;

/// The units of a sweep over some types.
pub(super) struct Schedule {
    pub(super) groups: Vec<Group>,
    types: usize,
    /// The units that are finished already.
    done: UnitSet,
    next: AtomicU64,
}

/// Some batches of one length, as one type.
pub(super) struct Unit {
    pub(super) number: u64,
    /// The index of the type.
    pub(super) of_type: usize,
    /// The index of the length.
    pub(super) group: usize,
    pub(super) batches: Range<u64>,
}

impl Schedule {
    /// Creates the schedule of a sweep of every string up to `len` bytes.
    pub(super) fn new(len: usize, types: usize) -> Self {
        Self { groups: groups(len), types, done: UnitSet::default(), next: AtomicU64::new(0) }
    }

    /// Marks these units as done.
    pub(super) fn resumed(self, done: UnitSet) -> Self {
        Self { next: AtomicU64::new(done.first_missing()), done, ..self }
    }

    /// Claims the next unit for a thread, or returns `None` if none is left.
    pub(super) fn claim(&self) -> Option<Unit> {
        loop {
            let number = self.next.fetch_add(1, Relaxed);
            if !self.done.contains(number) {
                return self.unit(number);
            }
        }
    }

    /// Returns the number of strings, over all types.
    pub(super) fn strings(&self) -> u64 {
        self.types as u64 * self.groups.iter().map(|group| group.count()).sum::<u64>()
    }

    /// Returns the number of units, over all types.
    pub(super) fn end(&self) -> u64 {
        self.types as u64 * self.units_of_type()
    }

    /// Returns the number of strings of each length in these units, for each type.
    pub(super) fn strings_in(&self, units: &UnitSet) -> Vec<Vec<u64>> {
        let mut strings = vec![vec![0; self.groups.len()]; self.types];
        let mut start = 0;
        for of_type in &mut strings {
            for (sum, group) in of_type.iter_mut().zip(&self.groups) {
                let end = start + units_of(*group);
                let before = |unit: u64| ((unit - start) * UNIT * BATCH).min(group.count());
                for (first, last) in units.ranges().filter(|&(first, last)| first < end && last >= start) {
                    *sum += before(end.min(last + 1)) - before(start.max(first));
                }
                start = end;
            }
        }
        strings
    }

    fn units_of_type(&self) -> u64 {
        self.groups.iter().copied().map(units_of).sum()
    }

    /// Returns a unit by its number, if there is one.
    fn unit(&self, number: u64) -> Option<Unit> {
        let of_type = number / self.units_of_type();
        let mut unit = number % self.units_of_type();
        if of_type >= self.types as u64 {
            return None;
        }
        for (index, group) in self.groups.iter().enumerate() {
            if unit < units_of(*group) {
                let first = unit * UNIT;
                let batches = first..(first + UNIT).min(group.count().div_ceil(BATCH));
                return Some(Unit { number, of_type: of_type as usize, group: index, batches });
            }
            unit -= units_of(*group);
        }
        None
    }
}

/// Returns the number of units in a group.
fn units_of(group: Group) -> u64 {
    group.count().div_ceil(BATCH * UNIT)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_batch_of_every_type_is_in_one_unit() {
        let schedule = Schedule::new(2, 2);
        let mut batches = vec![vec![0; schedule.groups.len()]; 2];
        let mut units = 0;
        while let Some(unit) = schedule.claim() {
            assert_eq!(batches[unit.of_type][unit.group], unit.batches.start, "in order and without gaps");
            batches[unit.of_type][unit.group] = unit.batches.end;
            assert_eq!(unit.number, units);
            units += 1;
        }
        assert_eq!(units, schedule.end());
        let all: Vec<_> = schedule.groups.iter().map(|group| group.count().div_ceil(BATCH)).collect();
        assert_eq!(batches, [all.clone(), all]);
    }

    #[test]
    fn the_strings_of_finished_units_are_counted_and_not_claimed_again() {
        let schedule = Schedule::new(2, 2);
        let mut done = UnitSet::default();
        let (mut strings, mut number) = (vec![vec![0; schedule.groups.len()]; 2], 0);
        while let Some(unit) = schedule.claim() {
            if unit.number % 3 != 1 {
                done.add(&[unit.number]);
                let end = (unit.batches.end * BATCH).min(schedule.groups[unit.group].count());
                strings[unit.of_type][unit.group] += end - unit.batches.start * BATCH;
            } else {
                number += 1;
            }
        }
        assert_eq!(schedule.strings_in(&done), strings);
        let resumed = Schedule::new(2, 2).resumed(done);
        let claimed: Vec<_> = std::iter::from_fn(|| resumed.claim()).map(|unit| unit.number).collect();
        assert_eq!(claimed.len(), number);
        assert!(claimed.iter().all(|number| number % 3 == 1));
    }
}
