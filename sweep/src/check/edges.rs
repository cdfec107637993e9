//! The values on which codecs break, checked before all others, so that the report names them first.

use crate::check::checker::Checker;
use crate::check::codec::Codec;
use crate::check::counts::Counts;
use crate::check::failure::Failure;
use crate::plan::integer::ByLength;
use crate::plan::integer::{Integer, Kind};
use crate::plan::interval::{self, Interval};
use crate::plan::sample;

/// The edges of a plan and what became of each.
pub(crate) struct Edges {
    edges: Vec<Edge>,
    /// The codec broke down for good.
    pub(crate) is_over: bool,
}

struct Edge {
    value: i128,
    by_length: ByLength,
    failure: Option<Failure>,
}

impl Edges {
    /// Checks every edge of the plan that is among `values`, alone; where the codec breaks down, only until `enough` of
    /// them failed.
    pub(crate) fn check<T: Integer>(
        plan: &[Interval],
        values: &[Interval],
        codec: &dyn Codec<T>,
        enough: impl Fn(u64) -> bool,
    ) -> Self {
        let mut checked = Self { edges: vec![], is_over: false };
        let edges = sample::edges(Kind::of::<T>(), plan).into_iter();
        for value in edges.filter(|&edge| interval::contains(values, edge)) {
            let mut checker = Checker::new(codec, 1);
            checker.consecutive(value, 1);
            let failure = checker.listed.pop();
            checked.edges.push(Edge { value, by_length: checker.by_length, failure });
            checked.is_over = checker.is_over;
            if checker.is_over || (checker.broke_down && enough(checked.failures())) {
                break;
            }
        }
        checked
    }

    /// How many failed.
    pub(crate) fn failures(&self) -> u64 {
        self.edges.iter().filter(|edge| edge.failure.is_some()).count() as u64
    }

    /// Adds the edges to what the sweep has done: their failures listed first, their values counted where the sweep
    /// did not come to them.
    pub(crate) fn add_to(
        &self,
        covered: &mut Vec<Interval>,
        counts: &mut Counts,
        listed: &mut Vec<Failure>,
        list: usize,
    ) {
        // A failure that did not come again counts too; where some are not listed, it is taken to be among them.
        let all_listed = counts.failures == listed.len() as u64;
        let mut first: Vec<Failure> = Vec::new();
        let mut uncovered = Vec::new();
        for edge in &self.edges {
            if !interval::contains(covered, edge.value) {
                uncovered.push(Interval { first: edge.value, last: edge.value });
                counts.failures += u64::from(edge.failure.is_some());
                for (sum, count) in counts.by_length.iter_mut().zip(edge.by_length) {
                    *sum += count;
                }
            } else if let Some(failure) = &edge.failure {
                let is_counted = !all_listed || listed.iter().any(|other| other.value == failure.value);
                counts.failures += u64::from(!is_counted);
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
