//! Divides intervals into numbered blocks, so that any block can be found by its number.

use std::ops::Range;

use crate::plan::interval::Interval;

/// A division of intervals into numbered blocks of consecutive integers.
///
/// Every integer is in exactly one block, and blocks have the order of the intervals. Inside an
/// interval, blocks begin at multiples of the block size. Memory does not grow with the number of
/// integers.
#[derive(Clone, Debug)]
pub(crate) struct Partition {
    intervals: Vec<Interval>,
    /// `ends[k]` is the number of blocks in the intervals up to and including number `k`.
    ends: Vec<i128>,
    shift: u32,
}

impl Partition {
    /// Divides intervals into blocks of at most `1 << shift` integers.
    pub(crate) fn new(intervals: Vec<Interval>, shift: u32) -> Self {
        let mut blocks = 0;
        let ends = intervals
            .iter()
            .map(|interval| {
                blocks += (interval.last >> shift) - (interval.first >> shift) + 1;
                blocks
            })
            .collect();
        Self { intervals, ends, shift }
    }

    pub(crate) fn len(&self) -> i128 {
        self.ends.last().copied().unwrap_or(0)
    }

    /// Returns a block by its number, or `None` if the number is too large.
    pub(crate) fn block(&self, number: i128) -> Option<Interval> {
        let (interval, before) = self.find(number)?;
        let row = (interval.first >> self.shift) + number - before;
        interval.intersect(Interval { first: row << self.shift, last: ((row + 1) << self.shift) - 1 })
    }

    /// Returns the interval that has a block, and the number of its first block.
    fn find(&self, number: i128) -> Option<(Interval, i128)> {
        let index = self.ends.partition_point(|&end| end <= number);
        let before = if index == 0 { 0 } else { self.ends[index - 1] };
        Some((*self.intervals.get(index)?, before))
    }

    /// Returns the integers from a block on to the end of its interval.
    pub(crate) fn rest(&self, number: i128) -> Option<Interval> {
        Interval::new(self.block(number)?.first, self.find(number)?.0.last)
    }

    /// Returns the integers of the blocks with these numbers. Numbers without a block are ignored.
    pub(crate) fn span(&self, blocks: Range<i128>) -> Vec<Interval> {
        let last = blocks.end.min(self.len()) - 1;
        let ends = self.block(blocks.start).zip(self.block(last));
        let Some((first, last)) = ends.filter(|_| !blocks.is_empty()) else { return Vec::new() };
        let within = Interval { first: first.first, last: last.last };
        self.intervals.iter().filter_map(|interval| interval.intersect(within)).collect()
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::plan::interval::{count, union};

    proptest! {
        #[test]
        fn every_integer_is_in_exactly_one_block(
            pairs in prop::collection::vec((-5000i128..5000, 0i128..700), 0..6),
            shift in 0u32..9,
        ) {
            let intervals = union(pairs.iter().map(|&(first, more)| Interval { first, last: first + more }));
            let partition = Partition::new(intervals.clone(), shift);
            let mut seen = Vec::new();
            for number in 0..partition.len() {
                let block = partition.block(number).unwrap();
                prop_assert!(block.count() <= 1 << shift);
                prop_assert_eq!(partition.span(0..number), below(&intervals, block.first));
                prop_assert_eq!(partition.span(number..number + 1), [block]);
                let interval = intervals.iter().find(|interval| interval.contains(block.first)).unwrap();
                prop_assert_eq!(partition.rest(number), Interval::new(block.first, interval.last));
                seen.extend(block.first..=block.last);
            }
            let expected: Vec<i128> = intervals.iter().flat_map(|i| i.first..=i.last).collect();
            prop_assert_eq!(seen, expected);
            prop_assert_eq!(partition.block(partition.len()), None);
            prop_assert_eq!(partition.span(0..partition.len() + 1), intervals);
        }
    }

    /// Returns the part of `intervals` below `end`.
    fn below(intervals: &[Interval], end: i128) -> Vec<Interval> {
        intervals.iter().filter_map(|i| Interval::new(i.first, i.last.min(end - 1))).collect()
    }

    #[test]
    fn the_last_block_of_i64_ends_with_its_maximum() {
        let all = Interval { first: i64::MIN.into(), last: i64::MAX.into() };
        let partition = Partition::new(vec![all], 20);
        assert_eq!(partition.len(), 1 << 44);
        assert_eq!(partition.block(0).unwrap().first, i64::MIN.into());
        assert_eq!(partition.block((1 << 44) - 1).unwrap().last, i64::MAX.into());
        assert_eq!(count(&partition.span(0..1 << 44)), 1 << 64);
    }
}
