//! Sets of unit numbers, such as the finished units of a schedule.

use serde::{Deserialize, Serialize};

use crate::plan::interval::{Interval, union};

/// A set of unit numbers, stored as intervals.
///
/// The finished units of a sweep are the first units of its schedule and a few later ones. So the
/// set stays small, however long the sweep runs.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(transparent)]
pub(crate) struct UnitSet(Vec<Interval>);

impl UnitSet {
    /// Adds units to the set.
    pub(crate) fn add(&mut self, numbers: &[u64]) {
        let single = |&number: &u64| Interval { first: number.into(), last: number.into() };
        self.0 = union(self.0.drain(..).chain(numbers.iter().map(single)));
    }

    /// Returns whether the set contains a unit.
    pub(crate) fn contains(&self, number: u64) -> bool {
        self.next_missing(number) > number
    }

    /// Returns the first unit that is not in the set.
    pub(crate) fn first_missing(&self) -> u64 {
        self.next_missing(0)
    }

    /// Returns the first unit from this one on that is not in the set.
    pub(crate) fn next_missing(&self, number: u64) -> u64 {
        let from = self.0.partition_point(|interval| interval.last < number.into());
        self.0.get(from).filter(|i| i.contains(number.into())).map_or(number, |i| i.last as u64 + 1)
    }

    /// Returns the intervals of the set in order, each as its first and last number.
    pub(crate) fn ranges(&self) -> impl Iterator<Item = (u64, u64)> {
        self.0.iter().map(|interval| (interval.first as u64, interval.last as u64))
    }

    /// Returns whether the set, which may be read from a file, has the form that [`add`](Self::add)
    /// creates, and only numbers below `end`.
    pub(crate) fn is_valid(&self, end: u64) -> bool {
        union(self.0.iter().copied()) == self.0
            && self.0.iter().all(|interval| interval.first >= 0 && interval.last < i128::from(end))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn adjacent_units_are_merged_in_any_order() {
        let mut units = UnitSet::default();
        assert_eq!(units.first_missing(), 0);
        units.add(&[5, 1, 3]);
        units.add(&[0, 4]);
        assert_eq!(units.ranges().collect::<Vec<_>>(), [(0, 1), (3, 5)]);
        assert_eq!(units.first_missing(), 2);
        assert_eq!([1, 2, 3, 6].map(|number| units.contains(number)), [true, false, true, false]);
        assert!(units.is_valid(6) && !units.is_valid(5));
    }
}
