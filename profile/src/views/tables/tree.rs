//! The functions with the largest values, with their callers and callees.

use super::calls::add_calls;
use crate::views::columns::Columns;
use crate::views::error::ViewError;
use crate::views::graph::TrimmedGraph;
use crate::views::text::Text;
use crate::views::view::{DEFAULT_NODES, View};

impl View<'_> {
    /// Returns a table of the functions with the largest values, like `go tool pprof -tree`. Each has
    /// its callers above and its callees below.
    ///
    /// At most 80 functions are shown, or as many as [`node_count`](Self::node_count) allows.
    /// Functions below half a percent and calls below a tenth of a percent of the total are omitted.
    ///
    /// # Errors
    ///
    /// [`ViewError::TooLarge`] if there are more than 262,144 functions, a million calls or 16 MiB
    /// of text.
    pub fn tree(&self) -> Result<String, ViewError> {
        let trimmed = TrimmedGraph::new(self, self.order, self.node_count.unwrap_or(DEFAULT_NODES))?;
        let columns = Columns::new(self, &trimmed.graph);
        let mut table = Text::default();
        for line in columns.trimmed_heading(&trimmed, false) {
            table.line(line)?;
        }
        add_calls(&mut table, &trimmed.graph, columns, |_| true)?;
        Ok(table.into_string())
    }
}
