//! The test cases of a sweep: one for the boundaries and each stratum of a sample, or one for each
//! encoded length of an exhaustive sweep.

use std::fmt;

use super::conclusion;
use super::numbers::{grouped, plural};
use super::sweep_report::{Ending, Report};
use super::test_suite::{TestCase, TestOutcome, TestSuite};
use crate::check::failure::Failure;
use crate::check::oracle;
use crate::plan::integer::Kind;
use crate::plan::interval;
use crate::plan::mode::Mode;
use crate::plan::sample;

impl Report {
    /// Returns the result as a suite of test cases, for continuous integration systems.
    ///
    /// A sample has a case for the values near boundaries, and one for the random values of each
    /// encoded length and sign. An exhaustive sweep has one for each encoded length. Two more cases
    /// fail if there are failures that are not listed, and if not all values were checked. So a
    /// suite without failures and errors is a complete sweep without failures.
    ///
    /// ```
    /// use varint_sweep::{Sweep, TestSuites, codec_from_fns};
    ///
    /// let one_byte = codec_from_fns(
    ///     "one byte",
    ///     |value: u8, dst: &mut [u8]| Ok({ dst[0] = value; 1 }),
    ///     |src: &[u8]| Ok((src[0], 1)),
    /// );
    /// let report = Sweep::new().run(&one_byte)?;
    /// let xml = TestSuites(vec![report.test_suite()]).to_string();
    /// assert!(xml.contains("128: wrong bytes: expected 8001, got 80"));
    /// # Ok::<(), varint_sweep::SweepError>(())
    /// ```
    pub fn test_suite(&self) -> TestSuite {
        let mut cases = match self.mode {
            Mode::Exhaustive => self.length_cases(),
            Mode::Sample => self.stratum_cases(),
        };
        let more = self.failures.saturating_sub(self.first_failures.len() as u64);
        if more > 0 {
            let message = format!("{} are not listed", plural(more.into(), "failure"));
            let details = "Only the first failures are listed, and these may be in any of the other cases.";
            let outcome = TestOutcome::Failed { kind: "not_listed".into(), message, details: details.into() };
            cases.push(TestCase { name: "failures that are not listed".into(), outcome });
        }
        cases.push(TestCase { name: "the sweep is complete".into(), outcome: self.completeness() });
        TestSuite { name: self.title(), seconds: self.seconds, cases }
    }

    fn title(&self) -> String {
        let mut title = format!("sweep of {} by codec {}", self.value_type, self.codec);
        for (noun, name) in [("kernel", &self.kernel), ("shard", &self.shard)] {
            title.extend(name.iter().map(|name| format!(", {noun} {name}")));
        }
        title
    }

    fn length_cases(&self) -> Vec<TestCase> {
        let planned = Kind::by_name(&self.value_type).map(|kind| sample::lengths(kind, &self.plan));
        let lengths = (0..).zip(planned.unwrap_or_default()).filter(|&(_, values)| values > 0);
        let cases = lengths.map(|(length, _)| {
            let checked = self.by_length.get(&length).copied().unwrap_or(0);
            let failures = self.first_failures.iter().filter(|failure| self.stratum(failure).0 == length);
            self.case(format!("values of {}", plural(length as u128, "byte")), checked.into(), failures)
        });
        cases.collect()
    }

    fn stratum_cases(&self) -> Vec<TestCase> {
        let at_boundary = |failure: &&Failure| {
            // A draw that hits a value near a boundary needs no case of its own.
            failure.value.parse().is_ok_and(|value| interval::contains(&self.covered, value))
        };
        let failures = self.first_failures.iter().filter(at_boundary);
        let checked = interval::count(&self.covered);
        let boundaries = self.case("values near boundaries, and short encodings".into(), checked, failures);
        let strata = self.strata.iter().map(|stratum| {
            let sign = if stratum.negative { "-" } else { "+" };
            let key = (stratum.length, stratum.negative);
            let drawn = self.first_failures.iter().filter(|failure| !at_boundary(failure));
            self.case(
                format!("random values of {} bytes, sign {sign}", stratum.length),
                stratum.sampled.into(),
                drawn.filter(|failure| self.stratum(failure) == key),
            )
        });
        [boundaries].into_iter().chain(strata).collect()
    }

    /// Returns the encoded length of the value that failed, and whether it is negative.
    fn stratum(&self, failure: &Failure) -> (usize, bool) {
        let value: i128 = failure.value.parse().unwrap_or_default();
        let is_signed = Kind::by_name(&self.value_type).is_some_and(|kind| kind.signed);
        (oracle::encode(value, is_signed, &mut [0; oracle::MAX_LEN]), value < 0)
    }

    fn case<'f>(&self, name: String, checked: u128, failures: impl Iterator<Item = &'f Failure>) -> TestCase {
        let failures: Vec<&Failure> = failures.collect();
        let outcome = match failures.first() {
            Some(first) => failed(first, &failures),
            None if checked == 0 && !self.complete => {
                TestOutcome::Skipped { message: "no value was checked before the sweep ended".into() }
            }
            None => TestOutcome::Passed,
        };
        TestCase { name, outcome }
    }

    fn completeness(&self) -> TestOutcome {
        if self.complete {
            return TestOutcome::Passed;
        }
        let why = Why { listed: self.first_failures.len(), ending: self.ending, failures: self.failures }
            .to_string();
        let values = plural(self.values, "value");
        TestOutcome::Error { message: format!("only {values} were checked: {}", why.trim()) }
    }
}

/// Returns the outcome of a case with these failures.
fn failed(first: &Failure, failures: &[&Failure]) -> TestOutcome {
    let kind = serde_json::to_value(first.kind).ok();
    let more = match failures.len() as u128 - 1 {
        0 => String::new(),
        more => format!(", and {} more", grouped(more)),
    };
    TestOutcome::Failed {
        kind: kind.as_ref().and_then(|kind| kind.as_str()).unwrap_or_default().to_owned(),
        message: format!("{first}{more}"),
        details: failures.iter().map(ToString::to_string).collect::<Vec<_>>().join("\n"),
    }
}

/// Displays why a sweep ended early.
struct Why {
    listed: usize,
    ending: Ending,
    failures: u64,
}

impl fmt::Display for Why {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        conclusion::ending(f, "failure", self.listed, self.failures, self.ending)
    }
}
