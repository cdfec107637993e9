//! The limits on the size of a view, so that its memory is bounded for every profile.

use std::fmt::{Display, Write};

use super::error::ViewError;

/// The maximum number of nodes and edges of a graph.
pub(super) const NODES: usize = 1 << 18;
pub(super) const EDGES: usize = 1 << 20;
/// The maximum size of a table in bytes.
const TEXT_BYTES: usize = 16 << 20;
/// The maximum size of all stacks of a flamegraph as text, in bytes.
pub(super) const STACK_BYTES: usize = 64 << 20;
/// The maximum number of frames in a flamegraph.
pub(super) const FLAMEGRAPH_FRAMES: usize = 1 << 19;
/// The maximum size of the SVG of a flamegraph in bytes.
pub(super) const SVG_BYTES: usize = 32 << 20;

/// The lines of a table, up to the limit.
#[derive(Default)]
pub(super) struct Text(String);

impl Text {
    /// Adds a line.
    ///
    /// # Errors
    ///
    /// [`ViewError::TooLarge`] if the text exceeds the limit.
    pub(super) fn line(&mut self, line: impl Display) -> Result<(), ViewError> {
        if self.0.len() > TEXT_BYTES || writeln!(self.0, "{line}").is_err() {
            let limit = TEXT_BYTES >> 20;
            return Err(ViewError::TooLarge(format!(
                "more than {limit} MiB of text; select fewer functions"
            )));
        }
        Ok(())
    }

    pub(super) fn into_string(self) -> String {
        self.0
    }
}
