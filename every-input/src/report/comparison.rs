//! The reports of several codecs as text, with a table that compares them.

use std::fmt::{self, Display};

use crate::plan::mode::Mode;
use crate::report::sweep_report::Report;
use crate::report::table::table;
use crate::texts::{Printable, grouped};

impl Report {
    /// Displays the reports of several codecs as text: each report, and a table of their speed. The
    /// alternate form `{:#}` is coloured as that of a report.
    pub fn comparison(reports: &[Self]) -> impl Display {
        Comparison(reports)
    }
}

struct Comparison<'r>(&'r [Report]);

impl Display for Comparison<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for report in self.0 {
            report.fmt(f)?;
            writeln!(f)?;
        }
        // A failure is examined value by value, so the rate of a codec with failures says little.
        let rate_of = |report: &Report| {
            (report.complete && report.failures == 0).then_some(report.values_per_second.max(1e-9))
        };
        let rated = || self.0.iter().filter(|report| rate_of(report).is_some());
        // Drawing an input takes longer than counting to the next, so samples are compared with samples only.
        let mode = if rated().any(|report| report.mode == Mode::Exhaustive) {
            Mode::Exhaustive
        } else {
            Mode::Sample
        };
        let comparable = rated().filter(|report| report.mode == mode);
        let fastest = comparable.filter_map(rate_of).fold(0.0, f64::max);
        let mut rows = table(&["codec", "values/s", "relative time", "failures"]);
        for report in self.0 {
            let kernel = report.kernel.as_ref().map(|kernel| format!(", kernel {kernel}"));
            let rate = rate_of(report);
            let relative = rate.filter(|_| report.mode == mode).map(|rate| format!("{:.2}", fastest / rate));
            let rate = rate.map(|rate| grouped(rate as u128));
            let [rate, relative] = [rate, relative].map(|cell| cell.unwrap_or_else(|| "-".into()));
            let name = format!("{}{}", report.codec, kernel.unwrap_or_default());
            rows.add_row([Printable(name).to_string(), rate, relative, grouped(report.failures.into())]);
        }
        writeln!(f, "{}", rows.trim_fmt())?;
        if rated().any(|report| report.mode != mode) {
            let noun = self.0[0].noun();
            writeln!(
                f,
                "\nno relative time for samples: drawing a {noun} takes longer than counting to the next, as \
                 exhaustive sweeps do"
            )?;
        }
        Ok(())
    }
}
