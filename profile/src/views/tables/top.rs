//! The functions with the largest values.

use crate::views::columns::{COLUMNS, Columns};
use crate::views::error::ViewError;
use crate::views::graph::Graph;
use crate::views::graph::trim::TrimmedGraph;
use crate::views::text::Text;
use crate::views::view::View;

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
        let trimmed = self.top_graph()?;
        let columns = Columns::new(self, &trimmed.graph);
        let mut table = Text::default();
        for line in columns.trimmed_heading(&trimmed) {
            table.line(line)?;
        }
        rows(&trimmed.graph, columns, table)
    }

    /// Returns the table of [`top`](Self::top) without the lines above the column names.
    ///
    /// # Errors
    ///
    /// Those of [`top`](Self::top).
    pub fn top_table(&self) -> Result<String, ViewError> {
        let graph = self.top_graph()?.graph;
        rows(&graph, Columns::new(self, &graph), Text::default())
    }

    fn top_graph(&self) -> Result<TrimmedGraph, ViewError> {
        TrimmedGraph::new(self, self.order, self.node_count.unwrap_or(0))
    }
}

/// Adds the column names and a row for each function to show.
fn rows(graph: &Graph, mut columns: Columns<'_>, mut table: Text) -> Result<String, ViewError> {
    table.line(COLUMNS)?;
    for (node, inlined) in graph.shown().zip(inlined(graph)) {
        table.line(format_args!("{}  {}{inlined}", columns.row(node), graph.label(node)))?;
    }
    Ok(table.into_string())
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
