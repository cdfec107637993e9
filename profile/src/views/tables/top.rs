//! The functions with the most samples.

use std::collections::HashSet;

use super::columns::{COLUMNS, Columns};
use super::table::Table;
use crate::views::error::ViewError;
use crate::views::graph::{Detail, Graph, Place};
use crate::views::view::View;

/// Functions below this share of the total are left out.
const LEAST_NODE: f64 = 0.005;
/// Calls below this share do not count for whether a function is inlined.
const LEAST_EDGE: f64 = 0.001;

impl View<'_> {
    /// Returns a table of the functions with the most samples, like `go tool pprof -top`.
    ///
    /// Functions below half a percent of the total are left out.
    ///
    /// # Errors
    ///
    /// [`ViewError::TooLarge`] if there are more than 262,144 functions, a million calls or 16 MiB
    /// of text.
    pub fn top(&self) -> Result<String, ViewError> {
        let (graph, dropped, original) = self.trimmed_graph()?;
        let columns = Columns::of(self, &graph);
        let mut table = Table::default();
        columns.heading(&mut table)?;
        if self.total() != 0 {
            if dropped > 0 {
                let limit = columns.label(share(self.total(), LEAST_NODE));
                let nodes = if dropped == 1 { "node" } else { "nodes" };
                table.line(format_args!("Dropped {dropped} {nodes} (cum <= {limit})"))?;
            }
            if !graph.order.is_empty() && graph.order.len() < original {
                table.line(format_args!("Showing top {} nodes out of {original}", graph.order.len()))?;
            }
        }
        rows(&graph, columns, table)
    }

    /// Returns the table of [`top`](Self::top) without the lines above it.
    ///
    /// # Errors
    ///
    /// Those of [`top`](Self::top).
    pub fn top_table(&self) -> Result<String, ViewError> {
        let (graph, ..) = self.trimmed_graph()?;
        rows(&graph, Columns::of(self, &graph), Table::default())
    }

    /// Returns the graph of the functions to show, the number of functions that were dropped
    /// because they are too small, and the number of the others.
    fn trimmed_graph(&self) -> Result<(Graph, usize, usize), ViewError> {
        let mut graph = Graph::new(self, Detail::Functions, None)?;
        let all = graph.order.len();
        let total = graph.flat();
        let least = share(total, LEAST_NODE).unsigned_abs();
        let kept: HashSet<Place> =
            graph.shown().filter(|node| node.cum.unsigned_abs() >= least).map(|node| node.place).collect();
        let original = kept.len();
        if original < all {
            drop(graph); // there is memory for one
            graph = Graph::new(self, Detail::Functions, Some(&kept))?;
        }
        graph.sort(self.by_cum);
        if let Some(rows) = self.rows.filter(|&rows| rows > 0 && rows < graph.order.len()) {
            let kept = graph.shown().take(rows).map(|node| node.place).collect();
            drop(graph);
            graph = Graph::new(self, Detail::Functions, Some(&kept))?;
            graph.sort(self.by_cum);
        }
        let least = share(total, LEAST_EDGE).unsigned_abs();
        graph.edges.retain(|_, edge| edge.weight.unsigned_abs() >= least);
        Ok((graph, all - original, original))
    }
}

/// A row for each function to show.
fn rows(graph: &Graph, mut columns: Columns<'_>, mut table: Table) -> Result<String, ViewError> {
    table.line(COLUMNS)?;
    for (node, inlined) in graph.shown().zip(inlined(graph)) {
        table.line(format_args!("{}  {}{inlined}", columns.row(node), graph.label(node)))?;
    }
    Ok(table.text())
}

fn share(total: i64, of: f64) -> i64 {
    ((total as f64 * of) as i64).saturating_abs()
}

/// Returns for each node to show whether its calls are inlined.
fn inlined(graph: &Graph) -> Vec<&'static str> {
    let mut calls = vec![(false, false); graph.nodes.len()];
    for (&(_, callee), edge) in &graph.edges {
        let (inline, real) = &mut calls[callee as usize];
        *inline |= edge.inline;
        *real |= !edge.inline;
    }
    let label = |&at: &usize| match calls[at] {
        (true, false) => " (inline)",
        (true, true) => " (partial-inline)",
        _ => "",
    };
    graph.order.iter().map(label).collect()
}
