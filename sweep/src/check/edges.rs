//! Checks the edge cases of a plan before all other values, so that the report lists them first.

use crate::check::failure::{Failure, joined};
use crate::check::observer::Observer;
use crate::check::subject::{Found, Subject};
use crate::plan::interval::{self, Interval};
use crate::plan::sample;

/// The edge cases of a plan and their results.
pub(crate) struct Edges {
    edges: Vec<Edge>,
    /// Whether the subject broke down permanently.
    pub(crate) broke_down_permanently: bool,
    /// Whether nothing else shall be checked: the subject broke down permanently, or it broke down
    /// and the failures reach the limit.
    pub(crate) is_over: bool,
}

struct Edge {
    number: i128,
    failures: Vec<Failure>,
}

impl Edges {
    /// Checks every edge case of the plan that is among `inputs`, each in a call of its own. The
    /// check ends early if the observer stops it, and after a breakdown once the limit of failures is
    /// reached.
    pub(crate) fn check(
        plan: &[Interval],
        inputs: &[Interval],
        subject: &dyn Subject,
        observer: &dyn Observer,
        is_at_limit: impl Fn(u64) -> bool,
    ) -> Self {
        let mut checked = Self { edges: vec![], broke_down_permanently: false, is_over: false };
        let edges = sample::edges(&*subject.space(), plan).into_iter();
        let mut check = subject.check();
        for number in edges.filter(|&edge| interval::contains(inputs, edge)) {
            if observer.is_stopped() {
                break;
            }
            let mut found = Found::new(1, observer);
            check.consecutive(number, 1, &mut found);
            checked.edges.push(Edge { number, failures: found.take().1 });
            checked.broke_down_permanently = found.is_over;
            checked.is_over = found.is_over || (found.broke_down && is_at_limit(checked.ranges()));
            if checked.is_over {
                break;
            }
        }
        checked
    }

    /// Returns the failures, with neighbours joined.
    fn failures(&self) -> Vec<Failure> {
        let mut failures: Vec<Failure> = self.edges.iter().flat_map(|edge| &edge.failures).cloned().collect();
        failures.sort_by_key(|failure| failure.numbers.map(|numbers| numbers.first));
        joined(failures)
    }

    /// Returns the number of failures, where neighbours that fail alike are one.
    pub(crate) fn ranges(&self) -> u64 {
        self.failures().len() as u64
    }

    /// Returns whether this is a value of an edge case that failed.
    pub(crate) fn has_failure_of(&self, value: &str) -> bool {
        self.edges.iter().flat_map(|edge| &edge.failures).any(|failure| failure.value == value)
    }

    /// Adds the edge cases to the results of the sweep. Their failures are listed before others of a
    /// single input. An input is counted only if the sweep did not reach it.
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
        }
        // An edge case in a range of failures is no case of its own.
        let mut first = self.failures();
        first.retain(|edge| {
            !listed.iter().any(|other| {
                other.last.is_some() && edge.numbers.is_some_and(|numbers| other.has(numbers.first, ""))
            })
        });
        *covered = interval::union(covered.drain(..).chain(uncovered));
        listed.retain(|failure| !first.iter().any(|edge| edge.covers(failure)));
        // Ranges say most, then edge cases.
        let (ranges, single): (Vec<_>, Vec<_>) =
            std::mem::take(listed).into_iter().partition(|failure| failure.last.is_some());
        *listed = [ranges, first, single].concat();
        listed.truncate(list);
    }
}
