//! The functions that take most.

use std::collections::HashSet;

use super::error::ViewError;
use super::graph::{Detail, Graph, Place};
use super::table::Table;
use super::units::{common, label, percentage};
use super::view::View;

/// Functions below this share of the total are left out.
const LEAST_NODE: f64 = 0.005;
/// Calls below this share do not count for whether a function is inlined.
const LEAST_EDGE: f64 = 0.001;

impl View<'_> {
    /// A table of the functions that take most: themselves (flat) and with all they call (cum).
    ///
    /// Those below half a percent are left out, as in `go tool pprof -top`.
    ///
    /// # Errors
    ///
    /// Where there is more than can be shown: hundreds of thousands of functions, or names of many MiB.
    pub fn top(&self) -> Result<String, ViewError> {
        let total = self.total();
        let (graph, dropped, original) = self.trimmed_graph()?;
        let unit = self.common_unit(&graph);
        let mut table = Table::default();
        for line in self.header(unit) {
            table.line(line)?;
        }
        table.line(self.accounting(&graph, unit))?;
        if total != 0 {
            if dropped > 0 {
                let limit = label(share(total, LEAST_NODE), self.unit(), unit);
                let nodes = if dropped == 1 { "node" } else { "nodes" };
                table.line(format_args!("Dropped {dropped} {nodes} (cum <= {limit})"))?;
            }
            if !graph.order.is_empty() && graph.order.len() < original {
                table.line(format_args!("Showing top {} nodes out of {original}", graph.order.len()))?;
            }
        }
        self.rows_of(&graph, unit, table)
    }

    /// The table of [`top`](Self::top) without the lines above it.
    ///
    /// # Errors
    ///
    /// Likewise.
    pub fn top_table(&self) -> Result<String, ViewError> {
        let (graph, ..) = self.trimmed_graph()?;
        self.rows_of(&graph, self.common_unit(&graph), Table::default())
    }

    fn rows_of(&self, graph: &Graph, unit: &str, mut table: Table) -> Result<String, ViewError> {
        let total = self.total();
        table.line("      flat  flat%   sum%        cum   cum%")?;
        let mut sum = 0i64;
        let inlined = inlined(graph);
        for (node, inlined) in graph.shown().zip(inlined) {
            sum = sum.saturating_add(node.flat);
            table.line(format_args!(
                "{:>10} {} {} {:>10} {}  {}{inlined}",
                label(node.flat, self.unit(), unit),
                percentage(node.flat, total),
                percentage(sum, total),
                label(node.cum, self.unit(), unit),
                percentage(node.cum, total),
                graph.label(node),
            ))?;
        }
        Ok(table.text())
    }

    /// The graph without what is too small to matter and without what is too much to show, how many nodes were too
    /// small, and how many there were then.
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

    /// How much of the total is shown.
    pub(super) fn accounting(&self, graph: &Graph, unit: &str) -> String {
        let (shown, total) = (graph.flat(), self.total());
        format!(
            "Showing nodes accounting for {}, {} of {} total",
            label(shown, self.unit(), unit),
            percentage(shown, total).trim(),
            label(total, self.unit(), unit),
        )
    }

    /// The unit for all values in a table.
    pub(super) fn common_unit(&self, graph: &Graph) -> &str {
        let total = self.total();
        let smallest = graph.shown().filter_map(|node| match node.flat.saturating_abs() {
            0 => Some(node.cum.saturating_abs()).filter(|&cum| cum > 0),
            flat => Some(flat),
        });
        common(smallest.min().unwrap_or(total), total, self.unit())
    }
}

fn share(total: i64, of: f64) -> i64 {
    ((total as f64 * of) as i64).saturating_abs()
}

/// For each node to show, whether its calls are inlined.
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
