//! Sets of integers as sorted, disjoint, inclusive intervals, so that MAX is no special case.

/// The integers from `first` to `last`, both included. Never empty.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Interval {
    /// The least one.
    pub first: i128,
    /// The greatest one; not less than `first`.
    pub last: i128,
}

impl Interval {
    /// The interval, or `None` where it would be empty.
    pub fn new(first: i128, last: i128) -> Option<Self> {
        (first <= last).then_some(Self { first, last })
    }

    /// How many integers.
    pub fn count(self) -> u128 {
        (self.last - self.first) as u128 + 1
    }

    /// Whether that integer is in it.
    pub fn contains(self, integer: i128) -> bool {
        (self.first..=self.last).contains(&integer)
    }

    /// What both have, if anything.
    pub fn intersect(self, other: Self) -> Option<Self> {
        Self::new(self.first.max(other.first), self.last.min(other.last))
    }
}

/// The same set, sorted, with overlaps and touching neighbours merged.
pub fn union(intervals: impl IntoIterator<Item = Interval>) -> Vec<Interval> {
    let mut sorted: Vec<Interval> = intervals.into_iter().collect();
    sorted.sort_unstable();
    let mut merged: Vec<Interval> = Vec::with_capacity(sorted.len());
    for next in sorted {
        match merged.last_mut() {
            Some(last) if next.first <= last.last + 1 => last.last = last.last.max(next.last),
            _ => merged.push(next),
        }
    }
    merged
}

/// What two unions have in common.
pub fn intersection(a: &[Interval], b: &[Interval]) -> Vec<Interval> {
    union(a.iter().flat_map(|x| b.iter().filter_map(|y| x.intersect(*y))))
}

/// What the union `a` has and `b` has not.
pub fn difference(a: &[Interval], b: &[Interval]) -> Vec<Interval> {
    let mut left = a.to_vec();
    for cut in b {
        left = left
            .into_iter()
            .flat_map(|i| {
                [
                    Interval::new(i.first, i.last.min(cut.first - 1)),
                    Interval::new(i.first.max(cut.last + 1), i.last),
                ]
            })
            .flatten()
            .collect();
    }
    left
}

/// How many integers in a union.
pub fn count(intervals: &[Interval]) -> u128 {
    intervals.iter().map(|interval| interval.count()).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn set(pairs: &[(i128, i128)]) -> Vec<Interval> {
        pairs.iter().map(|&(first, last)| Interval { first, last }).collect()
    }

    #[test]
    fn unions_merge_overlaps_and_neighbours() {
        assert_eq!(union(set(&[(5, 9), (0, 2), (3, 4), (8, 12), (20, 20)])), set(&[(0, 12), (20, 20)]));
    }

    #[test]
    fn differences_cut_from_any_side() {
        let a = set(&[(0, 9), (20, 29)]);
        assert_eq!(difference(&a, &set(&[(3, 4), (8, 21), (29, 40)])), set(&[(0, 2), (5, 7), (22, 28)]));
        assert_eq!(difference(&a, &[]), a);
        assert_eq!(difference(&a, &set(&[(-1, 50)])), []);
    }

    #[test]
    fn an_interval_of_all_64_bits_has_a_count() {
        assert_eq!(Interval { first: i64::MIN.into(), last: i64::MAX.into() }.count(), 1 << 64);
        assert_eq!(Interval::new(1, 0), None);
    }
}
