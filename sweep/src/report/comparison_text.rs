//! The report of a comparison as text.

use std::fmt;

use super::alignment::{right, table};
use super::comparison_report::{ComparedCodec, ComparisonReport, RoundScope};
use super::conclusion;
use super::printable::Printable;
use crate::numbers::{grouped, plural};
use crate::plan::interval::count;

/// The column headings.
const HEADING: [&str; 6] = ["codec", "values/s", "min", "max", "relative time", "failures"];

/// Displays a comparison as text: the table, the failures of each codec, and the result.
#[derive(Clone, Copy, Debug)]
pub struct ComparisonText<'r>(pub &'r ComparisonReport);

impl fmt::Display for ComparisonText<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        Printable(Unfiltered(self.0)).fmt(f)
    }
}

/// The text with names and messages as they are in the report, control characters included.
struct Unfiltered<'r>(&'r ComparisonReport);

impl fmt::Display for Unfiltered<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let report = self.0;
        writeln!(
            f,
            "comparison of {} on {}\n",
            plural(report.codecs.len() as u128, "codec"),
            report.value_type
        )?;
        let mut rows = table(&HEADING);
        for codec in &report.codecs {
            rows.add_row(row_of(codec));
        }
        let mut text = right(rows);
        text.push('\n');
        f.write_str(&text)?;
        method(f, report)?;
        for codec in &report.codecs {
            let own = &codec.report;
            if own.failures > 0 || !own.complete {
                writeln!(
                    f,
                    "\n{}: {} in {}",
                    name_of(codec),
                    plural(own.failures.into(), "failure"),
                    plural(own.values, "value")
                )?;
            }
            own.first_failures.iter().try_for_each(|failure| writeln!(f, "  {failure}"))?;
            let more = own.failures.saturating_sub(own.first_failures.len() as u64);
            if more > 0 {
                writeln!(f, "  and {} more", grouped(more.into()))?;
            }
            conclusion::ending(f, own)?;
        }
        result(f, report)
    }
}

/// Returns the name of a codec, with its kernel.
fn name_of(codec: &ComparedCodec) -> String {
    match &codec.report.kernel {
        Some(kernel) => format!("{}, kernel {kernel}", codec.report.codec),
        None => codec.report.codec.clone(),
    }
}

/// Returns the cells of a codec in the columns of [`HEADING`].
fn row_of(codec: &ComparedCodec) -> [String; 6] {
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

/// Writes which values were checked, and how the speed was measured.
fn method(f: &mut fmt::Formatter<'_>, report: &ComparisonReport) -> fmt::Result {
    let Some(first) = report.codecs.first().map(|codec| &codec.report) else { return Ok(()) };
    match &first.repeat {
        Some(options) => {
            writeln!(f, "\nvalues for each codec: the boundaries and a random sample (to repeat: {options})")?
        }
        None => writeln!(f, "\nvalues for each codec: all {}", grouped(count(&first.plan)))?,
    }
    let scope = match report.each_round {
        RoundScope::Shard => "each with other values",
        RoundScope::Plan => "each with all values",
    };
    writeln!(
        f,
        "speed: median, minimum and maximum of {}, {scope}; the codecs took turns on {}, {:.2} s in all",
        plural(report.rounds.into(), "round"),
        plural(report.threads as u128, "thread"),
        report.seconds,
    )
}

fn result(f: &mut fmt::Formatter<'_>, report: &ComparisonReport) -> fmt::Result {
    let codecs = plural(report.codecs.len() as u128, "codec");
    match report.failing_codecs {
        0 if report.complete => writeln!(f, "\nOK: no failure of {codecs}"),
        0 => writeln!(f, "\nINCOMPLETE: no failure of {codecs}"),
        failing => writeln!(f, "\nFAILED: {failing} of {codecs}"),
    }
}
