//! The work of a sweep, or of one shard, as inputs at numbered positions: edge cases, consecutive values,
//! and draws.
//!
//! The edge cases have negative positions. An exhaustive sweep has all values from position 0 on. A
//! sample has rings of values, the nearest to the edge cases first, and between them draws, so that it
//! is balanced whenever it ends. The positions depend on the plan, the mode, the number of draws and the
//! shard only, never on speed or threads.

use crate::plan::edges;
use crate::plan::interval::Interval;
use crate::plan::interval_set::IntervalSet;
use crate::plan::mode::Mode;
use crate::plan::rounds::{Rounds, Run};
use crate::plan::sample::{self, DRAWS_PER_UNIT, Draw};
use crate::plan::shard::Shard;
use crate::plan::space::{ErasedClass, ErasedSpace};
use crate::plan::values::Values;

/// Inputs at consecutive positions, which are checked alike.
#[derive(Debug)]
pub(crate) enum Part {
    /// An edge case, which is also among the consecutive values. So it is counted there.
    Edge(i128),
    /// Consecutive values.
    Consecutive(Interval),
    /// `count` draws from the stratum with this index, after `skip` others of the unit with this number
    /// among those of all shards.
    Draws { stratum: usize, number: u64, skip: u64, count: u64 },
}

impl Part {
    pub(crate) fn len(&self) -> u64 {
        match self {
            Self::Edge(_) => 1,
            Self::Consecutive(values) => values.count() as u64,
            Self::Draws { count, .. } => *count,
        }
    }
}

/// A part of the schedule, which is longer than a [`Part`].
pub(super) enum Stage {
    Values(Values),
    Draws(Rounds),
}

impl Stage {
    pub(super) fn len(&self) -> i128 {
        match self {
            Self::Values(values) => values.len(),
            Self::Draws(rounds) => rounds.len(),
        }
    }
}

/// The work of one shard of a sweep.
pub(crate) struct Schedule {
    /// The edge cases of this shard, the most important first.
    pub(crate) edges: Vec<i128>,
    /// The same in ascending order.
    pub(crate) sorted_edges: Vec<i128>,
    pub(crate) strata: Vec<ErasedClass>,
    /// The number of draws of all shards; `None` if rounds continue until time is over.
    draws: Option<u64>,
    shard: Shard,
    /// The stages, each with its first position. Not one is empty.
    pub(super) stages: Vec<(i128, Stage)>,
    /// The positions of each ring, in order.
    pub(super) rings: Vec<Option<Interval>>,
    /// The first position after the last one.
    end: i128,
}

impl Schedule {
    pub(crate) fn of(
        space: &ErasedSpace,
        mode: Mode,
        plan: &IntervalSet,
        draws: Option<u64>,
        shard: Shard,
    ) -> Self {
        let edges = edges::of_plan(space, &plan.first(edges::MAX_RANGES), |edge| plan.contains(edge));
        let (rings, strata, draws) = match mode {
            Mode::Exhaustive => (vec![plan.clone()], vec![], Some(0)),
            Mode::Sample => {
                let (whole, strata) = sample::divide(space, &plan.intervals().collect::<Vec<_>>());
                let rings = sample::rings(&whole, &edges);
                (rings.into_iter().map(IntervalSet::of).collect(), strata, draws)
            }
        };
        let mut schedule = Self::new(rings, space.unit_shift, strata, draws, shard);
        schedule.edges = edges.into_iter().filter(|&edge| schedule.has_exhaustively(edge)).collect();
        schedule.sorted_edges.clone_from(&schedule.edges);
        schedule.sorted_edges.sort_unstable();
        schedule
    }

    fn new(
        rings: Vec<IntervalSet>,
        shift: u32,
        strata: Vec<ErasedClass>,
        draws: Option<u64>,
        shard: Shard,
    ) -> Self {
        let mut rings = rings.into_iter().map(|ring| Stage::Values(Values::of_shard(ring, shift, shard)));
        let mut rounds = Rounds::of(strata.len() as u64, draws, shard).into_iter().map(Stage::Draws);
        let (mut stages, mut positions, mut end) = (Vec::new(), Vec::new(), 0);
        let mut push = |stage: Stage| {
            let own = Interval::new(end, end + stage.len() - 1);
            end += stage.len();
            stages.extend(own.map(|own| (own.first, stage)));
            own
        };
        loop {
            let (ring, round) = (rings.next(), rounds.next());
            if ring.is_none() && round.is_none() {
                break;
            }
            positions.extend(ring.map(&mut push));
            round.map(&mut push);
        }
        let (edges, sorted_edges) = (Vec::new(), Vec::new());
        Self { edges, sorted_edges, strata, draws, shard, stages, rings: positions, end }
    }

    pub(crate) fn edges_among(&self, inputs: Interval) -> impl Iterator<Item = i128> {
        edges::among(&self.sorted_edges, inputs)
    }

    /// Returns the first position, which is that of an edge case if there are any.
    pub(crate) fn start(&self) -> i128 {
        -(self.edges.len() as i128)
    }

    /// Returns all positions, or `None` if there are none.
    pub(crate) fn positions(&self) -> Option<Interval> {
        Interval::new(self.start(), self.end - 1)
    }

    /// Returns the stage with this position, and the positions of the stage.
    fn stage(&self, position: i128) -> Option<(&Stage, Interval)> {
        let index = self.stages.partition_point(|(first, _)| *first <= position).checked_sub(1)?;
        let (first, stage) = self.stages.get(index)?;
        Some((stage, Interval::new(*first, first + stage.len() - 1)?))
    }

    /// Returns whether the inputs at this position are draws.
    pub(crate) fn is_drawn(&self, position: i128) -> bool {
        matches!(self.stage(position), Some((Stage::Draws(_), _)))
    }

    /// Returns the positions to check in one go, of which this is the first: about `len`, which is a power
    /// of two. Those of values end before a multiple of it, or at the end of an interval.
    pub(crate) fn span(&self, first: i128, len: u64) -> Interval {
        let len = i128::from(len);
        let Some((stage, own)) = self.stage(first) else {
            return Interval { first, last: (first + len - 1).min(-1) };
        };
        let last = match stage {
            Stage::Values(values) => {
                let end = first + len;
                match values.rest(end - own.first) {
                    Some(rest) => {
                        // The start of the interval may be after the multiple.
                        let aligned = end - rest.first.rem_euclid(len);
                        let is_inside = |at: i128| {
                            let value = values.rest(at - own.first).map(|rest| rest.first);
                            value == Some(rest.first - rest.first.rem_euclid(len))
                        };
                        if aligned > first && is_inside(aligned) { aligned - 1 } else { end - 1 }
                    }
                    None => own.last,
                }
            }
            Stage::Draws(rounds) => {
                let round_end = first - (first - own.first) % rounds.round_len() + rounds.round_len();
                (first + len).min(round_end) - 1
            }
        };
        Interval { first, last: last.min(own.last) }
    }

    /// Returns the first of these positions that are a part. They are not empty. Returns `None` after an
    /// [`error`](IntervalSet::error) of the plan.
    pub(crate) fn part(&self, positions: Interval) -> Option<Part> {
        let Interval { first, .. } = positions;
        let most = positions.count() as u64;
        Some(match self.stage(first) {
            None => Part::Edge(self.edges[(first - self.start()) as usize]),
            Some((Stage::Values(values), own)) => {
                let rest = values.rest(first - own.first)?;
                let last = rest.last.min(rest.first + i128::from(most) - 1);
                Part::Consecutive(Interval { first: rest.first, last })
            }
            Some((Stage::Draws(rounds), own)) => {
                let Run { round, stratum, skip, count } = rounds.find(first - own.first);
                let strata = self.strata.len() as u64;
                let number = self.shard.turn(round).saturating_mul(strata).saturating_add(stratum);
                Part::Draws { stratum: stratum as usize, number, skip, count: count.min(most) }
            }
        })
    }

    /// Returns the generator for a part that is drawn.
    pub(crate) fn draw(&self, part: &Part, seed: u64) -> Option<Draw<'_>> {
        let Part::Draws { stratum, number, skip, .. } = part else { return None };
        let mut draw = Draw::new(&self.strata[*stratum], seed, *number);
        draw.skip(*skip);
        Some(draw)
    }

    /// Returns the number of draws of all shards with which a sample has those at this position and
    /// before it; `None` if there is none there.
    pub(crate) fn draws_through(&self, position: i128) -> Option<u64> {
        let last =
            self.stages.iter().rfind(|(first, stage)| *first <= position && matches!(stage, Stage::Draws(_)));
        let Some((first, Stage::Draws(rounds))) = last else { return None };
        let Run { round, skip, count, .. } = rounds.find((position - first).min(rounds.len() - 1));
        let before = self.shard.turn(round).saturating_mul(DRAWS_PER_UNIT);
        let each = before.saturating_add(skip + count);
        self.draws.or(Some(each.saturating_mul(self.strata.len() as u64)))
    }

    /// Returns the first position after this one at which a sweep can end with as many draws from each
    /// stratum: the end of its round, of the next round, or of all.
    pub(crate) fn balanced_end(&self, position: i128) -> i128 {
        let rounds = self.stages.iter().filter_map(|(first, stage)| match stage {
            Stage::Draws(rounds) => Some((*first, rounds)),
            Stage::Values(_) => None,
        });
        let mut after = rounds.filter(|(first, rounds)| first + rounds.len() > position);
        after.next().map_or(self.end, |(first, rounds)| {
            let before = (position - first).max(0);
            first + before - before % rounds.round_len() + rounds.round_len()
        })
    }

    /// Returns whether only time limits the sweep.
    pub(crate) fn is_endless(&self) -> bool {
        self.draws.is_none() && !self.strata.is_empty()
    }

    /// Returns the number of values at all positions, without the edge cases alone, or `None` if only
    /// time limits the sweep.
    pub(crate) fn count(&self) -> Option<u128> {
        (!self.is_endless()).then_some(self.end as u128)
    }

    /// Returns whether this shard checks a value exhaustively.
    fn has_exhaustively(&self, value: i128) -> bool {
        let mut stages = self.stages.iter();
        stages.any(|(_, stage)| matches!(stage, Stage::Values(values) if values.contains(value)))
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::plan::interval::{self, Positions};

    fn stratum(first: i128) -> ErasedClass {
        ErasedClass::named(5, "", Interval::new(first, first + 99))
    }

    fn sets(rings: &[Vec<Interval>]) -> Vec<IntervalSet> {
        rings.iter().cloned().map(IntervalSet::of).collect()
    }

    /// Returns the parts of these positions with their lengths.
    fn parts(schedule: &Schedule, mut positions: Interval, len: u64) -> Vec<Part> {
        let mut parts = Vec::new();
        loop {
            let span = schedule.span(positions.first, len).intersect(positions).unwrap();
            assert!(span.first == positions.first && span.count() <= 2 * u128::from(len.max(1024)));
            let part = schedule.part(span).unwrap();
            let first = positions.first + i128::from(part.len());
            parts.push(part);
            match Interval::new(first, positions.last) {
                Some(rest) => positions = rest,
                None => return parts,
            }
        }
    }

    proptest! {
        #[test]
        fn shards_have_every_input_once_and_calculate_the_counts_of_any_positions(
            last in 0i128..3 << 12,
            draws in 0u64..200_000,
            is_endless in any::<bool>(),
            count in 1u64..9,
            shift in 0u32..12,
            len in 0u32..14,
            picked in prop::collection::vec((0i128..400_000, 0i128..40_000), 0..5),
        ) {
            let rings = [
                vec![Interval { first: 5, last: 5 + last }, Interval { first: 90_000, last: 90_123 }],
                vec![],
                vec![Interval { first: -700, last: 3 }],
            ];
            let (mut ranges, mut drawn, mut units) = (Vec::new(), [0u64; 3], Vec::new());
            for index in 1..=count {
                let strata = vec![stratum(1 << 30), stratum(1 << 33), stratum(1 << 32)];
                let draws = (!is_endless).then_some(draws);
                let shard = Shard::new(index, count).unwrap();
                let schedule = Schedule::new(sets(&rings), shift, strata, draws, shard);
                let all = Interval::new(0, schedule.end.min(500_000) - 1);
                for part in all.map(|all| parts(&schedule, all, 1 << len)).into_iter().flatten() {
                    match part {
                        Part::Edge(_) => unreachable!("none was set"),
                        Part::Consecutive(range) => ranges.push(range),
                        Part::Draws { stratum, number, skip, count } => {
                            drawn[stratum] += count;
                            prop_assert_eq!(number % 3, stratum as u64);
                            units.push((number, skip, skip + count));
                        }
                    }
                }
                // The calculated counts of some positions are those of their contents.
                let mut positions = Positions::default();
                let within = |(first, more)| Interval { first, last: first + more }.intersect(all?);
                positions.add(picked.iter().copied().filter_map(within));
                let (mut values, mut by_stratum) = (Vec::new(), vec![0; 3]);
                for part in positions.intervals().iter().flat_map(|&some| parts(&schedule, some, 1 << len)) {
                    match part {
                        Part::Draws { stratum, count, .. } => by_stratum[stratum] += count,
                        Part::Consecutive(range) => values.push(range),
                        Part::Edge(_) => {}
                    }
                }
                let inputs = interval::count(&values) + u128::from(by_stratum.iter().sum::<u64>());
                prop_assert_eq!(schedule.inputs(&positions), inputs);
                prop_assert_eq!(schedule.drawn(&positions), by_stratum);
                prop_assert_eq!(schedule.covered(&positions), interval::union(values));
            }
            prop_assert_eq!(interval::count(&ranges), rings.iter().map(|ring| interval::count(ring)).sum());
            prop_assert_eq!(interval::union(ranges), interval::union(rings.concat()));
            // The draws of each unit are adjacent, from the first on, and those of all units complete.
            units.sort_unstable();
            for pair in units.windows(2) {
                let (last, next) = (pair[0], pair[1]);
                prop_assert_eq!(next.1, if next.0 == last.0 { last.2 } else { 0 });
            }
            if !is_endless {
                prop_assert_eq!(drawn.iter().sum::<u64>(), draws);
                prop_assert!(drawn.iter().max().unwrap() - drawn.iter().min().unwrap() <= 1);
            }
        }
    }

    #[test]
    fn spans_of_values_end_at_multiples_of_their_length() {
        let rings = [vec![Interval { first: -700, last: 5000 }]];
        let schedule = Schedule::new(sets(&rings), 18, vec![], Some(0), Shard::WHOLE);
        let ends = |first, len| schedule.span(first, len).last - 700;
        assert_eq!([ends(0, 1024), ends(700, 1024), ends(701, 1024)], [-1, 1023, 1023]);
        assert_eq!([ends(0, 256), ends(5000, 4096), ends(0, 1 << 18)], [-513, 5000, 5000]);
        assert_eq!(ends(5, 1), -695);
    }
}
