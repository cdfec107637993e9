//! Checks the edge cases of a plan before all other values, so that the report lists them first.

use crate::check::checker::Checker;
use crate::check::codec::Codec;
use crate::check::counts::Counts;
use crate::check::failure::Failure;
use crate::check::observer::Observer;
use crate::plan::integer::ByLength;
use crate::plan::integer::{Integer, Kind};
use crate::plan::interval::{self, Interval};
use crate::plan::sample;

/// The edge cases of a plan and their results.
pub(crate) struct Edges {
    edges: Vec<Edge>,
    /// Whether the codec broke down permanently.
    pub(crate) is_over: bool,
}

struct Edge {
    value: i128,
    by_length: ByLength,
    failure: Option<Failure>,
}

impl Edges {
    /// Checks every edge case of the plan that is among `values`, each in a call of its own. The
    /// check ends early if the observer stops it. After a breakdown, it also ends once the number
    /// of failures `is_at_limit`.
    pub(crate) fn check<T: Integer>(
        plan: &[Interval],
        values: &[Interval],
        codec: &dyn Codec<T>,
        observer: &dyn Observer,
        is_at_limit: impl Fn(u64) -> bool,
    ) -> Self {
        let mut checked = Self { edges: vec![], is_over: false };
        let edges = sample::edges(Kind::of::<T>(), plan).into_iter();
        for value in edges.filter(|&edge| interval::contains(values, edge)) {
            if observer.is_stopped() {
                break;
            }
            let mut checker = Checker::new(codec, 1, observer);
            checker.check_consecutive(value, 1);
            let failure = checker.listed.pop();
            checked.edges.push(Edge { value, by_length: checker.by_length, failure });
            checked.is_over = checker.is_over;
            if checker.is_over || (checker.broke_down && is_at_limit(checked.failures())) {
                break;
            }
        }
        checked
    }

    /// Returns the number of edge cases that failed.
    pub(crate) fn failures(&self) -> u64 {
        self.edges.iter().filter(|edge| edge.failure.is_some()).count() as u64
    }

    /// Returns whether this is a value of an edge case that failed.
    pub(crate) fn has_failure_of(&self, value: &str) -> bool {
        self.edges.iter().filter_map(|edge| edge.failure.as_ref()).any(|failure| failure.value == value)
    }

    /// Adds the edge cases to the results of the sweep. Their failures are listed first. A value is
    /// counted only if the sweep did not reach it.
    pub(crate) fn add_to(
        &self,
        covered: &mut Vec<Interval>,
        counts: &mut Counts,
        listed: &mut Vec<Failure>,
        list: usize,
    ) {
        // A failure that did not occur again in the sweep counts too. If the sweep did not list all
        // failures, it may be among the others, so it is not counted again.
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
