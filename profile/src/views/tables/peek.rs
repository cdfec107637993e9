//! The callers and callees of matching functions.

use regex_lite::Regex;

use super::calls::add_calls;
use crate::views::columns::Columns;
use crate::views::error::ViewError;
use crate::views::graph::{Granularity, Graph};
use crate::views::text::Text;
use crate::views::view::View;

impl View<'_> {
    /// Returns a table of the functions that match the regular expression `pattern`, like
    /// `go tool pprof -peek`. Each has its callers above and its callees below.
    ///
    /// # Errors
    ///
    /// - [`ViewError::Pattern`] if `pattern` is not a regular expression.
    /// - [`ViewError::NoMatch`] if no function matches.
    /// - [`ViewError::TooLarge`] if there are more than 262,144 functions, a million calls or 16
    ///   MiB of text.
    pub fn peek(&self, pattern: &str) -> Result<String, ViewError> {
        let regex = Regex::new(pattern)?;
        let mut graph = Graph::new(self, Granularity::Functions, None)?;
        graph.sort(self.order);
        let columns = Columns::new(self, &graph);
        let mut table = Text::default();
        for line in columns.heading() {
            table.line(line)?;
        }
        match add_calls(&mut table, &graph, columns, |name| regex.is_match(name))? {
            true => Ok(table.into_string()),
            false => Err(ViewError::NoMatch(pattern.into())),
        }
    }
}
