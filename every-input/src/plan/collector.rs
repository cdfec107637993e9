//! Collects intervals in any order into a set, in bounded memory.

use std::env;
use std::io;
use std::mem;

use crate::error::FileError;
use crate::plan::interval::{Interval, union};
use crate::plan::interval_file::{IntervalWriter, PAGE, Placed, cannot_use};
use crate::plan::interval_set::IntervalSet;
use crate::state::external_sort::ExternalSort;

/// The number of intervals up to which a set is in memory, and a report lists them all.
const MAX_IN_MEMORY: usize = 1 << 16;

/// Collects intervals in any order, which are within 2^64 integers. Overlapping and adjacent ones are
/// joined.
pub(crate) struct Collector {
    /// The number of intervals that stay in memory, and that of a page of a file.
    limits: [usize; 2],
    few: Vec<Interval>,
    many: Many,
}

enum Many {
    None,
    /// All so far were in order.
    Sorted(IntervalWriter),
    Unsorted(ExternalSort),
}

impl Collector {
    pub(crate) fn new() -> Self {
        Self::with_limits([MAX_IN_MEMORY, PAGE])
    }

    fn with_limits(limits: [usize; 2]) -> Self {
        Self { limits, few: Vec::new(), many: Many::None }
    }

    pub(crate) fn add(&mut self, interval: Interval) -> Result<(), FileError> {
        self.try_to_add(interval).map_err(|error| cannot_use(&error))
    }

    fn try_to_add(&mut self, interval: Interval) -> io::Result<()> {
        match &mut self.many {
            Many::None => {
                self.few.push(interval);
                if self.few.len() == 2 * self.limits[0] { self.tidy() } else { Ok(()) }
            }
            Many::Sorted(sorted) if interval.first >= sorted.last.first => sorted.add(interval),
            Many::Sorted(_) => {
                let Many::Sorted(sorted) = mem::replace(&mut self.many, Many::None) else { return Ok(()) };
                let (sorted, mut sort) = (sorted.finish()?, ExternalSort::new(&env::temp_dir()));
                for index in 0..sorted.len {
                    if let Some(Placed { interval, .. }) = sorted.get(index) {
                        sort.add(interval.first, interval.last.to_le_bytes().to_vec())?;
                    }
                }
                if let Some(error) = sorted.error.into_inner() {
                    return Err(error);
                }
                self.many = Many::Unsorted(sort);
                self.try_to_add(interval)
            }
            Many::Unsorted(sort) => sort.add(interval.first, interval.last.to_le_bytes().to_vec()),
        }
    }

    /// Joins the intervals in memory, and begins a file if they are still many.
    fn tidy(&mut self) -> io::Result<()> {
        self.few = union(self.few.drain(..));
        if self.few.len() > self.limits[0] {
            let mut few = mem::take(&mut self.few).into_iter();
            if let Some(first) = few.next() {
                let mut sorted = IntervalWriter::new(self.limits[1], first)?;
                few.try_for_each(|interval| sorted.add(interval))?;
                self.many = Many::Sorted(sorted);
            }
        }
        Ok(())
    }

    /// Returns the set of all intervals.
    pub(crate) fn finish(self) -> Result<IntervalSet, FileError> {
        self.try_to_finish().map_err(|error| cannot_use(&error))
    }

    fn try_to_finish(mut self) -> io::Result<IntervalSet> {
        self.tidy()?;
        match self.many {
            Many::None => Ok(IntervalSet::of(self.few)),
            Many::Sorted(sorted) => Ok(IntervalSet::in_file(sorted.finish()?)),
            Many::Unsorted(sort) => {
                let mut joined = Self::with_limits(self.limits);
                for record in sort.sorted()? {
                    let (first, last) = record?;
                    let last = last.first_chunk().map_or(first, |last| i128::from_le_bytes(*last));
                    joined.try_to_add(Interval { first, last })?;
                }
                joined.try_to_finish()
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// Collects intervals with files from a few intervals on.
    fn collected(limits: [usize; 2], intervals: &[Interval]) -> IntervalSet {
        let mut collector = Collector::with_limits(limits);
        intervals.iter().for_each(|&interval| collector.add(interval).unwrap());
        collector.finish().unwrap()
    }

    proptest! {
        #[test]
        fn a_set_in_a_file_answers_as_one_in_memory(
            pairs in prop::collection::vec((-3000i128..3000, 0i128..9), 1..300),
            is_sorted in any::<bool>(),
            few in 1usize..40,
            page in 1usize..9,
            base in prop::sample::select(&[i64::MIN as i128 + 4000, 0, u64::MAX as i128 - 4000]),
        ) {
            let mut intervals: Vec<_> = pairs
                .iter()
                .map(|&(first, more)| Interval { first: base + first, last: base + first + more })
                .collect();
            if is_sorted {
                intervals.sort_unstable();
            }
            let (set, expected) = (collected([few, page], &intervals), union(intervals));
            let in_memory = IntervalSet::of(expected.clone());
            prop_assert_eq!(set.few().is_some(), expected.len() <= few);
            prop_assert_eq!((set.count(), set.len()), (in_memory.count(), in_memory.len()));
            prop_assert_eq!(set.iter().map(Result::unwrap).collect::<Vec<_>>(), &expected[..]);
            for value in (base - 3010..base + 3020).step_by(7) {
                prop_assert_eq!(set.contains(value), in_memory.contains(value));
                prop_assert_eq!(set.below(value), in_memory.below(value));
            }
            let all = set.count() as i128;
            for place in 0..=all {
                prop_assert_eq!(set.rest(place), in_memory.rest(place));
            }
            for places in [(0, all - 1), (all / 3, all / 2), (all - 1, all - 1)] {
                let Some(places) = Interval::new(places.0, places.1) else { continue };
                let span = set.span(places, usize::MAX);
                prop_assert_eq!(span.iter().map(|part| part.count()).sum::<u128>(), places.count());
                prop_assert_eq!(&span, &in_memory.span(places, usize::MAX));
                prop_assert_eq!(&set.span(places, 2)[..], &span[..span.len().min(2)]);
            }
            prop_assert_eq!(set.spread(5), in_memory.spread(5));
            prop_assert_eq!((set.ends(), set.error()), (in_memory.ends(), None));
            prop_assert_eq!(&set, &collected([few, 3], &expected), "in any order and pages");
        }
    }

    #[test]
    fn neighbours_that_come_in_any_order_are_one_interval_in_memory() {
        let number = |index: i128| (index * 7919) % 10_007;
        let intervals: Vec<_> =
            (0..10_007).map(|index| Interval::new(number(index), number(index)).unwrap()).collect();
        let set = collected([16, 4], &intervals);
        assert_eq!(set.few(), Some(&[Interval { first: 0, last: 10_006 }][..]));
    }

    #[test]
    fn sets_of_others_ranges_have_another_identity() {
        let of = |step: i128| {
            collected(
                [4, 4],
                &(0..100).map(|n| Interval { first: n * step, last: n * step }).collect::<Vec<_>>(),
            )
        };
        assert!(of(3) != of(4) && of(3) == of(3));
    }
}
