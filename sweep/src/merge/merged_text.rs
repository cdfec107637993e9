//! The text of a merged report.

use std::fmt;

use super::union::Merged;
use crate::numbers::plural;
use crate::report::conclusion::{Outcome, count};
use crate::report::printable::Printable;
use crate::report::text_report::{Body, Text};

/// Displays a union of reports as text. Its last line takes the findings into account, which are
/// not listed themselves.
#[derive(Clone, Copy, Debug)]
pub struct MergedText<'m>(pub &'m Merged);

impl fmt::Display for MergedText<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let problems = plural(self.0.findings.len() as u128, "problem");
        match &self.0.report {
            None => {
                Outcome::Failed.fmt(f)?;
                writeln!(f, " {problems} with the reports, none of which could be merged")
            }
            Some(report) if self.0.findings.is_empty() => Text(report).fmt(f),
            Some(report) => {
                writeln!(f, "{}", Printable(Body(report)))?;
                Outcome::Failed.fmt(f)?;
                let (failures, checked) = (count(report.failures), report.inputs(report.values));
                writeln!(f, " {problems} with the reports; {failures} in {checked}")
            }
        }
    }
}
