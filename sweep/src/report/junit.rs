//! Test results in the JUnit XML format, which continuous integration systems display.

use std::fmt::{self, Display};

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
            let [failures, errors] = ["failure", "error"].map(count);
            let (name, tests) = (escaped(name), cases.len());
            write!(
                f,
                r#"  <testsuite name="{name}" tests="{tests}" failures="{failures}" errors="{errors}""#
            )?;
            writeln!(f, r#" time="{seconds:.3}">"#)?;
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
    /// Each sweep is a suite of two test cases. The first fails if an input failed, with the listed
    /// failures. The second is an error if not all inputs were checked, or if there are other
    /// [`errors`](Self::errors). So a suite without failures and errors is a complete sweep without
    /// failures. The names are the same on every machine.
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
        let passed = Case { name: format!("every {} passes", self.noun()), problem: self.failed() };
        let complete = Case { name: "the sweep is complete".into(), problem: self.completeness() };
        Suite { name: self.name(), seconds: self.seconds, cases: vec![passed, complete] }
    }

    pub(crate) fn failed(&self) -> Option<Problem> {
        let first = self.first_failures.first();
        if first.is_none() && self.failures == 0 {
            return None;
        }
        let kind = first.and_then(|first| serde_json::to_value(first.kind).ok());
        let kind = kind.as_ref().and_then(|kind| kind.as_str()).unwrap_or("failure");
        let mut details: Vec<_> = self.first_failures.iter().map(ToString::to_string).collect();
        let mut message = details.first().cloned().unwrap_or_else(|| plural(self.failures.into(), "failure"));
        if let more @ 1.. = details.len().saturating_sub(1) {
            message += &format!(", and {} more", grouped(more as u128));
        }
        if let unlisted @ 1.. = self.unlisted() {
            details.push(format!("{} are not listed", plural(unlisted.into(), "failure")));
        }
        Some(Problem::failure(kind, message, details.join("\n")))
    }

    pub(crate) fn completeness(&self) -> Option<Problem> {
        let part =
            why_ended(self).map(|why| format!("only {} were checked: {why}", self.inputs(self.values)));
        let problems: Vec<_> = part.into_iter().chain(self.errors.clone()).collect();
        (!problems.is_empty()).then(|| Problem::error(problems.join("; ")))
    }
}
