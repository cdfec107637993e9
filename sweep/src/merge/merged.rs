//! What a merge returns: the union of the reports, its text and test cases, and the reasons why it is
//! not complete and clean.

use std::fmt;

use crate::error::FileError;
use crate::numbers::plural;
use crate::plan::interval::{self, Interval, Ranges};
use crate::report::conclusion::{Outcome, count};
use crate::report::junit::{Case, CaseOutcome, Document, Suite};
use crate::report::printable::Printable;
use crate::report::sweep_report::Report;
use crate::report::text_report::Body;

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
                let (failures, checked) = (count(report.failures), report.inputs(report.values));
                writeln!(f, " {problems} with the reports; {failures} in {checked}")
            }
        }
    }
}

/// Returns the case of a file, which passes if its shard is complete and without failures.
pub(super) fn shard_case(file: &str, read: &Result<Report, FileError>) -> Case {
    let outcome = match read {
        Err(error) => CaseOutcome::Error(error.to_string()),
        Ok(report) => outcome(report),
    };
    Case { name: file.to_owned(), outcome }
}

impl Merged {
    /// Returns the result as JUnit XML: a test case for each file, and one more that fails if values
    /// are missing. A file that was not merged, or that overlaps another one, is an error.
    pub fn junit(&self) -> String {
        let mut cases = self.cases.clone();
        let mut missing = Vec::new();
        for finding in &self.findings {
            match finding {
                Finding::Unreadable(_) => {} // is an error already
                Finding::Unrelated { file, .. }
                | Finding::Duplicate { file, .. }
                | Finding::Overlap { file, .. } => {
                    let outcome = CaseOutcome::Error(finding.to_string());
                    // A failure of the codec is more important.
                    let own = cases.iter_mut().rfind(|case| case.name == *file);
                    match own.filter(|case| !matches!(case.outcome, CaseOutcome::Failed { .. })) {
                        Some(case) => case.outcome = outcome,
                        None => missing.push(finding.to_string()),
                    }
                }
                Finding::Gap { .. } | Finding::Shards { .. } => missing.push(finding.to_string()),
            }
        }
        let outcome = match (self.report.is_some(), missing.is_empty()) {
            (false, _) => CaseOutcome::Error("no report could be merged".into()),
            (true, true) => CaseOutcome::Passed,
            (true, false) => CaseOutcome::Error(missing.join("; ")),
        };
        cases.push(Case { name: "all shards were merged".into(), outcome });
        let name = self.report.as_ref().map_or("sweep merge".into(), |report| {
            format!("shards of the sweep of {} by codec {}", report.value_type, report.codec)
        });
        let seconds = self.report.as_ref().map_or(0.0, |report| report.seconds);
        Document(vec![Suite { name, seconds, cases }]).to_string()
    }
}

/// Returns the outcome of the case of a shard.
fn outcome(report: &Report) -> CaseOutcome {
    let shard = report.shard.as_ref().map(|shard| format!("shard {shard}: ")).unwrap_or_default();
    if report.failures > 0 {
        let failures = plural(report.failures.into(), "failure");
        return CaseOutcome::Failed {
            kind: "failures".into(),
            message: format!("{shard}{failures} in {}", report.inputs(report.values)),
            details: report.first_failures.iter().map(ToString::to_string).collect::<Vec<_>>().join("\n"),
        };
    }
    if !report.complete {
        return CaseOutcome::Error(format!("{shard}the sweep is not complete"));
    }
    CaseOutcome::Passed
}

/// One problem with a union.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Finding {
    /// A file that is not a report, or a report that contradicts itself.
    Unreadable(FileError),
    /// A report of another sweep, which is ignored.
    Unrelated {
        /// The name of the file.
        file: String,
        /// How it differs from the other reports.
        differs: String,
        /// The values that it covers.
        covered: Vec<Interval>,
    },
    /// A report that covers the same values as another one, or is of the same shard of a sample. It
    /// is ignored.
    Duplicate {
        /// The name of the file.
        file: String,
        /// The name of the other file.
        of: String,
        /// The values that it covers.
        covered: Vec<Interval>,
    },
    /// Values that two reports cover.
    Overlap {
        /// The name of the later file.
        file: String,
        /// The name of the earlier file.
        with: String,
        /// The values.
        values: Vec<Interval>,
    },
    /// Values of the plan that no report covers.
    Gap {
        /// The values.
        values: Vec<Interval>,
    },
    /// Shards without a report, or with an unfinished one only.
    Shards {
        /// The shards, as K/N, with several K as 1-3,5.
        missing: String,
    },
}

impl Finding {
    /// Returns whether a file cannot be merged, because it is unreadable or of another sweep.
    pub fn is_mismatch(&self) -> bool {
        matches!(self, Self::Unreadable(_) | Self::Unrelated { .. })
    }
}

impl fmt::Display for Finding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let values_of = |values: &[Interval]| {
            format!("{} ({})", Ranges(values), plural(interval::count(values), "value"))
        };
        let text = match self {
            Self::Unreadable(error) => error.to_string(),
            Self::Unrelated { file, differs, covered } => {
                let covered = Ranges(covered);
                format!("'{file}': unrelated shard, ignored ({differs}; it covers {covered})")
            }
            Self::Duplicate { file, of, covered } => {
                format!("'{file}': duplicate of '{of}', ignored (it covers {})", Ranges(covered))
            }
            Self::Overlap { file, with, values } => {
                let values = values_of(values);
                format!("overlap: '{file}' and '{with}' both cover {values}; leave one of them out")
            }
            Self::Gap { values } => format!("gap: no report covers {}", values_of(values)),
            Self::Shards { missing } => {
                format!("shard {missing}: missing or unfinished; run it, or resume its checkpoint")
            }
        };
        // Names are as they are in the files, control characters included.
        Printable(text).fmt(f)
    }
}
