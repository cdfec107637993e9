//! The test cases of a merge: one for each file.

use super::finding::Finding;
use super::union::Merged;
use crate::error::FileError;
use crate::numbers::plural;
use crate::report::sweep_report::Report;
use crate::report::test_suite::{TestCase, TestOutcome, TestSuite};

/// The test cases of the files that are merged, for continuous integration systems.
///
/// ```
/// use every_input::merge::{ShardCases, merge_reports, read_report};
///
/// let mut cases = ShardCases::default();
/// let read = ["no-such-file.json"].map(|file| (file.to_owned(), read_report(file.as_ref())));
/// let merged = merge_reports(read.into_iter().inspect(|(file, report)| cases.add(file, report)));
/// let suite = cases.suite(&merged);
/// assert_eq!((suite.cases[0].name.as_str(), suite.cases.len()), ("no-such-file.json", 2));
/// ```
#[derive(Clone, Debug, Default)]
pub struct ShardCases(Vec<TestCase>);

impl ShardCases {
    /// Adds the case of a file, which passes if its shard is complete and without failures.
    pub fn add(&mut self, file: &str, read: &Result<Report, FileError>) {
        let outcome = match read {
            Err(error) => TestOutcome::Error { message: error.to_string() },
            Ok(report) => outcome(report),
        };
        self.0.push(TestCase { name: file.to_owned(), outcome });
    }

    /// Returns the suite of all cases, and one more that fails if values are missing. A file that
    /// was not merged, or that overlaps another one, is an error.
    pub fn suite(mut self, merged: &Merged) -> TestSuite {
        let mut missing = Vec::new();
        for finding in &merged.findings {
            match finding {
                Finding::Unreadable(_) => {} // is an error already
                Finding::Unrelated { file, .. }
                | Finding::Duplicate { file, .. }
                | Finding::Overlap { file, .. } => {
                    let outcome = TestOutcome::Error { message: finding.to_string() };
                    // A failure of the codec is more important.
                    let own = self.0.iter_mut().rfind(|case| case.name == *file);
                    match own.filter(|case| !matches!(case.outcome, TestOutcome::Failed { .. })) {
                        Some(case) => case.outcome = outcome,
                        None => missing.push(finding.to_string()),
                    }
                }
                Finding::Gap { .. } | Finding::Shards { .. } => missing.push(finding.to_string()),
            }
        }
        let outcome = match (merged.report.is_some(), missing.is_empty()) {
            (false, _) => TestOutcome::Error { message: "no report could be merged".into() },
            (true, true) => TestOutcome::Passed,
            (true, false) => TestOutcome::Error { message: missing.join("; ") },
        };
        self.0.push(TestCase { name: "all shards were merged".into(), outcome });
        let name = merged.report.as_ref().map_or("sweep merge".into(), |report| {
            format!("shards of the sweep of {} by codec {}", report.value_type, report.codec)
        });
        let seconds = merged.report.as_ref().map_or(0.0, |report| report.seconds);
        TestSuite { name, seconds, cases: self.0 }
    }
}

/// Returns the outcome of the case of a shard.
fn outcome(report: &Report) -> TestOutcome {
    let shard = report.shard.as_ref().map(|shard| format!("shard {shard}: ")).unwrap_or_default();
    if report.failures > 0 {
        let failures = plural(report.failures.into(), "failure");
        return TestOutcome::Failed {
            kind: "failures".into(),
            message: format!("{shard}{failures} in {}", report.inputs(report.values)),
            details: report.first_failures.iter().map(ToString::to_string).collect::<Vec<_>>().join("\n"),
        };
    }
    if !report.complete {
        return TestOutcome::Error { message: format!("{shard}the sweep is not complete") };
    }
    TestOutcome::Passed
}
