//! Sets of integers, and of positions in a schedule, as sorted, disjoint intervals.
//!
//! Intervals include both bounds, so that the maximum of a type is not a special case.

use std::fmt;

use serde::{Deserialize, Serialize};

/// The integers from `first` to `last`, both included. An interval is never empty.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Interval {
    /// The first integer.
    pub first: i128,
    /// The last integer, which is not less than `first`.
    pub last: i128,
}

impl Interval {
    /// Creates an interval, or returns `None` if it would be empty.
    pub fn new(first: i128, last: i128) -> Option<Self> {
        (first <= last).then_some(Self { first, last })
    }

    /// Returns the numbers of this number of inputs, at least one and at most 2^64.
    pub(crate) fn of_count(count: u128) -> Self {
        Self { first: 0, last: count.clamp(1, 1 << 64) as i128 - 1 }
    }

    /// Returns the number of integers, which is 0 if a program made the interval with `last` before
    /// `first`.
    pub fn count(self) -> u128 {
        if self.first > self.last { 0 } else { self.last.abs_diff(self.first).saturating_add(1) }
    }

    /// Returns whether the interval contains an integer.
    pub fn contains(self, integer: i128) -> bool {
        (self.first..=self.last).contains(&integer)
    }

    /// Returns the integers that are in both intervals, or `None` if there are none.
    pub fn intersect(self, other: Self) -> Option<Self> {
        Self::new(self.first.max(other.first), self.last.min(other.last))
    }
}

/// Displays intervals as ranges such as `-5..=5`, at most eight of them.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Ranges<'i>(pub(crate) &'i [Interval]);

impl fmt::Display for Ranges<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        const SHOWN: usize = 8;
        for (index, Interval { first, last }) in self.0.iter().take(SHOWN).enumerate() {
            if index > 0 {
                f.write_str(" ")?;
            }
            if first == last { write!(f, "{first}") } else { write!(f, "{first}..={last}") }?;
        }
        match self.0.len() {
            0 => f.write_str("no values"),
            len if len > SHOWN => write!(f, " and {} more", len - SHOWN),
            _ => Ok(()),
        }
    }
}

/// Returns the union of intervals as a sorted list. Overlapping and adjacent intervals are merged.
pub(crate) fn union(intervals: impl IntoIterator<Item = Interval>) -> Vec<Interval> {
    let mut merged: Vec<Interval> = intervals.into_iter().collect();
    merged.sort_unstable();
    merged.dedup_by(|next, before| {
        let is_joined = next.first <= before.last + 1;
        if is_joined {
            before.last = before.last.max(next.last);
        }
        is_joined
    });
    merged
}

/// Returns whether intervals, which are not empty, are a result of [`union`].
pub(crate) fn is_union(intervals: &[Interval]) -> bool {
    intervals.is_sorted_by(|before, next| before.last + 1 < next.first)
}

/// Returns the intersection of two sets, each of which is a result of [`union`].
pub(crate) fn intersection(a: &[Interval], b: &[Interval]) -> Vec<Interval> {
    common(a, b).collect()
}

/// Returns the intersection as [`intersection`] does, without a list of it.
pub(crate) fn common(a: &[Interval], b: &[Interval]) -> impl Iterator<Item = Interval> {
    let (mut a, mut b) = (a.iter().peekable(), b.iter().peekable());
    std::iter::from_fn(move || {
        while let (Some(x), Some(y)) = (a.peek(), b.peek()) {
            let found = x.intersect(**y);
            // The interval that ends first has no further intersections.
            if x.last < y.last {
                a.next()
            } else {
                b.next()
            };
            if found.is_some() {
                return found;
            }
        }
        None
    })
}

/// Returns the integers of `a` that are not in `b`. Both are results of [`union`].
pub(crate) fn difference(a: &[Interval], b: &[Interval]) -> Vec<Interval> {
    let mut cuts = b.iter().peekable();
    let mut left = Vec::new();
    for interval in a {
        let mut first = interval.first;
        while let Some(cut) = cuts.peek().filter(|cut| cut.first <= interval.last) {
            left.extend(Interval::new(first, cut.first - 1));
            first = first.max(cut.last + 1);
            if cut.last > interval.last {
                break; // `cut` may overlap the next interval too
            }
            cuts.next();
        }
        left.extend(Interval::new(first, interval.last));
    }
    left
}

/// Returns whether a set, which is a result of [`union`], contains an integer.
pub(crate) fn contains(union: &[Interval], integer: i128) -> bool {
    union.get(union.partition_point(|interval| interval.last < integer)).is_some_and(|i| i.contains(integer))
}

pub(crate) fn count(intervals: &[Interval]) -> u128 {
    intervals.iter().map(|interval| interval.count()).sum()
}

/// A set of positions in a schedule, stored as intervals.
///
/// The finished positions of a sweep are the first ones of its schedule and a few later ones. So the
/// set stays small, however long the sweep runs.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(transparent)]
pub(crate) struct Positions(Vec<Interval>);

impl Positions {
    pub(crate) fn add(&mut self, more: impl IntoIterator<Item = Interval>) {
        self.0 = union(self.0.drain(..).chain(more));
    }

    pub(crate) fn contains(&self, position: i128) -> bool {
        contains(&self.0, position)
    }

    /// Returns those of these positions that are not in the set.
    pub(crate) fn missing(&self, of: Interval) -> Vec<Interval> {
        difference(&[of], &self.0)
    }

    /// Returns the intervals of the set in order.
    pub(crate) fn intervals(&self) -> &[Interval] {
        &self.0
    }

    /// Returns whether the set, which may be read from a file, has the form that [`add`](Self::add)
    /// creates, and only positions of a schedule.
    pub(crate) fn is_valid(&self, all: Interval) -> bool {
        union(self.0.iter().copied()) == self.0 && difference(&self.0, &[all]).is_empty()
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn unions_intersections_and_differences_match_a_naive_calculation(
            a in prop::collection::vec((0i128..60, 0i128..9), 0..8),
            b in prop::collection::vec((0i128..60, 0i128..9), 0..8),
        ) {
            let make = |pairs: &[(i128, i128)]| {
                union(pairs.iter().map(|&(first, more)| Interval { first, last: first + more }))
            };
            let (a, b) = (make(&a), make(&b));
            let has = |set: &[Interval], n| set.iter().any(|interval| interval.contains(n));
            let of = |is_in: &dyn Fn(i128) -> bool| {
                union((-1..80).filter(|&n| is_in(n)).map(|n| Interval { first: n, last: n }))
            };
            prop_assert_eq!(intersection(&a, &b), of(&|n| has(&a, n) && has(&b, n)));
            prop_assert_eq!(union(difference(&a, &b)), of(&|n| has(&a, n) && !has(&b, n)));
            prop_assert!(is_union(&a) && is_union(&b));
            let both: Vec<_> = a.iter().chain(&b).copied().collect();
            prop_assert_eq!(is_union(&both), union(both.iter().copied()) == both);
            prop_assert_eq!(union(a.iter().chain(&b).copied()), of(&|n| has(&a, n) || has(&b, n)));
        }
    }

    #[test]
    fn an_interval_of_all_64_bits_has_2_to_the_64_integers() {
        assert_eq!(Interval { first: i64::MIN.into(), last: i64::MAX.into() }.count(), 1 << 64);
        assert_eq!(Interval::new(1, 0), None);
        assert_eq!(Interval { first: 1, last: 0 }.count(), 0);
        assert_eq!(Interval { first: i128::MIN, last: i128::MAX }.count(), u128::MAX);
    }

    #[test]
    fn adjacent_positions_are_merged_in_any_order() {
        let of = |first, last| Interval { first, last };
        let mut positions = Positions::default();
        positions.add([of(5, 9), of(-7, 1), of(3, 3)]);
        positions.add([of(4, 4)]);
        assert_eq!(positions.intervals(), [of(-7, 1), of(3, 9)]);
        assert_eq!([1, 2, 3, 10].map(|at| positions.contains(at)), [true, false, true, false]);
        assert_eq!(positions.missing(of(-7, 12)), [of(2, 2), of(10, 12)]);
        assert!(positions.is_valid(of(-7, 9)) && !positions.is_valid(of(-7, 8)));
        assert!(!positions.is_valid(of(-6, 9)));
    }
}
