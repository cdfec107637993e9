//! The values of a shard that are checked one after the other, by their places.

use crate::plan::interval::Interval;
use crate::plan::interval_set::IntervalSet;
use crate::plan::shard::Shard;

/// Consecutive integers of a set, numbered from 0 on.
#[derive(Clone, Debug)]
pub(crate) struct Values {
    set: IntervalSet,
    /// The place of the first of them in the set.
    first: i128,
    len: i128,
}

impl Values {
    /// Returns the values of one shard. A set is divided into units of at most `1 << shift` integers, which
    /// begin at multiples of that. Each shard has consecutive units.
    pub(crate) fn of_shard(set: IntervalSet, shift: u32, shard: Shard) -> Self {
        if shard.is_whole() {
            let len = set.count() as i128;
            return Self { set, first: 0, len };
        }
        let units = |interval: Interval| (interval.last >> shift) - (interval.first >> shift) + 1;
        let share = shard.part(set.intervals().map(units).sum::<i128>() as u64);
        let mut ends = [share.start, share.end].map(|unit| (i128::from(unit), set.count() as i128));
        let (mut unit, mut place) = (0, 0);
        for interval in set.intervals() {
            let next = unit + units(interval);
            for (own, place_of_own) in &mut ends {
                if (unit..next).contains(own) {
                    let first = ((interval.first >> shift) + *own - unit) << shift;
                    *place_of_own = place + first.max(interval.first) - interval.first;
                }
            }
            (unit, place) = (next, place + interval.count() as i128);
        }
        let [(_, first), (_, end)] = ends;
        Self { set, first, len: end - first }
    }

    pub(crate) fn len(&self) -> i128 {
        self.len
    }

    /// Returns the value at this place, and those after it in its interval; `None` if there is none, or
    /// after an [`error`](IntervalSet::error) of the set.
    pub(crate) fn rest(&self, place: i128) -> Option<Interval> {
        let rest = self.set.rest(self.first + place)?;
        Interval::new(rest.first, rest.last.min(rest.first + self.len - place - 1))
    }

    pub(crate) fn contains(&self, value: i128) -> bool {
        self.set.contains(value) && (0..self.len).contains(&(self.set.below(value) - self.first))
    }

    /// Returns whether the integers are named by their places, since the set has too many intervals.
    pub(crate) fn is_long(&self) -> bool {
        self.set.few().is_none()
    }

    /// Returns the place of a value in the whole set.
    pub(crate) fn place_of(&self, value: i128) -> i128 {
        self.set.below(value)
    }

    /// Returns the values at these places: as intervals, or if these are many, by their places in the set.
    pub(crate) fn span(&self, places: Interval) -> Vec<Interval> {
        let Interval { first, last } = places;
        let places = Interval { first: self.first + first, last: self.first + last };
        if self.is_long() { vec![places] } else { self.set.span(places, usize::MAX) }
    }

    /// Returns the values at these places of the set, as at most `most` intervals.
    pub(crate) fn first_at(&self, places: &[Interval], most: usize) -> Vec<Interval> {
        let spans = places.iter().flat_map(|&places| self.set.span(places, most));
        spans.take(most).collect()
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::plan::interval::union;

    proptest! {
        #[test]
        fn every_integer_is_in_one_shard_at_one_place(
            pairs in prop::collection::vec((-5000i128..5000, 0i128..700), 1..6),
            shift in 0u32..9,
            count in 1u64..5,
        ) {
            let intervals = union(pairs.iter().map(|&(first, more)| Interval { first, last: first + more }));
            let set = IntervalSet::of(intervals.clone());
            let (mut seen, mut lens) = (Vec::new(), Vec::new());
            for index in 1..=count {
                let own = Values::of_shard(set.clone(), shift, Shard::new(index, count).unwrap());
                let before = seen.len();
                let mut units = 0;
                for place in 0..own.len() {
                    let rest = own.rest(place).unwrap();
                    let interval = intervals.iter().find(|interval| interval.contains(rest.first)).unwrap();
                    let is_last = own.len() - place <= (interval.last - rest.first);
                    prop_assert!(rest.last == interval.last || is_last);
                    prop_assert!(own.contains(rest.first));
                    prop_assert_eq!(own.span(Interval { first: place, last: place }), [Interval { last: rest.first, ..rest }]);
                    let is_first_of_unit = rest.first % (1 << shift) == 0 || rest.first == interval.first;
                    units += i128::from(is_first_of_unit);
                    prop_assert!(is_first_of_unit || place > 0, "a shard has whole units");
                    seen.push(rest.first);
                }
                prop_assert_eq!(own.rest(own.len()), None);
                prop_assert!(seen[..before].iter().all(|&value| !own.contains(value)));
                lens.push(units);
            }
            let expected: Vec<i128> = intervals.iter().flat_map(|i| i.first..=i.last).collect();
            prop_assert_eq!(seen, expected);
            prop_assert!(lens.iter().max().unwrap() - lens.iter().min().unwrap() <= 1);
        }
    }

    #[test]
    fn the_last_place_of_i64_has_its_maximum() {
        let all = Interval { first: i64::MIN.into(), last: i64::MAX.into() };
        let values = Values::of_shard(IntervalSet::of(vec![all]), 18, Shard::WHOLE);
        assert_eq!((values.len(), values.rest(0)), (1 << 64, Some(all)));
        assert_eq!(values.rest((1 << 64) - 1), Interval::new(all.last, all.last));
        let half = Values::of_shard(IntervalSet::of(vec![all]), 18, Shard::new(2, 2).unwrap());
        assert_eq!(half.rest(0), Interval::new(0, all.last));
    }
}
