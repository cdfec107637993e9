//! The functions with the largest values.

use std::collections::HashSet;

use super::graph::{Edges, Granularity, Graph, NodeKey};
use super::heading::{COLUMNS, Columns};
use super::view::View;

/// Functions below this fraction of the total are omitted, like `-nodefraction` of pprof.
const NODE_FRACTION: f64 = 0.005;
/// Calls below this fraction of the total are omitted, like `-edgefraction` of pprof.
const EDGE_FRACTION: f64 = 0.001;

impl View<'_> {
    /// Returns a table of the functions with the largest values, like `go tool pprof -top`.
    ///
    /// Functions below half a percent of the total are omitted.
    pub fn top(&self) -> String {
        let (graph, all, original) = self.top_graph();
        let columns = Columns::new(self, &graph);
        let mut lines = columns.heading();
        let (total, shown) = (self.total(), graph.order.len());
        if total != 0 && original < all {
            let (dropped, limit) = (all - original, columns.label(fraction(total, NODE_FRACTION)));
            let plural = if dropped == 1 { "" } else { "s" };
            lines.push(format!("Dropped {dropped} node{plural} (cum <= {limit})"));
        }
        if total != 0 && shown > 0 && shown < original {
            lines.push(format!("Showing top {shown} nodes out of {original}"));
        }
        lines.push(rows(&graph, columns));
        lines.join("\n")
    }

    /// Returns the table of [`top`](Self::top) without the lines above the column names.
    pub fn top_table(&self) -> String {
        let (graph, ..) = self.top_graph();
        rows(&graph, Columns::new(self, &graph))
    }

    /// Returns the graph of the functions to show, the number of all functions, and the number of
    /// those whose values are large enough to be shown.
    fn top_graph(&self) -> (Graph, usize, usize) {
        let mut graph = Graph::new(self, Granularity::Functions, None, Edges::None);
        let all = graph.order.len();
        let total = graph.flat();
        let min = fraction(total, NODE_FRACTION).unsigned_abs();
        let Graph { nodes, order, .. } = &mut graph;
        order.retain(|&at| nodes[at].cum.unsigned_abs() >= min);
        let original = order.len();
        graph.sort(self.by_cum);
        let count = if self.node_count > 0 { self.node_count } else { usize::MAX };
        let kept: HashSet<NodeKey> = graph.shown().take(count).map(|node| node.key).collect();
        let kept = Some(&kept).filter(|kept| kept.len() < all);
        graph = Graph::new(self, Granularity::Functions, kept, Edges::All);
        graph.sort(self.by_cum);
        let min = fraction(total, EDGE_FRACTION).unsigned_abs();
        let Graph { edges, nodes, .. } = &mut graph;
        // In a comparison the values of a function can cancel out. pprof keeps the calls to it.
        edges.retain(|&(_, callee), edge| {
            edge.weight.unsigned_abs() >= min || !nodes[callee as usize].is_used()
        });
        (graph, all, original)
    }
}

/// Returns a fraction of a total, as it is compared with values and shown.
fn fraction(total: i64, fraction: f64) -> i64 {
    ((total as f64 * fraction) as i64).saturating_abs()
}

/// Returns the column names and a row for each function to show.
fn rows(graph: &Graph, mut columns: Columns<'_>) -> String {
    let mut table = format!("{COLUMNS}\n");
    for (node, inlined) in graph.shown().zip(inlined(graph)) {
        table += &format!("{}  {}{inlined}\n", columns.row(node), graph.label(node));
    }
    table
}

/// Returns a mark for each node to show: whether all or some of its calls are inlined.
fn inlined(graph: &Graph) -> Vec<&'static str> {
    let mut calls = vec![(false, false); graph.nodes.len()];
    for (&(_, callee), edge) in &graph.edges {
        let (inline, not_inline) = &mut calls[callee as usize];
        *inline |= edge.inline;
        *not_inline |= !edge.inline;
    }
    let label = |&at: &usize| match calls[at] {
        (true, false) => " (inline)",
        (true, true) => " (partial-inline)",
        _ => "",
    };
    graph.order.iter().map(label).collect()
}
