//! The calls of a graph, sorted for output.

use std::cmp::Reverse;

use super::{Edge, Graph};

/// The calls between a node and one of its callers or callees.
pub(in crate::views) struct Call<'g> {
    node: u32,
    pub(in crate::views) other: u32,
    pub(in crate::views) edge: &'g Edge,
}

impl Graph {
    /// Returns all calls between functions that have samples. `order` puts the node before its caller or callee. The calls are sorted
    /// by node, and those of one node by descending weight.
    pub(in crate::views) fn calls(&self, order: impl Fn((u32, u32)) -> (u32, u32)) -> Vec<Call<'_>> {
        let mut calls: Vec<_> = (self.edges.iter())
            .map(|(&call, edge)| {
                let (node, other) = order(call);
                Call { node, other, edge }
            })
            .collect();
        let key = |call: &Call<'_>| {
            let weight = Reverse(call.edge.weight.unsigned_abs());
            (call.node, weight, call.other)
        };
        let name = |call: &Call<'_>| self.label(&self.nodes[call.other as usize]);
        calls.sort_unstable_by(|a, b| {
            let ((node_a, weight_a, other_a), (node_b, weight_b, other_b)) = (key(a), key(b));
            (node_a, weight_a)
                .cmp(&(node_b, weight_b))
                .then_with(|| name(a).cmp(name(b)))
                .then(other_a.cmp(&other_b))
        });
        calls
    }
}

/// Returns the calls of a node.
pub(in crate::views) fn calls_of<'c, 'g>(calls: &'c [Call<'g>], node: usize) -> &'c [Call<'g>] {
    let node = node as u32;
    let first = calls.partition_point(|call| call.node < node);
    let count = calls[first..].partition_point(|call| call.node == node);
    &calls[first..first + count]
}
