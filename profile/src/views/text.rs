//! The text of a view, up to a limit.

use std::fmt::{Display, Write};

use crate::views::error::ViewError;
use crate::views::limits;

/// The lines that were added so far.
#[derive(Default)]
pub(super) struct Text(String);

impl Text {
    /// Adds a line.
    ///
    /// # Errors
    ///
    /// [`ViewError::TooLarge`] if the text exceeds the limit.
    pub(super) fn line(&mut self, line: impl Display) -> Result<(), ViewError> {
        if self.0.len() > limits::TEXT_BYTES || writeln!(self.0, "{line}").is_err() {
            let limit = limits::TEXT_BYTES >> 20;
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
