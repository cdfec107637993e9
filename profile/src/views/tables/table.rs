//! The text of a table, up to a limit.

use std::fmt::{Display, Write};

use crate::views::error::ViewError;
use crate::views::limits;

/// The lines that were added so far.
#[derive(Default)]
pub(super) struct Table(String);

impl Table {
    /// Adds a line.
    ///
    /// # Errors
    ///
    /// [`ViewError::TooLarge`] if the table exceeds the limit.
    pub(super) fn line(&mut self, line: impl Display) -> Result<(), ViewError> {
        if self.0.len() > limits::TABLE_BYTES || writeln!(self.0, "{line}").is_err() {
            let limit = limits::TABLE_BYTES >> 20;
            return Err(ViewError::TooLarge(format!(
                "more than {limit} MiB of text; select fewer functions"
            )));
        }
        Ok(())
    }

    pub(super) fn text(self) -> String {
        self.0
    }
}
