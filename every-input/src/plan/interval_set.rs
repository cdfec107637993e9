//! Sets of any number of intervals: few are in memory, and many in a temporary file.

use std::fmt;
use std::iter;
use std::sync::Arc;

use crate::error::FileError;
use crate::plan::interval::{Interval, Ranges};
use crate::plan::interval_file::{IntervalFile, Placed, cannot_use};

/// Inputs by their numbers, as sorted ranges, such as those that [`Replay`](crate::replay::Replay) reads.
///
/// More than 65,536 ranges are in a temporary file without a name. So memory does not grow with them,
/// and copies share them.
#[derive(Clone)]
pub struct IntervalSet(Stored);

#[derive(Clone)]
enum Stored {
    Few(Arc<Few>),
    Many(Arc<IntervalFile>),
}

#[derive(Default)]
struct Few {
    intervals: Vec<Interval>,
    /// `ends[k]` is the number of integers in the intervals up to and including number `k`.
    ends: Vec<i128>,
}

impl IntervalSet {
    /// Creates a set in memory from a result of [`union`](super::interval::union).
    pub(crate) fn of(intervals: Vec<Interval>) -> Self {
        let mut count = 0;
        let ends = intervals.iter().map(|interval| {
            count += interval.count() as i128;
            count
        });
        let ends = ends.collect();
        Self(Stored::Few(Arc::new(Few { intervals, ends })))
    }

    pub(crate) fn in_file(file: IntervalFile) -> Self {
        Self(Stored::Many(Arc::new(file)))
    }

    /// Returns the number of inputs.
    pub fn count(&self) -> u128 {
        match &self.0 {
            Stored::Few(few) => few.ends.last().map_or(0, |&end| end as u128),
            Stored::Many(file) => file.count,
        }
    }

    /// Returns the number of ranges.
    pub fn len(&self) -> u64 {
        match &self.0 {
            Stored::Few(few) => few.intervals.len() as u64,
            Stored::Many(file) => file.len,
        }
    }

    /// Returns whether there is no input.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Returns the ranges in order. An error of the temporary file is the last item.
    pub fn iter(&self) -> impl Iterator<Item = Result<Interval, FileError>> {
        let error = iter::once_with(|| self.error().map(Err)).flatten();
        self.intervals().map(Ok).chain(error)
    }

    /// Returns the ranges in order, up to an [`error`](Self::error).
    pub(crate) fn intervals(&self) -> impl Iterator<Item = Interval> {
        (0..self.len()).map_while(|index| self.get(index))
    }

    fn get(&self, index: u64) -> Option<Interval> {
        match &self.0 {
            Stored::Few(few) => few.intervals.get(index as usize).copied(),
            Stored::Many(file) => Some(file.get(index)?.interval),
        }
    }

    /// Returns the first and the last integer, if there are any.
    pub(crate) fn ends(&self) -> Option<Interval> {
        Interval::new(self.get(0)?.first, self.get(self.len() - 1)?.last)
    }

    /// Returns all intervals if they are in memory.
    pub(crate) fn few(&self) -> Option<&[Interval]> {
        match &self.0 {
            Stored::Few(few) => Some(&few.intervals),
            Stored::Many(_) => None,
        }
    }

    /// Returns the first intervals, at most `most`.
    pub(crate) fn first(&self, most: usize) -> Vec<Interval> {
        self.intervals().take(most).collect()
    }

    /// Returns at most `most` intervals, which are spread evenly.
    pub(crate) fn spread(&self, most: u64) -> Vec<Interval> {
        let step = self.len().div_ceil(most).max(1);
        (0..self.len()).step_by(step as usize).map_while(|index| self.get(index)).collect()
    }

    /// Returns why an interval could not be read. From then on others may be missing.
    pub(crate) fn error(&self) -> Option<FileError> {
        match &self.0 {
            Stored::Few(_) => None,
            Stored::Many(file) => file.error.get().map(cannot_use),
        }
    }

    /// Returns what identifies a set that is not in memory: the number of its intervals, that of their
    /// integers, and a hash of them.
    pub(crate) fn identity(&self) -> Option<(u64, u128, u64)> {
        match &self.0 {
            Stored::Few(_) => None,
            Stored::Many(file) => Some((file.len, file.count, file.hash)),
        }
    }

    /// Returns the interval with the integer at this place of all in the set, and its number.
    fn find(&self, place: i128) -> Option<(u64, Placed)> {
        match &self.0 {
            Stored::Few(few) => {
                let Few { intervals, ends } = &**few;
                let index = ends.partition_point(|&end| end <= place);
                let before = if index == 0 { 0 } else { ends[index - 1] };
                Some((index as u64, Placed { interval: *intervals.get(index)?, before }))
            }
            Stored::Many(file) => file.last_after(place),
        }
    }

    /// Returns the integer at this place of all in the set, and those after it in its interval; `None` if
    /// there is none, or after an [`error`](Self::error).
    pub(crate) fn rest(&self, place: i128) -> Option<Interval> {
        let (_, Placed { interval, before }) = self.find(place)?;
        Interval::new(interval.first + (place - before), interval.last)
    }

    /// Returns the integers at these places, at most `most` intervals of them.
    pub(crate) fn span(&self, places: Interval, most: usize) -> Vec<Interval> {
        let ends = self.find(places.first).zip(self.rest(places.first)).zip(self.rest(places.last));
        let Some((((index, _), first), last)) = ends else { return Vec::new() };
        let within = Interval { first: first.first, last: last.first };
        let all = (index..self.len()).map_while(|index| self.get(index));
        all.map_while(|interval| interval.intersect(within)).take(most).collect()
    }

    /// Returns the last interval that begins at or before an integer.
    fn last_from(&self, integer: i128) -> Option<Placed> {
        match &self.0 {
            Stored::Few(few) => {
                let Few { intervals, ends } = &**few;
                let next = intervals.partition_point(|interval| interval.first <= integer);
                let index = next.checked_sub(1)?;
                let before = if index == 0 { 0 } else { ends[index - 1] };
                Some(Placed { interval: intervals[index], before })
            }
            Stored::Many(file) => Some(file.last_from(integer)?.1),
        }
    }

    pub(crate) fn contains(&self, integer: i128) -> bool {
        self.last_from(integer).is_some_and(|found| found.interval.contains(integer))
    }

    /// Returns the number of integers of the set below this one.
    pub(crate) fn below(&self, integer: i128) -> i128 {
        self.last_from(integer - 1).map_or(0, |Placed { interval, before }| {
            before + (integer - 1).min(interval.last) - interval.first + 1
        })
    }
}

impl Default for IntervalSet {
    fn default() -> Self {
        Self::of(Vec::new())
    }
}

/// Two sets of many ranges are equal if their numbers and their hashes are.
impl PartialEq for IntervalSet {
    fn eq(&self, other: &Self) -> bool {
        match (self.few(), other.few()) {
            (Some(own), Some(other)) => own == other,
            (None, None) => self.identity() == other.identity(),
            _ => false,
        }
    }
}

impl Eq for IntervalSet {}

impl fmt::Debug for IntervalSet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} inputs in {} ranges: {}", self.count(), self.len(), Ranges(&self.first(8)))
    }
}
