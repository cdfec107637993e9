//! Divides intervals into numbered blocks, so that any block can be found by its number.

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
        let index = self.ends.partition_point(|&end| end <= number);
        let before = if index == 0 { 0 } else { self.ends[index - 1] };
        let interval = self.intervals.get(index)?;
        let row = (interval.first >> self.shift) + number - before;
        interval.intersect(Interval { first: row << self.shift, last: ((row + 1) << self.shift) - 1 })
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::plan::interval::union;

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
                seen.extend(block.first..=block.last);
            }
            let expected: Vec<i128> = intervals.iter().flat_map(|i| i.first..=i.last).collect();
            prop_assert_eq!(seen, expected);
            prop_assert_eq!(partition.block(partition.len()), None);
        }
    }

    #[test]
    fn the_last_block_of_i64_ends_with_its_maximum() {
        let all = Interval { first: i64::MIN.into(), last: i64::MAX.into() };
        let partition = Partition::new(vec![all], 20);
        assert_eq!(partition.len(), 1 << 44);
        assert_eq!(partition.block(0).unwrap().first, i64::MIN.into());
        assert_eq!(partition.block((1 << 44) - 1).unwrap().last, i64::MAX.into());
    }
}
