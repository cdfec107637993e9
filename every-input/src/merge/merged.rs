//! What a merge returns: the union of the reports, its text and test cases, and the reasons why it is
//! not complete and clean.

use std::fmt;

use crate::plan::interval::Interval;
use crate::report::junit::{Problem, document};
use crate::report::outcome::{Outcome, number_of};
use crate::report::sweep_report::Report;
use crate::report::text_report::Body;
use crate::texts::{Printable, plural};

/// A union of reports.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Merged {
    /// The union as a report, which can be merged again; `None` if no file could be merged.
    pub report: Option<Report>,
    /// The reasons why the union is not complete and clean. Failures of the codec are in the
    /// report.
    pub findings: Vec<Finding>,
}

/// Displays the report, which is incomplete if values or shards are missing. The last line also counts the
/// findings if there are others. They are not listed themselves.
impl fmt::Display for Merged {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let problems = plural(self.findings.len() as u128, "problem");
        match &self.report {
            None => {
                Outcome::Failed.fmt(f)?;
                writeln!(f, " {problems} with the reports, none of which could be merged")
            }
            Some(report) if self.findings.iter().all(Finding::is_missing) => report.fmt(f),
            Some(report) => {
                writeln!(f, "{}", Printable(Body(report)))?;
                Outcome::Failed.fmt(f)?;
                let (failures, checked) = (number_of(report.failures), report.inputs(report.values));
                writeln!(f, " {problems} with the reports; {failures} in {checked}")
            }
        }
    }
}

impl Merged {
    /// Returns the result as JUnit XML: that of the union, with the findings among its
    /// [`errors`](Report::errors).
    pub fn junit(&self) -> String {
        let findings = self.findings.iter().map(ToString::to_string);
        match self.report.clone() {
            Some(report) => Report::junit(&[Report { errors: findings.collect(), ..report }]),
            None => {
                let problem = Problem::error(findings.collect::<Vec<_>>().join("; "));
                document([("sweep merge".into(), 0.0, vec![("reports are merged".into(), Some(problem))])])
            }
        }
    }
}

/// One problem with a union. It is displayed as a message.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Finding {
    /// The kind of problem.
    pub kind: FindingKind,
    /// The name of the file, if it is about one.
    pub file: Option<String>,
    /// The values that no report covers, that two reports cover, or that an ignored report covers.
    pub values: Vec<Interval>,
    pub(super) message: String,
}

/// The kind of a [`Finding`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum FindingKind {
    /// A file that is not a report, or a report that contradicts itself.
    Unreadable,
    /// A report of another sweep, which is ignored.
    Unrelated,
    /// A report that covers the same values as another one, or is of the same shard of a sample. It
    /// is ignored.
    Duplicate,
    /// A report that covers values of an earlier one too.
    Overlap,
    /// Values of the plan that no report covers.
    Gap,
    /// Shards without a report, or with an unfinished one only.
    Shards,
}

impl Finding {
    pub(super) fn new(kind: FindingKind, file: Option<&str>, values: Vec<Interval>, message: String) -> Self {
        Self { kind, file: file.map(str::to_owned), values, message }
    }

    /// Returns whether a part of the sweep is not done, which is no fault of the reports.
    pub(super) fn is_missing(&self) -> bool {
        matches!(self.kind, FindingKind::Gap | FindingKind::Shards)
    }

    /// Returns whether a file cannot be merged, because it is unreadable or of another sweep.
    pub fn is_mismatch(&self) -> bool {
        matches!(self.kind, FindingKind::Unreadable | FindingKind::Unrelated)
    }
}

impl fmt::Display for Finding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // Names are as they are in the files, control characters included.
        Printable(&self.message).fmt(f)
    }
}
