//! The test cases of a sweep: one for the boundaries and each stratum of a sample, or one for each
//! encoded length of an exhaustive sweep.

use std::collections::BTreeMap;

use super::conclusion;
use super::junit::{Case, CaseOutcome, Document, Suite};
use super::sweep_report::Report;
use crate::check::failure::Failure;
use crate::numbers::{grouped, plural};
use crate::plan::interval::{self, Interval};
use crate::plan::mode::Mode;
use crate::plan::sample;
use crate::plan::space::DynSpace;

impl Report {
    /// Returns the results of sweeps as JUnit XML, for continuous integration systems.
    ///
    /// A sample has a case for the values near boundaries, and one for the random values of each
    /// encoded length and sign. An exhaustive sweep has one for each encoded length. Two more cases
    /// fail if there are failures that are not listed, and if not all values were checked. So a
    /// suite without failures and errors is a complete sweep without failures.
    ///
    /// ```
    /// use every_input::{Report, Sweep, all, codec_from_fns};
    ///
    /// let one_byte = codec_from_fns(
    ///     "one byte",
    ///     |value: u8, dst: &mut [u8]| Ok({ dst[0] = value; 1 }),
    ///     |src: &[u8]| Ok((src[0], 1)),
    /// );
    /// let report = Sweep::of(all()).run(&one_byte)?;
    /// let xml = Report::junit(&[report]);
    /// assert!(xml.contains("128..=255 (128 inputs): wrong bytes: expected 8001, got 80 for 128"));
    /// # Ok::<(), every_input::SweepError>(())
    /// ```
    pub fn junit(reports: &[Self]) -> String {
        Document(reports.iter().map(Self::test_suite).collect()).to_string()
    }

    fn test_suite(&self) -> Suite {
        let classes = self.few_classes();
        let mut cases = match self.mode {
            _ if classes.is_empty() => {
                vec![self.case(format!("{}s", self.noun()), self.values, &self.first_failures)]
            }
            Mode::Exhaustive => self.class_cases(classes),
            Mode::Sample => self.stratum_cases(),
        };
        let more = self.unlisted();
        if more > 0 {
            let message = format!("{} are not listed", plural(more.into(), "failure"));
            let details = "Only the first failures are listed, and these may be in any of the other cases.";
            let outcome = CaseOutcome::Failed { kind: "not_listed".into(), message, details: details.into() };
            cases.push(Case { name: "failures that are not listed".into(), outcome });
        }
        cases.push(Case { name: "the sweep is complete".into(), outcome: self.completeness() });
        Suite { name: self.title(), seconds: self.seconds, cases }
    }

    fn class_cases(&self, mut classes: BTreeMap<usize, (Option<String>, Vec<Interval>)>) -> Vec<Case> {
        classes.retain(|_, (_, inputs)| !interval::intersection(inputs, &self.plan).is_empty());
        let space = self.known_space();
        let case = |(length, (name, inputs)): (usize, (Option<String>, Vec<Interval>))| {
            let checked = self.by_length.get(&length).copied().unwrap_or(0);
            let name = name.map_or_else(|| plural(length as u128, "byte"), |name| format!("class {name}"));
            let among =
                self.first_failures.iter().filter(|failure| is_among(failure, &inputs, space.as_deref()));
            self.case(format!("{}s of {name}", self.noun()), checked.into(), among)
        };
        classes.into_iter().map(case).collect()
    }

    fn stratum_cases(&self) -> Vec<Case> {
        let space = self.known_space();
        // A draw that hits a value near a boundary needs no case of its own.
        let (boundary, drawn): (Vec<_>, Vec<_>) = self
            .first_failures
            .iter()
            .partition(|failure| is_among(failure, &self.covered, space.as_deref()));
        let name = format!("{}s near boundaries, and short ones", self.noun());
        let boundaries = self.case(name, interval::count(&self.covered), boundary);
        let strata = space.as_deref().map(|space| sample::divide(space, &self.plan).1);
        let strata = self.strata.iter().zip(strata.unwrap_or_default()).map(|(stratum, part)| {
            let sign = if stratum.negative { "-" } else { "+" };
            let name = match &stratum.class {
                Some(class) => format!("random {}s of class {class}", self.noun()),
                None => format!("random {}s of {} bytes, sign {sign}", self.noun(), stratum.length),
            };
            let among =
                drawn.iter().copied().filter(|failure| is_among(failure, &part.intervals, space.as_deref()));
            self.case(name, stratum.sampled.into(), among)
        });
        [boundaries].into_iter().chain(strata).collect()
    }

    fn case<'f>(&self, name: String, checked: u128, failures: impl IntoIterator<Item = &'f Failure>) -> Case {
        let failures: Vec<&Failure> = failures.into_iter().collect();
        let outcome = match failures.first() {
            Some(first) => failed(first, &failures),
            None if checked == 0 && !self.complete => {
                CaseOutcome::Skipped(format!("no {} was checked before the sweep ended", self.noun()))
            }
            None => CaseOutcome::Passed,
        };
        Case { name, outcome }
    }

    fn completeness(&self) -> CaseOutcome {
        if self.complete {
            return CaseOutcome::Passed;
        }
        let (inputs, why) = (self.inputs(self.values), conclusion::ending(self).unwrap_or_default());
        CaseOutcome::Error(format!("only {inputs} were checked: {why}"))
    }
}

/// Returns whether any input of a failure in this space is among `inputs`. A range of failures may
/// have inputs of several classes.
fn is_among(failure: &Failure, inputs: &[Interval], space: Option<&dyn DynSpace>) -> bool {
    let failing = space.and_then(|space| failure.inputs_in(space));
    failing.is_some_and(|failing| !interval::intersection(&[failing], inputs).is_empty())
}

/// Returns the outcome of a case with these failures.
fn failed(first: &Failure, failures: &[&Failure]) -> CaseOutcome {
    let kind = serde_json::to_value(first.kind).ok();
    let more = match failures.len() as u128 - 1 {
        0 => String::new(),
        more => format!(", and {} more", grouped(more)),
    };
    CaseOutcome::Failed {
        kind: kind.as_ref().and_then(|kind| kind.as_str()).unwrap_or_default().to_owned(),
        message: format!("{first}{more}"),
        details: failures.iter().map(ToString::to_string).collect::<Vec<_>>().join("\n"),
    }
}
