//! The reports of several codecs as text.

use std::fmt;

use super::printable::Printable;
use super::sweep_report::Report;
use super::text_report::{right, table};
use crate::numbers::grouped;

/// Displays the reports of several codecs as text: each report, and a table of their speed.
#[derive(Clone, Copy, Debug)]
pub struct ComparisonText<'r>(pub &'r [Report]);

impl fmt::Display for ComparisonText<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for report in self.0 {
            report.fmt(f)?;
            writeln!(f)?;
        }
        // A failure is examined value by value, so the rate of a codec with failures says little.
        let rate_of = |report: &Report| {
            (report.complete && report.failures == 0).then_some(report.values_per_second.max(1e-9))
        };
        let fastest = self.0.iter().filter_map(rate_of).fold(0.0, f64::max);
        let mut rows = table(&["codec", "values/s", "relative time", "failures"]);
        for report in self.0 {
            let kernel = report.kernel.as_ref().map(|kernel| format!(", kernel {kernel}"));
            let [rate, relative] = rate_of(report).map_or(["-".into(), "-".into()], |rate| {
                [grouped(rate as u128), format!("{:.2}", fastest / rate)]
            });
            let name = format!("{}{}", report.codec, kernel.unwrap_or_default());
            rows.add_row([Printable(name).to_string(), rate, relative, grouped(report.failures.into())]);
        }
        writeln!(f, "{}", right(rows))
    }
}
