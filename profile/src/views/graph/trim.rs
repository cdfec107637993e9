//! Removes the nodes and edges that are too small to be shown, as pprof does.

use std::collections::HashSet;

use super::{Granularity, Graph, NodeKey};
use crate::views::error::ViewError;
use crate::views::order::Order;
use crate::views::view::View;

/// Functions below this fraction of the total are omitted, like `-nodefraction` of pprof.
pub(in crate::views) const NODE_FRACTION: f64 = 0.005;
/// Calls below this fraction of the total are omitted, like `-edgefraction` of pprof.
const EDGE_FRACTION: f64 = 0.001;

/// The graph of the functions to show, and how many were omitted.
pub(in crate::views) struct TrimmedGraph {
    pub(in crate::views) graph: Graph,
    /// The number of functions that are omitted because their values are too small.
    pub(in crate::views) dropped: usize,
    /// The number of the other functions.
    pub(in crate::views) original: usize,
}

impl TrimmedGraph {
    /// Builds the graph of the first `max` functions in this order. A limit of 0 is no limit.
    ///
    /// # Errors
    ///
    /// Those of [`Graph::new`].
    pub(in crate::views) fn new(view: &View<'_>, order: Order, max: usize) -> Result<Self, ViewError> {
        let mut graph = Graph::new(view, Granularity::Functions, None)?;
        let all = graph.order.len();
        let total = graph.flat();
        let min = fraction(total, NODE_FRACTION).unsigned_abs();
        let kept: HashSet<NodeKey> =
            graph.shown().filter(|node| node.cum.unsigned_abs() >= min).map(|node| node.key).collect();
        let original = kept.len();
        if original < all {
            drop(graph); // before the next one is built, to save memory
            graph = Graph::new(view, Granularity::Functions, Some(&kept))?;
        }
        graph.sort(order);
        if max > 0 && max < graph.order.len() {
            let kept = graph.shown().take(max).map(|node| node.key).collect();
            drop(graph);
            graph = Graph::new(view, Granularity::Functions, Some(&kept))?;
            graph.sort(order);
        }
        let min = fraction(total, EDGE_FRACTION).unsigned_abs();
        let Graph { edges: all_edges, nodes, .. } = &mut graph;
        // In a comparison the values of a function can cancel out. pprof keeps the calls to it.
        all_edges.retain(|&(_, callee), edge| {
            edge.weight.unsigned_abs() >= min || !nodes[callee as usize].is_used()
        });
        Ok(Self { graph, dropped: all - original, original })
    }
}

/// Returns a fraction of a total, as it is compared with values and shown.
pub(in crate::views) fn fraction(total: i64, fraction: f64) -> i64 {
    ((total as f64 * fraction) as i64).saturating_abs()
}
