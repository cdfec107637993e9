//! Removes edges that clutter a drawing.

use std::collections::VecDeque;

use super::Graph;
use super::calls::calls_of;

impl Graph {
    /// Removes the residual edges whose callee can also be reached over other edges, as pprof does.
    /// It begins with the nodes that are shown last and with the lightest edges.
    pub(in crate::views) fn remove_redundant_edges(&mut self) {
        let calls = self.calls(|(caller, callee)| (callee, caller));
        let mut callers: Vec<Vec<u32>> = (0..self.nodes.len())
            .map(|node| calls_of(&calls, node).iter().map(|call| call.other).collect())
            .collect();
        drop(calls);
        for &node in self.order.clone().iter().rev() {
            for caller in callers[node].clone().into_iter().rev() {
                let call = (caller, node as u32);
                // An edge that is heavier than a direct call is kept.
                if !self.edges[&call].residual {
                    break;
                }
                if is_redundant(call, &callers) {
                    self.edges.remove(&call);
                    callers[node].retain(|&other| other != caller);
                }
            }
        }
    }
}

/// Returns whether there is another path from the caller to the callee. `callers` has the callers of
/// each node.
fn is_redundant((caller, callee): (u32, u32), callers: &[Vec<u32>]) -> bool {
    let mut is_seen = vec![false; callers.len()];
    is_seen[callee as usize] = true;
    let mut queue = VecDeque::from([callee]);
    while let Some(node) = queue.pop_front() {
        for &other in &callers[node as usize] {
            if (other, node) == (caller, callee) || is_seen[other as usize] {
                continue;
            }
            if other == caller {
                return true;
            }
            is_seen[other as usize] = true;
            queue.push_back(other);
        }
    }
    false
}
