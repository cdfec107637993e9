//! Text from files and other programs, made safe for a terminal.

use std::fmt::{self, Display, Write};

/// Displays its content with U+FFFD in place of control characters, which could change the state of
/// a terminal. Line feeds stay.
pub(crate) struct Printable<D>(pub(crate) D);

impl<D: Display> Display for Printable<D> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(Filter(f), "{}", self.0)
    }
}

struct Filter<'f, 'g>(&'f mut fmt::Formatter<'g>);

impl Write for Filter<'_, '_> {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        let mut parts = text.split(|char: char| char.is_control() && char != '\n');
        self.0.write_str(parts.next().unwrap_or_default())?;
        parts.try_for_each(|part| {
            self.0.write_char(char::REPLACEMENT_CHARACTER)?;
            self.0.write_str(part)
        })
    }
}
