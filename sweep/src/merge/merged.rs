//! What a merge returns: the union of the reports, its text and test cases, and the reasons why it is
//! not complete and clean.

use std::fmt;

use crate::error::FileError;
use crate::plan::interval::Interval;
use crate::report::junit::{Case, Document, Problem, Suite};
use crate::report::sweep_report::Report;
use crate::report::text_report::{Body, Outcome, number_of};
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
    /// The test case of each file.
    pub(super) cases: Vec<Case>,
}

/// Displays the report. The last line takes the findings into account, which are not listed themselves.
impl fmt::Display for Merged {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let problems = plural(self.findings.len() as u128, "problem");
        match &self.report {
            None => {
                Outcome::Failed.fmt(f)?;
                writeln!(f, " {problems} with the reports, none of which could be merged")
            }
            Some(report) if self.findings.is_empty() => report.fmt(f),
            Some(report) => {
                writeln!(f, "{}", Printable(Body(report)))?;
                Outcome::Failed.fmt(f)?;
                let (failures, checked) = (number_of(report.failures), report.inputs(report.values));
                writeln!(f, " {problems} with the reports; {failures} in {checked}")
            }
        }
    }
}

/// Returns the case of a file, which passes if its shard is complete and without failures.
pub(super) fn shard_case(file: &str, read: &Result<Report, FileError>) -> Case {
    let problem = match read {
        Err(error) => Some(Problem::error(error.to_string())),
        Ok(report) => report.failed().or_else(|| report.completeness()),
    };
    Case { name: file.to_owned(), problem }
}

impl Merged {
    /// Returns the result as JUnit XML: a test case for each file, and one more that fails if values
    /// are missing. A file that was not merged, or that overlaps another one, is an error.
    pub fn junit(&self) -> String {
        let mut cases = self.cases.clone();
        let mut missing = Vec::new();
        // The case of an unreadable file is an error already.
        for finding in self.findings.iter().filter(|finding| finding.kind != FindingKind::Unreadable) {
            // A failure of the codec is more important.
            let is_own = |case: &&mut Case| finding.file.as_ref() == Some(&case.name);
            let own = cases.iter_mut().rfind(is_own);
            match own.filter(|case| !case.problem.as_ref().is_some_and(Problem::is_failure)) {
                Some(case) => case.problem = Some(Problem::error(finding.to_string())),
                None => missing.push(finding.to_string()),
            }
        }
        let problem = match self.report.is_some() {
            false => Some(Problem::error("no report could be merged")),
            true => (!missing.is_empty()).then(|| Problem::error(missing.join("; "))),
        };
        cases.push(Case { name: "all shards were merged".into(), problem });
        let name = self.report.as_ref().map_or("sweep merge".into(), |report| {
            format!("shards of the sweep of {} by codec {}", report.value_type, report.codec)
        });
        let seconds = self.report.as_ref().map_or(0.0, |report| report.seconds);
        Document(vec![Suite { name, seconds, cases }]).to_string()
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
