//! Texts for people: numbers and durations in readable form, and texts from files and other programs
//! made safe for a terminal.

use std::fmt::{self, Display, Write};

/// Returns the number with its noun: `1 value`, `1,000 values`.
pub(crate) fn plural(number: u128, noun: &str) -> String {
    format!("{} {noun}{}", grouped(number), if number == 1 { "" } else { "s" })
}

/// Returns the number with commas between groups of three digits: `1,234,567`.
pub(crate) fn grouped(number: u128) -> String {
    let digits = number.to_string().into_bytes();
    digits.rchunks(3).rev().map(String::from_utf8_lossy).collect::<Vec<_>>().join(",")
}

/// Returns a duration in the largest unit of which it has at least two: `90 seconds`, `3.0 days`.
pub(crate) fn long_time(seconds: f64) -> String {
    const UNITS: [(f64, &str); 5] =
        [(31_557_600.0, "years"), (86_400.0, "days"), (3600.0, "hours"), (60.0, "minutes"), (1.0, "seconds")];
    let (length, name) = UNITS.into_iter().find(|(length, _)| seconds >= 2.0 * length).unwrap_or(UNITS[4]);
    let amount = seconds / length;
    if amount < 10.0 { format!("{amount:.1} {name}") } else { format!("{} {name}", grouped(amount as u128)) }
}

/// The greatest length in bytes of a name, and of a text of a failure. It is enough for the 64 KiB that
/// a child has written to standard error.
const MAX_TEXT: usize = 1 << 19;

/// The greatest length in bytes of the name of a class, of which there may be many.
const MAX_CLASS_NAME: usize = 256;

/// Returns a text, of which the end is cut if it is so long that files with it could not be read again.
pub(crate) fn bounded(text: impl Into<String>) -> String {
    cut(text.into(), MAX_TEXT)
}

/// Returns the name of a class, of which the end is cut if it is long.
pub(crate) fn bounded_class(name: impl Into<String>) -> String {
    cut(name.into(), MAX_CLASS_NAME)
}

/// Returns a text of at most `max` bytes, of which the end is cut if it is longer.
pub(crate) fn cut(mut text: String, max: usize) -> String {
    if text.len() > max {
        let end = (0..max - 32).rev().find(|&at| text.is_char_boundary(at)).unwrap_or(0);
        let missing = text.len() - end;
        text.truncate(end);
        text += &format!("... ({missing} more bytes)");
    }
    text
}

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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn digits_are_grouped_by_three() {
        assert_eq!([0, 999, 1000, 1 << 64].map(grouped), ["0", "999", "1,000", "18,446,744,073,709,551,616"]);
    }

    #[test]
    fn durations_use_the_largest_unit_of_which_they_have_two() {
        assert_eq!(long_time(0.25), "0.2 seconds");
        assert_eq!(long_time(600.0), "10 minutes");
        assert_eq!(long_time(86_400.0 * 3.0), "3.0 days");
        assert_eq!(long_time(31_557_600.0 * 292.0), "292 years");
    }
}
