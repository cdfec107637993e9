//! Test results in the JUnit XML format, which continuous integration systems display.
//!
//! A sweep has a test case for the boundaries and each stratum of a sample, or one for each encoded
//! length of an exhaustive sweep.

use std::collections::BTreeMap;
use std::fmt::{self, Display};

use crate::check::failure::Failure;
use crate::plan::interval::{self, Interval};
use crate::plan::sample::{self, Mode};
use crate::plan::space::DynSpace;
use crate::report::sweep_report::Report;
use crate::report::text_report::why_ended;
use crate::texts::{grouped, plural};

/// A JUnit XML document with these suites.
pub(crate) struct Document(pub(crate) Vec<Suite>);

pub(crate) struct Suite {
    pub(crate) name: String,
    /// The duration of all cases in seconds.
    pub(crate) seconds: f64,
    pub(crate) cases: Vec<Case>,
}

#[derive(Clone, Debug)]
pub(crate) struct Case {
    pub(crate) name: String,
    /// Why it does not pass.
    pub(crate) problem: Option<Problem>,
}

/// Why a test case does not pass, as an XML element. The message has one line.
#[derive(Clone, Debug)]
pub(crate) struct Problem {
    element: &'static str,
    kind: String,
    message: String,
    details: String,
}

impl Problem {
    /// A failure. The details are all that is known, in several lines.
    pub(crate) fn failure(kind: &str, message: String, details: String) -> Self {
        Self { element: "failure", kind: kind.into(), message, details }
    }

    /// The case could not be run to its end.
    pub(crate) fn error(message: impl Into<String>) -> Self {
        let (element, kind) = ("error", "error".into());
        Self { element, kind, message: message.into(), details: String::new() }
    }

    /// The case was not run.
    fn skipped(message: String) -> Self {
        Self { element: "skipped", kind: "skipped".into(), message, details: String::new() }
    }

    pub(crate) fn is_failure(&self) -> bool {
        self.element == "failure"
    }
}

impl Display for Document {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites>")?;
        for Suite { name, seconds, cases } in &self.0 {
            let problems = cases.iter().filter_map(|case| case.problem.as_ref());
            let count = |element| problems.clone().filter(|problem| problem.element == element).count();
            let [failures, errors, skipped] = ["failure", "error", "skipped"].map(count);
            let (name, tests) = (escaped(name), cases.len());
            write!(
                f,
                r#"  <testsuite name="{name}" tests="{tests}" failures="{failures}" errors="{errors}""#
            )?;
            writeln!(f, r#" skipped="{skipped}" time="{seconds:.3}">"#)?;
            for case in cases {
                write!(f, r#"    <testcase name="{}" classname="{name}">"#, escaped(&case.name))?;
                if let Some(Problem { element, kind, message, details }) = &case.problem {
                    let [kind, message, details] = [kind, message, details].map(|text| escaped(text));
                    // Unlike those in attributes, line feeds need no escape.
                    let details = details.replace("&#10;", "\n");
                    write!(f, r#"<{element} type="{kind}" message="{message}">{details}</{element}>"#)?;
                }
                writeln!(f, "</testcase>")?;
            }
            writeln!(f, "  </testsuite>")?;
        }
        writeln!(f, "</testsuites>")
    }
}

/// Returns a text as the content of an XML element or attribute. Characters that XML 1.0 does not
/// allow become U+FFFD.
fn escaped(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for char in text.chars() {
        match char {
            '&' => escaped += "&amp;",
            '<' => escaped += "&lt;",
            '>' => escaped += "&gt;", // `]]>` is not allowed in text
            '"' => escaped += "&quot;",
            // Readers change the literal characters to spaces or line feeds.
            '\n' | '\t' | '\r' => escaped += &format!("&#{};", u32::from(char)),
            char if char.is_control() || matches!(char, '\u{fffe}' | '\u{ffff}') => {
                escaped.push(char::REPLACEMENT_CHARACTER);
            }
            char => escaped.push(char),
        }
    }
    escaped
}

impl Report {
    /// Returns the results of sweeps as JUnit XML, for continuous integration systems.
    ///
    /// A sample has a case for the values near boundaries, and one for the random values of each
    /// encoded length and sign. An exhaustive sweep has one for each encoded length. Two more cases
    /// fail if there are failures that are not listed, and if not all values were checked or there are
    /// other [`errors`](Self::errors). So a suite without failures and errors is a complete sweep
    /// without failures. All sweeps of one plan have the same cases, with the same names.
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
        let listed = Case { name: "all failures are listed".into(), problem: self.listing() };
        let complete = Case { name: "the sweep is complete".into(), problem: self.completeness() };
        cases.extend([listed, complete]);
        Suite { name: self.name(), seconds: self.seconds, cases }
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
        let problem = match failures.first() {
            Some(first) => Some(failed(first, &failures)),
            None if checked == 0 && !self.complete => {
                let why = format!("no {} was checked before the sweep ended", self.noun());
                Some(Problem::skipped(why))
            }
            None => None,
        };
        Case { name, problem }
    }

    fn listing(&self) -> Option<Problem> {
        const DETAILS: &str =
            "Only the first failures are listed, and these may be in any of the other cases.";
        let more = Some(self.unlisted()).filter(|more| *more > 0)?;
        let message = format!("{} are not listed", plural(more.into(), "failure"));
        Some(Problem::failure("not_listed", message, DETAILS.into()))
    }

    fn completeness(&self) -> Option<Problem> {
        let part =
            why_ended(self).map(|why| format!("only {} were checked: {why}", self.inputs(self.values)));
        let problems: Vec<_> = part.into_iter().chain(self.errors.clone()).collect();
        (!problems.is_empty()).then(|| Problem::error(problems.join("; ")))
    }
}

/// Returns whether any input of a failure in this space is among `inputs`. A range of failures may
/// have inputs of several classes.
fn is_among(failure: &Failure, inputs: &[Interval], space: Option<&dyn DynSpace>) -> bool {
    let failing = space.and_then(|space| failure.inputs_in(space));
    failing.is_some_and(|failing| !interval::intersection(&[failing], inputs).is_empty())
}

fn failed(first: &Failure, failures: &[&Failure]) -> Problem {
    let kind = serde_json::to_value(first.kind).ok();
    let more = match failures.len() as u128 - 1 {
        0 => String::new(),
        more => format!(", and {} more", grouped(more)),
    };
    let details: Vec<_> = failures.iter().map(ToString::to_string).collect();
    let kind = kind.as_ref().and_then(|kind| kind.as_str()).unwrap_or_default();
    Problem::failure(kind, format!("{first}{more}"), details.join("\n"))
}
