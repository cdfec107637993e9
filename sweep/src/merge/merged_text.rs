//! The text of a merged report.

use std::fmt;

use super::union::Merged;
use crate::numbers::plural;
use crate::report::conclusion;
use crate::report::printable::Printable;
use crate::report::sweep_report::Report;
use crate::report::text_report::{Text, body};

/// Displays a union of reports as text. Its last line takes the findings into account, which are
/// not listed themselves.
#[derive(Clone, Copy, Debug)]
pub struct MergedText<'m>(pub &'m Merged);

impl fmt::Display for MergedText<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let problems = plural(self.0.findings.len() as u128, "problem");
        match &self.0.report {
            None => writeln!(f, "FAILED: {problems} with the reports, none of which could be merged"),
            Some(report) if self.0.findings.is_empty() => Text(report).fmt(f),
            Some(report) => {
                Printable(Body(report)).fmt(f)?;
                let checked = format!("in {}", report.inputs(report.values));
                let failures = conclusion::count(report.failures);
                writeln!(f, "\nFAILED: {problems} with the reports; {failures} {checked}")
            }
        }
    }
}

/// The text of a report without its result.
struct Body<'r>(&'r Report);

impl fmt::Display for Body<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        body(f, self.0)
    }
}
