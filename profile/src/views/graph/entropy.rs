//! The importance of a node in a drawing, as pprof calculates it.
//!
//! A node between one caller and one callee adds little to a drawing. A node whose calls are
//! divided evenly among many others adds much. Entropy, as in information theory, measures this.

use super::Graph;

impl Graph {
    /// Returns the score of each node.
    pub(super) fn entropy(&self) -> Vec<i64> {
        let (mut callers, mut callees) = (vec![vec![]; self.nodes.len()], vec![vec![]; self.nodes.len()]);
        for (&(caller, callee), edge) in &self.edges {
            callers[callee as usize].push(edge.weight);
            callees[caller as usize].push(edge.weight);
        }
        let entropies = callers.iter_mut().zip(&mut callees);
        (self.nodes.iter().zip(entropies))
            .map(|(node, (callers, callees))| {
                let score = entropy(callers, 0) + entropy(callees, node.flat);
                ((score * node.cum as f64) as i64).saturating_add(node.flat)
            })
            .collect()
    }
}

/// Returns the entropy of the calls with these weights and of the samples `flat` in the node itself.
/// It is 1 without calls, which favours the first and the last functions of stacks.
fn entropy(weights: &mut [i64], flat: i64) -> f64 {
    if weights.is_empty() {
        return 1.0;
    }
    weights.sort_unstable(); // sums of floating-point numbers depend on their order
    let sum: f64 = weights.iter().filter(|&&weight| weight > 0).map(|&weight| weight as f64).sum();
    let total = flat as f64 + sum;
    if total == 0.0 {
        return 0.0;
    }
    let parts = weights.iter().copied().chain((flat > 0).then_some(flat));
    parts
        .map(|part| (part as f64).abs() / total)
        .map(|part| -part * part.log2())
        .filter(|entropy| entropy.is_finite()) // a part of zero, in a comparison
        .sum()
}
