//! The test cases of a check on byte strings: one for each integer type and decoder.

use super::disagreement::Disagreement;
use super::report::Report;
use crate::report::numbers::plural;
use crate::report::test_suite::{TestCase, TestOutcome, TestSuite};

impl Report {
    /// Returns the result as a suite of test cases, for continuous integration systems.
    ///
    /// There is a case for each integer type and decoder. Two more cases fail if there are
    /// disagreements that are not listed, and if not all strings were checked.
    pub fn test_suite(&self) -> TestSuite {
        let mut cases: Vec<TestCase> = Vec::new();
        for of_type in &self.types {
            for decoder in &of_type.decoders {
                let kernel = decoder.kernel.as_ref().map(|kernel| format!(", kernel {kernel}"));
                let name =
                    format!("{} by {}{}", of_type.value_type, decoder.decoder, kernel.unwrap_or_default());
                let own = self.first_disagreements.iter().filter(|disagreement| {
                    disagreement.value_type == of_type.value_type
                        && disagreement.decoder == decoder.decoder
                        && disagreement.kernel == decoder.kernel
                });
                cases.push(TestCase { name, outcome: outcome(&own.collect::<Vec<_>>()) });
            }
        }
        let more = self.disagreements.saturating_sub(self.first_disagreements.len() as u64);
        if more > 0 {
            let message = format!("{} are not listed", plural(more.into(), "disagreement"));
            let details =
                "Only the first disagreements are listed, and these may be in any of the other cases.";
            let outcome = TestOutcome::Failed { kind: "not_listed".into(), message, details: details.into() };
            cases.push(TestCase { name: "disagreements that are not listed".into(), outcome });
        }
        let completeness = match self.complete {
            true => TestOutcome::Passed,
            false => TestOutcome::Error {
                message: format!("only {} were checked", plural(self.strings.into(), "string")),
            },
        };
        cases.push(TestCase { name: "the sweep is complete".into(), outcome: completeness });
        let name = format!("sweep of byte strings up to {}", plural(self.len as u128, "byte"));
        TestSuite { name, seconds: self.seconds, cases }
    }
}

/// Returns the outcome of a case with these disagreements.
fn outcome(disagreements: &[&Disagreement]) -> TestOutcome {
    let Some((first, more)) = disagreements.split_first() else { return TestOutcome::Passed };
    let more = if more.is_empty() { String::new() } else { format!(", and {} more", more.len()) };
    TestOutcome::Failed {
        kind: "disagreement".into(),
        message: format!("{first}{more}"),
        details: disagreements.iter().map(ToString::to_string).collect::<Vec<_>>().join("\n"),
    }
}
