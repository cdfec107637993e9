//! What is at any positions of a schedule: which values, and how many draws.

use crate::plan::interval::{self, Interval, Positions};
use crate::plan::schedule::{Schedule, Stage};
use crate::plan::values::Values;

impl Schedule {
    /// Returns those of these positions that are in the stage with this index, counted from its start.
    fn within(&self, index: usize, positions: Interval) -> Option<Interval> {
        let (first, stage) = &self.stages[index];
        let own = positions.intersect(Interval::new(*first, first + stage.len() - 1)?)?;
        Some(Interval { first: own.first - first, last: own.last - first })
    }

    /// Returns up to which distance from the edge cases all values of a sample are at these positions;
    /// `None` if all values to cover exhaustively are.
    pub(crate) fn distance(&self, positions: &Positions) -> Option<u64> {
        let is_missing =
            |ring: &Option<Interval>| ring.is_some_and(|ring| !positions.missing(ring).is_empty());
        let rings = self.rings.iter().position(is_missing)?;
        Some(if rings == 0 { 0 } else { 1 << (rings - 1) })
    }

    /// Returns the values of an exhaustive sweep whose plan is long.
    fn long(&self) -> Option<&Values> {
        self.stages.iter().find_map(|(_, stage)| match stage {
            Stage::Values(values) if values.is_long() => Some(values),
            _ => None,
        })
    }

    /// Returns the consecutive values at these positions, and the edge cases. Of a long plan, these are
    /// their places.
    pub(crate) fn covered(&self, positions: &Positions) -> Vec<Interval> {
        let (mut found, long) = (Vec::new(), self.long());
        for &interval in positions.intervals() {
            if let Some(Interval { first, last }) =
                Interval::new(self.start(), -1).and_then(|edges| edges.intersect(interval))
            {
                let edges = &self.edges[(first - self.start()) as usize..=(last - self.start()) as usize];
                let number = |&edge| long.map_or(edge, |long| long.place_of(edge));
                found.extend(edges.iter().map(number).map(|edge| Interval { first: edge, last: edge }));
            }
            for (index, (_, stage)) in self.stages.iter().enumerate() {
                if let (Stage::Values(values), Some(own)) = (stage, self.within(index, interval)) {
                    found.extend(values.span(own));
                }
            }
        }
        interval::union(found)
    }

    /// Returns the first values that are [`covered`](Self::covered), as at most `most` intervals.
    pub(crate) fn first_covered(&self, covered: &[Interval], most: usize) -> Vec<Interval> {
        self.long().map_or_else(Vec::new, |long| long.first_at(covered, most))
    }

    /// Returns the number of draws from each stratum at these positions.
    pub(crate) fn drawn(&self, positions: &Positions) -> Vec<u64> {
        let mut drawn = vec![0u64; self.strata.len()];
        for &interval in positions.intervals() {
            for (index, (_, stage)) in self.stages.iter().enumerate() {
                if let (Stage::Draws(rounds), Some(own)) = (stage, self.within(index, interval)) {
                    for (stratum, drawn) in (0..).zip(&mut drawn) {
                        let before = |place| rounds.drawn_before(stratum, place);
                        *drawn = drawn.saturating_add(before(own.last + 1) - before(own.first));
                    }
                }
            }
        }
        drawn
    }

    /// Returns the number of inputs at these positions, without the edge cases alone.
    pub(crate) fn inputs(&self, positions: &Positions) -> u128 {
        let all = Interval { first: 0, last: i128::MAX };
        positions.intervals().iter().filter_map(|own| own.intersect(all)).map(Interval::count).sum()
    }
}
