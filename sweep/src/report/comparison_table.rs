//! The table of a comparison: its cells, and its forms in Markdown and CSV.

use std::fmt;

use super::comparison_report::{ComparedCodec, ComparisonReport};
use super::numbers::grouped;
use super::printable::Printable;

/// The column headings for people.
pub(super) const HEADING: [&str; 6] = ["codec", "values/s", "min", "max", "relative time", "failures"];
/// The column headings of the CSV file.
const CSV_HEADING: &str = "codec,kernel,median_values_per_second,min_values_per_second,\
                           max_values_per_second,relative_time,values,failures,complete";

/// Returns the name of a codec, with its kernel.
pub(super) fn name_of(codec: &ComparedCodec) -> String {
    match &codec.report.kernel {
        Some(kernel) => format!("{}, kernel {kernel}", codec.report.codec),
        None => codec.report.codec.clone(),
    }
}

/// Returns the cells of a codec in the columns of [`HEADING`].
pub(super) fn row_of(codec: &ComparedCodec) -> [String; 6] {
    let rate = |rate: f64| grouped(rate as u128);
    let failures = grouped(codec.report.failures.into());
    match &codec.speed {
        Some(speed) => [
            name_of(codec),
            rate(speed.median_values_per_second),
            rate(speed.min_values_per_second),
            rate(speed.max_values_per_second),
            format!("{:.2}", speed.relative_time),
            failures,
        ],
        None => [name_of(codec), "-".into(), "-".into(), "-".into(), "-".into(), failures],
    }
}

/// Displays the table of a comparison in Markdown.
#[derive(Clone, Copy, Debug)]
pub struct Markdown<'r>(pub &'r ComparisonReport);

impl fmt::Display for Markdown<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "| {} |", HEADING.join(" | "))?;
        writeln!(f, "|---|--:|--:|--:|--:|--:|")?;
        for codec in &self.0.codecs {
            let [name, numbers @ ..] = row_of(codec);
            writeln!(f, "| {} | {} |", code_span(&Printable(name).to_string()), numbers.join(" | "))?;
        }
        Ok(())
    }
}

/// Returns the text as a code span for a cell. Its fence is longer than any run of backticks in the
/// text.
fn code_span(text: &str) -> String {
    let longest = text.split(|char| char != '`').map(str::len).max().unwrap_or(0);
    let fence = "`".repeat(longest + 1);
    let space = if longest > 0 { " " } else { "" };
    // A table is split into cells before code spans are recognized.
    let text = text.replace('|', "\\|").replace('\n', " ");
    format!("{fence}{space}{text}{space}{fence}")
}

/// Displays the table of a comparison as comma-separated values, as in RFC 4180.
#[derive(Clone, Copy, Debug)]
pub struct Csv<'r>(pub &'r ComparisonReport);

impl fmt::Display for Csv<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{CSV_HEADING}\r\n")?;
        for ComparedCodec { speed, report } in &self.0.codecs {
            let kernel = report.kernel.as_deref().unwrap_or_default();
            write!(f, "{},{}", field(&report.codec), field(kernel))?;
            match speed {
                Some(speed) => write!(
                    f,
                    ",{},{},{},{}",
                    speed.median_values_per_second,
                    speed.min_values_per_second,
                    speed.max_values_per_second,
                    speed.relative_time
                )?,
                None => write!(f, ",,,,")?,
            }
            write!(f, ",{},{},{}\r\n", report.values, report.failures, report.complete)?;
        }
        Ok(())
    }
}

/// Returns a text as a field of a CSV file.
fn field(text: &str) -> String {
    let is_plain = !text.contains(['"', ',', '\n', '\r']);
    if is_plain { text.to_owned() } else { format!("\"{}\"", text.replace('"', "\"\"")) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fields_with_separators_are_quoted() {
        assert_eq!(field("exec: ./a"), "exec: ./a");
        assert_eq!(field("exec: sh -c \"a, b\""), "\"exec: sh -c \"\"a, b\"\"\"");
    }

    #[test]
    fn code_spans_keep_backticks_and_the_cells_of_the_table() {
        assert_eq!(code_span("bulk"), "`bulk`");
        assert_eq!(code_span("a | b"), "`a \\| b`");
        assert_eq!(code_span("`x` ``y"), "``` `x` ``y ```");
    }
}
