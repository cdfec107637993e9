//! Text that holds words from files and other programs, fit for a terminal.

use std::fmt::{self, Display, Write};

/// What it displays, with U+FFFD for control characters, which could do things to a terminal. Lines stay lines.
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn control_characters_are_replaced_and_lines_stay() {
        assert_eq!(
            Printable("no\x1b[31m such\n\ttype\r\u{9b}").to_string(),
            "no\u{fffd}[31m such\n\u{fffd}type\u{fffd}\u{fffd}"
        );
        assert_eq!(Printable("").to_string(), "");
    }
}
