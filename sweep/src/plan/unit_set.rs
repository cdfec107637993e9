//! Which units of a schedule are finished: sets of unit numbers.

use serde::{Deserialize, Serialize};

use crate::plan::interval::{Interval, union};

/// A set of unit numbers, kept as intervals. What a sweep has finished is a beginning of its schedule and
/// a few units beyond, so it stays small however long the sweep.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(transparent)]
pub(crate) struct UnitSet(Vec<Interval>);

impl UnitSet {
    /// Adds units that are not in it yet.
    pub(crate) fn add(&mut self, numbers: &[u64]) {
        let single = |&number: &u64| Interval { first: number.into(), last: number.into() };
        self.0 = union(self.0.drain(..).chain(numbers.iter().map(single)));
    }

    /// Whether that unit is in it.
    pub(crate) fn contains(&self, number: u64) -> bool {
        let number = i128::from(number);
        let at = self.0.partition_point(|interval| interval.last < number);
        self.0.get(at).is_some_and(|interval| interval.contains(number))
    }

    /// The first unit that is not in it.
    pub(crate) fn first_missing(&self) -> u64 {
        self.0.first().filter(|interval| interval.first == 0).map_or(0, |interval| interval.last as u64 + 1)
    }

    /// Its parts, in order, as the first and the last number of each.
    pub(crate) fn ranges(&self) -> impl Iterator<Item = (u64, u64)> {
        self.0.iter().map(|interval| (interval.first as u64, interval.last as u64))
    }

    /// Whether it is what [`add`](Self::add) makes of numbers below `end`: as for a set read from a file.
    pub(crate) fn is_valid(&self, end: u64) -> bool {
        union(self.0.iter().copied()) == self.0
            && self.0.iter().all(|interval| interval.first >= 0 && interval.last < i128::from(end))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn units_join_to_ranges_whatever_their_order() {
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
