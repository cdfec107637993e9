//! A table as text, line by line, up to a limit.

use std::fmt::{Display, Write};

use crate::views::error::ViewError;
use crate::views::limits;

/// The lines so far.
#[derive(Default)]
pub(super) struct Table(String);

impl Table {
    /// Adds a line.
    ///
    /// # Errors
    ///
    /// [`ViewError::TooLarge`] if the table gets too long.
    pub(super) fn line(&mut self, line: impl Display) -> Result<(), ViewError> {
        if self.0.len() > limits::TABLE || writeln!(self.0, "{line}").is_err() {
            let most = limits::TABLE >> 20;
            return Err(ViewError::TooLarge(format!(
                "a table of more than {most} MiB; ask for fewer functions"
            )));
        }
        Ok(())
    }

    pub(super) fn text(self) -> String {
        self.0
    }
}
