//! The work of a sweep, or of one shard, as numbered units: first the edge cases, then consecutive
//! values, then rounds of draws, with one unit per stratum in each round.
//!
//! Worker threads claim units in order and finish each unit that they claimed.

use std::ops::Range;
use std::sync::atomic::{AtomicU64, Ordering::SeqCst};

use crate::plan::interval::{self, Interval, UnitSet};
use crate::plan::partition::Partition;
use crate::plan::sample::{self, DRAWS_PER_UNIT, Draw, Mode};
use crate::plan::shard::Shard;
use crate::plan::space::{Stratum, Untyped};

/// A unit of work.
pub(crate) enum Unit {
    /// The edge cases, each of which is also in a unit of consecutive values. So this unit counts no
    /// values, except those that the sweep does not reach.
    Edges,
    /// Consecutive values.
    Consecutive(Interval),
    /// `count` draws from the stratum with this index. `number` is that of the unit among the draws
    /// of all shards.
    Draw { stratum: usize, number: u64, count: u64 },
}

/// All units of one shard of a sweep.
pub(crate) struct Schedule {
    /// The units of consecutive values of all shards.
    consecutive: Partition,
    /// The edge cases of this shard, the most important first.
    pub(crate) edges: Vec<i128>,
    /// The same in ascending order.
    pub(crate) sorted_edges: Vec<i128>,
    pub(crate) strata: Vec<Stratum>,
    /// The number of draws of all shards; `None` if rounds continue until the schedule is closed.
    draws: Option<u64>,
    shard: Shard,
    /// The units of consecutive values of this shard.
    share: Range<u64>,
    /// The number of units.
    end: u64,
    /// The units that are finished already.
    done: UnitSet,
    next: AtomicU64,
    /// No unit from this number on may begin. This is `end` until the schedule is closed.
    limit: AtomicU64,
}

impl Schedule {
    pub(crate) fn of(
        space: &Untyped,
        mode: Mode,
        plan: &[Interval],
        draws: Option<u64>,
        shard: Shard,
    ) -> Self {
        let (whole, strata, draws) = match mode {
            Mode::Exhaustive => (plan.to_vec(), vec![], None),
            Mode::Sample => {
                let (whole, strata) = sample::divide(space, plan);
                (whole, strata, draws)
            }
        };
        let mut schedule = Self::new(whole, space.unit_shift, strata, draws, shard);
        let own = schedule.exhaustive_values();
        schedule.edges = sample::edges(space, plan);
        schedule.edges.retain(|&edge| interval::contains(&own, edge));
        schedule.sorted_edges.clone_from(&schedule.edges);
        schedule.sorted_edges.sort_unstable();
        schedule
    }

    pub(crate) fn new(
        whole: Vec<Interval>,
        shift: u32,
        strata: Vec<Stratum>,
        draws: Option<u64>,
        shard: Shard,
    ) -> Self {
        let consecutive = Partition::new(whole, shift);
        let share = shard.part(consecutive.len());
        let own = 1 + share.end - share.start;
        let end = match (strata.len() as u64, draws) {
            (0, _) => own,
            (_, None) => u64::MAX,
            (n, Some(draws)) => own + shard.turns(draws.div_ceil(n).div_ceil(DRAWS_PER_UNIT)) * n,
        };
        let (next, limit) = (AtomicU64::new(0), AtomicU64::new(end));
        let (edges, sorted_edges, done) = (Vec::new(), Vec::new(), UnitSet::default());
        Self { consecutive, edges, sorted_edges, strata, draws, shard, share, end, done, next, limit }
    }

    /// Marks these units as done, or returns `None` if the schedule does not have all of them.
    pub(crate) fn resumed(mut self, done: UnitSet) -> Option<Self> {
        if !done.is_valid(self.end) {
            return None;
        }
        *self.next.get_mut() = done.first_missing();
        self.done = done;
        Some(self)
    }

    /// Returns the number of the first unit of draws: that of edge cases and those of consecutive
    /// values of this shard are before it.
    fn first_draw(&self) -> u64 {
        1 + self.share.end - self.share.start
    }

    pub(crate) fn edges_among(&self, inputs: Interval) -> impl Iterator<Item = i128> {
        edges_among(&self.sorted_edges, inputs)
    }

    /// Claims the next unit and returns its number, or `None` if no further unit may begin.
    /// `is_over` returns whether the sweep shall end before the unit with that number.
    pub(crate) fn claim(&self, is_over: impl FnOnce(u64) -> bool) -> Option<u64> {
        let number = loop {
            let number = self.next.fetch_add(1, SeqCst);
            // A file may have any number of finished units.
            match self.done.next_missing(number) {
                missing if missing > number => self.next.fetch_max(missing, SeqCst),
                _ => break number,
            };
        };
        if is_over(number) {
            self.close();
        }
        (number < self.limit.load(SeqCst)).then_some(number)
    }

    /// Closes the schedule: only the units claimed so far may begin, and those that complete a
    /// round of draws. So every stratum gets an equal number of draws.
    fn close(&self) {
        // A read-modify-write operation sees the latest claim. The first caller sets the limit for
        // all threads.
        let claimed = self.next.fetch_add(0, SeqCst);
        let limit = match claimed.checked_sub(self.first_draw()) {
            Some(draws) if !self.strata.is_empty() => {
                self.first_draw() + draws.next_multiple_of(self.strata.len() as u64)
            }
            _ => claimed,
        };
        let _ = self.limit.compare_exchange(self.end, limit.min(self.end), SeqCst, SeqCst);
    }

    pub(crate) fn unit(&self, number: u64) -> Unit {
        let Some(draw) = number.checked_sub(self.first_draw()) else {
            let Some(block) = number.checked_sub(1) else { return Unit::Edges };
            let values = self.consecutive.block(self.share.start + block);
            return values.map_or(Unit::Draw { stratum: 0, number: 0, count: 0 }, Unit::Consecutive);
        };
        let strata = self.strata.len() as u64;
        let (round, stratum) = (self.shard.turn(draw / strata), draw % strata);
        let share = self.draws.map_or(u64::MAX, |draws| draws / strata + u64::from(stratum < draws % strata));
        let count = share.saturating_sub(round.saturating_mul(DRAWS_PER_UNIT)).min(DRAWS_PER_UNIT);
        let number = round.saturating_mul(strata).saturating_add(stratum);
        Unit::Draw { stratum: stratum as usize, number, count }
    }

    pub(crate) fn len_of(&self, unit: &Unit) -> u64 {
        match unit {
            Unit::Edges => self.edges.len() as u64,
            Unit::Consecutive(inputs) => inputs.count() as u64,
            Unit::Draw { count, .. } => *count,
        }
    }

    pub(crate) fn draw(&self, unit: &Unit, seed: u64) -> Option<Draw<'_>> {
        match unit {
            Unit::Draw { stratum, number, .. } => Some(Draw::new(&self.strata[*stratum], seed, *number)),
            _ => None,
        }
    }

    /// Returns the number of draws of all shards with which a sample has this unit and all before
    /// it; `None` if these are no draws.
    pub(crate) fn draws_through(&self, unit: u64) -> Option<u64> {
        let draw = unit.checked_sub(self.first_draw())?;
        let strata = self.strata.len() as u64;
        let rounds = || self.shard.turn(draw / strata).saturating_add(1);
        self.draws.or_else(|| Some(rounds().saturating_mul(strata).saturating_mul(DRAWS_PER_UNIT)))
    }

    /// Returns the number of units that a complete sweep has finished: all, or those before the draws
    /// and one round of draws if only time limits the sweep.
    pub(crate) fn needed(&self) -> u64 {
        if self.is_endless() { self.first_draw() + self.strata.len() as u64 } else { self.end }
    }

    /// Returns whether only time limits the sweep.
    pub(crate) fn is_endless(&self) -> bool {
        self.end == u64::MAX
    }

    /// Returns the number of units that are not finished yet, without that of edge cases. It is
    /// unlimited if only time limits the sweep.
    pub(crate) fn remaining(&self) -> u64 {
        self.end - self.next.load(SeqCst).clamp(1, self.end)
    }

    /// Returns the number of values in all units, or `None` if only time limits the sweep.
    pub(crate) fn count(&self) -> Option<u128> {
        let consecutive = interval::count(&self.exhaustive_values());
        let strata = 0..self.strata.len() as u64;
        (!self.is_endless()).then(|| {
            consecutive + strata.map(|stratum| u128::from(self.draws_of(stratum, self.end))).sum::<u128>()
        })
    }

    /// Returns the values of this shard that are checked exhaustively.
    pub(crate) fn exhaustive_values(&self) -> Vec<Interval> {
        self.consecutive.span(self.share.clone())
    }

    pub(crate) fn values(&self, units: &UnitSet) -> Vec<Interval> {
        // The block of a unit has the number of the unit before.
        let blocks = |(first, last): (u64, u64)| first.max(1) - 1..last.min(self.first_draw() - 1);
        let ranges = units.ranges().map(blocks).filter(|blocks| !blocks.is_empty());
        ranges
            .flat_map(|blocks| {
                self.consecutive.span(self.share.start + blocks.start..self.share.start + blocks.end)
            })
            .collect()
    }

    /// Returns the number of draws from each stratum in these units.
    pub(crate) fn drawn(&self, units: &UnitSet) -> Vec<u64> {
        let drawn = |stratum: usize| {
            let below = |end| self.draws_of(stratum as u64, end);
            // The unit numbers in a file may be huge.
            units
                .ranges()
                .fold(0, |sum: u64, (first, last)| sum.saturating_add(below(last + 1) - below(first)))
        };
        (0..self.strata.len()).map(drawn).collect()
    }

    pub(crate) fn inputs(&self, units: &UnitSet) -> u128 {
        interval::count(&self.values(units)) + self.drawn(units).into_iter().map(u128::from).sum::<u128>()
    }

    /// Returns the number of draws from a stratum in the units below `end`.
    fn draws_of(&self, stratum: u64, end: u64) -> u64 {
        let strata = self.strata.len() as u64;
        let Some(draws) = end.checked_sub(self.first_draw()) else { return 0 };
        let turns = draws / strata + u64::from(draws % strata > stratum);
        let Some(last) = turns.checked_sub(1) else { return 0 };
        let Unit::Draw { count, .. } = self.unit(self.first_draw() + last * strata + stratum) else {
            return 0;
        };
        last.saturating_mul(DRAWS_PER_UNIT).saturating_add(count)
    }
}

/// Returns those of some numbers in ascending order that are among these inputs.
pub(crate) fn edges_among(sorted: &[i128], inputs: Interval) -> impl Iterator<Item = i128> {
    let from = sorted.partition_point(|&edge| edge < inputs.first);
    sorted[from..].iter().copied().take_while(move |&edge| edge <= inputs.last)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn stratum(first: i128) -> Stratum {
        Stratum::named(5, "", Interval::new(first, first + 99))
    }

    fn endless(last: i128, strata: Vec<Stratum>) -> Schedule {
        Schedule::new(vec![Interval { first: 0, last }], 18, strata, None, Shard::WHOLE)
    }

    #[test]
    fn closing_among_draws_completes_the_round_and_among_consecutive_values_ends_at_once() {
        let schedule = endless(9, vec![stratum(0), stratum(1000)]);
        assert!((0..5).all(|number| schedule.claim(|_| false) == Some(number)));
        assert_eq!(schedule.claim(|_| true), Some(5)); // the second draw of round two
        assert_eq!(schedule.claim(|_| true), None);
        let schedule = endless(1 << 24, vec![stratum(0)]);
        assert_eq!(schedule.claim(|_| false), Some(0));
        assert_eq!(schedule.claim(|_| true), Some(1));
        assert_eq!(schedule.claim(|_| true), None);
    }

    proptest! {
        #[test]
        fn shards_have_every_unit_once_and_calculate_its_counts(
            last in 0i128..3 << 18,
            draws in prop::option::of(0u64..200_000),
            count in 1u64..9,
            picked in prop::collection::btree_set(0u64..20, 0..12),
        ) {
            let new = |shard| {
                let whole = vec![Interval { first: 5, last: 5 + last }];
                Schedule::new(whole, 18, vec![stratum(1 << 30), stratum(1 << 33), stratum(1 << 32)], draws, shard)
            };
            let (mut ranges, mut drawn, mut numbers) = (Vec::new(), [0u64; 3], Vec::new());
            for index in 1..=count {
                let schedule = new(Shard::new(index, count).unwrap());
                let mut units = UnitSet::default();
                units.add(&picked.iter().copied().filter(|&unit| unit < schedule.end).collect::<Vec<_>>());
                // The values in all units, and in the picked ones, of which any may be drawn later.
                let (mut values, mut picked, mut by_stratum) = (0, 0, vec![0; 3]);
                for unit in 0..schedule.needed().max(20) {
                    let part = schedule.unit(unit);
                    let (is_picked, len) = (units.contains(unit), schedule.len_of(&part));
                    picked += if is_picked { u128::from(len) } else { 0 };
                    if let (Unit::Draw { stratum, .. }, true) = (&part, is_picked) {
                        by_stratum[*stratum] += len;
                    }
                    if unit >= schedule.needed() {
                        continue;
                    }
                    values += u128::from(len);
                    match part {
                        Unit::Edges => {}
                        Unit::Consecutive(range) => ranges.push(range),
                        Unit::Draw { stratum, number, count } => {
                            numbers.push(number);
                            drawn[stratum] += count;
                        }
                    }
                }
                prop_assert!(schedule.count().is_none_or(|count| count == values));
                // The calculated counts of some units are those of their contents.
                prop_assert_eq!((schedule.inputs(&units), schedule.drawn(&units)), (picked, by_stratum));
            }
            prop_assert_eq!(interval::union(ranges.clone()), [Interval { first: 5, last: 5 + last }]);
            prop_assert_eq!(interval::count(&ranges), last as u128 + 1);
            numbers.sort_unstable();
            prop_assert!(numbers.iter().copied().eq(0..numbers.len() as u64));
            prop_assert!(draws.is_none_or(|draws| draws == drawn.iter().sum::<u64>()));
            prop_assert!(drawn.iter().max().unwrap() - drawn.iter().min().unwrap() <= 1 || draws.is_none());
        }
    }
}
