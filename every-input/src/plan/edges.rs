//! The edge cases of a sweep, which it checks first.

use std::collections::HashSet;

use crate::plan::interval::{self, Interval};
use crate::plan::space::ErasedSpace;

/// The number of ranges of a plan whose ends are edge cases.
pub(crate) const MAX_RANGES: usize = 32;

/// Returns the edge cases of a plan, the most important first: the ends of the space, of its
/// classes, its own edges and the bounds of the plan, each with both neighbours. The plan has its first
/// intervals, and a function that returns whether it contains a number.
pub(crate) fn of_plan(space: &ErasedSpace, first: &[Interval], contains: impl Fn(i128) -> bool) -> Vec<i128> {
    let mut edges = vec![space.limits.first, space.limits.last];
    edges.extend(space.edges.first());
    for class in &space.classes {
        edges.extend(class.intervals.iter().flat_map(|i| [i.first, i.last]));
    }
    edges.extend(&space.edges);
    edges.extend(first.iter().take(MAX_RANGES).flat_map(|i| [i.first, i.last]));
    let mut seen = HashSet::new();
    edges
        .into_iter()
        .flat_map(|edge| [edge, edge - 1, edge + 1])
        .filter(|edge| contains(*edge))
        .filter(|edge| seen.insert(*edge))
        .collect()
}

/// Returns the edge cases of a plan with these intervals.
pub(crate) fn of_intervals(space: &ErasedSpace, plan: &[Interval]) -> Vec<i128> {
    of_plan(space, plan, |edge| interval::contains(plan, edge))
}

/// Returns those of some edge cases in ascending order that are among these inputs.
pub(crate) fn among(sorted: &[i128], inputs: Interval) -> impl Iterator<Item = i128> {
    let from = sorted.partition_point(|&edge| edge < inputs.first);
    sorted[from..].iter().copied().take_while(move |&edge| edge <= inputs.last)
}
