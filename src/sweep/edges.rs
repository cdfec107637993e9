//! The values on which codecs break, checked before all others, so that the report names them first.

use super::check::{ByLength, Checker};
use super::codec::Codec;
use super::failure::Failure;
use super::integer::{Integer, Kind};
use super::interval::{self, Interval};
use super::ledger::Counts;
use super::sample;

/// The edges of a plan and what became of each.
pub(super) struct Edges(Vec<Edge>);

struct Edge {
    value: i128,
    by_length: ByLength,
    failure: Option<Failure>,
}

impl Edges {
    /// Checks every edge of the plan that is among `values`, alone.
    pub(super) fn check<T: Integer>(plan: &[Interval], values: &[Interval], codec: &dyn Codec<T>) -> Self {
        let check = |value| {
            let mut checker = Checker::new(codec, 1);
            checker.consecutive(value, 1);
            Edge { value, by_length: checker.by_length, failure: checker.listed.pop() }
        };
        let edges = sample::edges(Kind::of::<T>(), plan).into_iter();
        Self(edges.filter(|&edge| interval::contains(values, edge)).map(check).collect())
    }

    /// How many failed.
    pub(super) fn failures(&self) -> u64 {
        self.0.iter().filter(|edge| edge.failure.is_some()).count() as u64
    }

    /// Adds the edges to what the sweep has done: their failures listed first, their values counted where the sweep
    /// did not come to them.
    pub(super) fn add_to(
        &self,
        covered: &mut Vec<Interval>,
        counts: &mut Counts,
        listed: &mut Vec<Failure>,
        list: usize,
    ) {
        let mut first: Vec<Failure> = Vec::new();
        let mut uncovered = Vec::new();
        for edge in &self.0 {
            if !interval::contains(covered, edge.value) {
                uncovered.push(Interval { first: edge.value, last: edge.value });
                counts.failures += u64::from(edge.failure.is_some());
                for (sum, count) in counts.by_length.iter_mut().zip(edge.by_length) {
                    *sum += count;
                }
            }
            first.extend(edge.failure.clone());
        }
        *covered = interval::union(covered.drain(..).chain(uncovered));
        listed.retain(|failure| first.iter().all(|edge| edge.value != failure.value));
        first.append(listed);
        first.truncate(list);
        *listed = first;
    }
}
