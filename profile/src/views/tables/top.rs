//! The functions with the largest values.

use std::collections::HashSet;

use super::columns::{COLUMNS, Columns};
use super::table::Table;
use crate::views::error::ViewError;
use crate::views::graph::{Granularity, Graph, NodeKey};
use crate::views::view::View;

/// Functions below this fraction of the total are omitted, like `-nodefraction` of pprof.
const NODE_FRACTION: f64 = 0.005;
/// Calls below this fraction of the total do not decide whether a function is marked as inlined,
/// like `-edgefraction` of pprof.
const EDGE_FRACTION: f64 = 0.001;

impl View<'_> {
    /// Returns a table of the functions with the largest values, like `go tool pprof -top`.
    ///
    /// Functions below half a percent of the total are omitted.
    ///
    /// # Errors
    ///
    /// [`ViewError::TooLarge`] if there are more than 262,144 functions, a million calls or 16 MiB
    /// of text.
    pub fn top(&self) -> Result<String, ViewError> {
        let (graph, dropped, original) = self.trimmed_graph()?;
        let columns = Columns::new(self, &graph);
        let mut table = Table::default();
        columns.heading(&mut table)?;
        if self.total() != 0 {
            if dropped > 0 {
                let limit = columns.label(fraction(self.total(), NODE_FRACTION));
                let nodes = if dropped == 1 { "node" } else { "nodes" };
                table.line(format_args!("Dropped {dropped} {nodes} (cum <= {limit})"))?;
            }
            if !graph.order.is_empty() && graph.order.len() < original {
                table.line(format_args!("Showing top {} nodes out of {original}", graph.order.len()))?;
            }
        }
        rows(&graph, columns, table)
    }

    /// Returns the table of [`top`](Self::top) without the lines above the column names.
    ///
    /// # Errors
    ///
    /// Those of [`top`](Self::top).
    pub fn top_table(&self) -> Result<String, ViewError> {
        let (graph, ..) = self.trimmed_graph()?;
        rows(&graph, Columns::new(self, &graph), Table::default())
    }

    /// Returns the graph of the functions to show, the number of functions that were dropped
    /// because their values are too small, and the number of the other functions.
    fn trimmed_graph(&self) -> Result<(Graph, usize, usize), ViewError> {
        let mut graph = Graph::new(self, Granularity::Functions, None)?;
        let all = graph.order.len();
        let total = graph.flat();
        let min = fraction(total, NODE_FRACTION).unsigned_abs();
        let kept: HashSet<NodeKey> =
            graph.shown().filter(|node| node.cum.unsigned_abs() >= min).map(|node| node.key).collect();
        let original = kept.len();
        if original < all {
            drop(graph); // before the next one is built, to save memory
            graph = Graph::new(self, Granularity::Functions, Some(&kept))?;
        }
        graph.sort(self.sorts_by_cum);
        if let Some(count) = self.node_count.filter(|&count| count > 0 && count < graph.order.len()) {
            let kept = graph.shown().take(count).map(|node| node.key).collect();
            drop(graph);
            graph = Graph::new(self, Granularity::Functions, Some(&kept))?;
            graph.sort(self.sorts_by_cum);
        }
        let min = fraction(total, EDGE_FRACTION).unsigned_abs();
        graph.edges.retain(|_, edge| edge.weight.unsigned_abs() >= min);
        Ok((graph, all - original, original))
    }
}

/// Adds the column names and a row for each function to show.
fn rows(graph: &Graph, mut columns: Columns<'_>, mut table: Table) -> Result<String, ViewError> {
    table.line(COLUMNS)?;
    for (node, inlined) in graph.shown().zip(inlined(graph)) {
        table.line(format_args!("{}  {}{inlined}", columns.row(node), graph.label(node)))?;
    }
    Ok(table.text())
}

fn fraction(total: i64, fraction: f64) -> i64 {
    ((total as f64 * fraction) as i64).saturating_abs()
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
