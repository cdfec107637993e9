//! Checks the edge cases of a plan before all other values, so that the report lists them first.

use crate::check::failure::Failure;
use crate::check::observer::Observer;
use crate::check::subject::Subject;
use crate::plan::interval::{self, Interval};
use crate::plan::sample;

/// The edge cases of a plan and their results.
pub(crate) struct Edges {
    edges: Vec<Edge>,
    /// Whether the subject broke down permanently.
    pub(crate) is_over: bool,
}

struct Edge {
    number: i128,
    failures: Vec<Failure>,
}

impl Edges {
    /// Checks every edge case of the plan that is among `inputs`, each in a call of its own. The
    /// check ends early if the observer stops it. After a breakdown, it also ends once the number
    /// of failures `is_at_limit`.
    pub(crate) fn check(
        plan: &[Interval],
        inputs: &[Interval],
        subject: &dyn Subject,
        observer: &dyn Observer,
        is_at_limit: impl Fn(u64) -> bool,
    ) -> Self {
        let mut checked = Self { edges: vec![], is_over: false };
        let edges = sample::edges(&*subject.space(), plan).into_iter();
        let mut check = subject.check(1, observer);
        for number in edges.filter(|&edge| interval::contains(inputs, edge)) {
            if observer.is_stopped() {
                break;
            }
            check.consecutive(number, 1);
            let found = std::mem::take(check.found());
            checked.edges.push(Edge { number, failures: found.listed });
            checked.is_over = found.is_over;
            if found.is_over || (found.broke_down && is_at_limit(checked.failures())) {
                break;
            }
        }
        checked
    }

    /// Returns the number of edge cases that failed.
    pub(crate) fn failures(&self) -> u64 {
        self.edges.iter().filter(|edge| !edge.failures.is_empty()).count() as u64
    }

    /// Returns whether this is a value of an edge case that failed.
    pub(crate) fn has_failure_of(&self, value: &str) -> bool {
        self.edges.iter().flat_map(|edge| &edge.failures).any(|failure| failure.value == value)
    }

    /// Adds the edge cases to the results of the sweep. Their failures are listed first. An input
    /// is counted only if the sweep did not reach it.
    pub(crate) fn add_to(
        &self,
        covered: &mut Vec<Interval>,
        failures: &mut u64,
        listed: &mut Vec<Failure>,
        list: usize,
    ) {
        // A failure that did not occur again in the sweep counts too. If the sweep did not list all
        // failures, it may be among the others, so it is not counted again.
        let all_listed = *failures == listed.iter().map(Failure::inputs).sum::<u64>();
        let mut first: Vec<Failure> = Vec::new();
        let mut uncovered = Vec::new();
        for edge in &self.edges {
            if !interval::contains(covered, edge.number) {
                uncovered.push(Interval { first: edge.number, last: edge.number });
                *failures += u64::from(!edge.failures.is_empty());
            } else if let Some(failure) = edge.failures.first() {
                let is_counted =
                    !all_listed || listed.iter().any(|other| other.has(edge.number, &failure.value));
                *failures += u64::from(!is_counted);
            }
            // An edge case in a range of failures is no case of its own.
            let is_in_range = |other: &Failure| other.last.is_some() && other.has(edge.number, "");
            if !listed.iter().any(is_in_range) {
                first.extend(edge.failures.clone());
            }
        }
        *covered = interval::union(covered.drain(..).chain(uncovered));
        listed.retain(|failure| first.iter().all(|edge| edge.value != failure.value));
        first.append(listed);
        first.truncate(list);
        *listed = first;
    }
}
