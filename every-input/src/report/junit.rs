//! Test results in the JUnit XML format, which continuous integration systems display.

use std::fmt::{self, Write};

use crate::report::outcome::{more_may_fail, why_ended};
use crate::report::sweep_report::Report;
use crate::texts::{grouped, plural};

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
    /// assert!(xml.contains("128..=255 (128 inputs): wrong bytes: expected 8001, got 80 for the first"));
    /// # Ok::<(), every_input::SweepError>(())
    /// ```
    pub fn junit(reports: &[Self]) -> String {
        document(reports.iter().map(|report| {
            let cases = [
                (format!("every {} passes", report.noun()), report.failed()),
                ("the sweep is complete".into(), report.completeness()),
            ];
            (report.title_with(None), report.seconds, cases.into())
        }))
    }

    fn failed(&self) -> Option<Problem> {
        if self.has_nothing() {
            return Some(Problem {
                element: "skipped",
                kind: "nothing_to_check".into(),
                message: "nothing to check: the sweep has fewer units of work than shards".into(),
                details: String::new(),
            });
        }
        if self.failures == 0 {
            return None;
        }
        let first = self.first_failures.first().and_then(|first| serde_json::to_value(first.kind).ok());
        let kind = first.as_ref().and_then(|kind| kind.as_str()).unwrap_or("failure").to_owned();
        let mut details: Vec<_> = self.first_failures.iter().map(|failure| self.shown(failure)).collect();
        let mut message = details.first().cloned().unwrap_or_else(|| plural(self.failures.into(), "failure"));
        if let more @ 1.. = details.len().saturating_sub(1) {
            message += &format!(", and {} more", grouped(more as u128));
        }
        if let unlisted @ 1.. = self.unlisted() {
            details.push(format!("{} are not listed", plural(unlisted.into(), "failure")));
        }
        details.extend(more_may_fail(self));
        Some(Problem { element: "failure", kind, message, details: details.join("\n") })
    }

    fn completeness(&self) -> Option<Problem> {
        let part =
            why_ended(self).map(|why| format!("only {} were checked: {why}", self.inputs(self.values)));
        let problems: Vec<_> = part.into_iter().chain(self.errors.clone()).collect();
        (!problems.is_empty()).then(|| Problem::error(problems.join("; ")))
    }
}

/// Why a test case does not pass, as an XML element. The message has one line.
pub(crate) struct Problem {
    element: &'static str,
    kind: String,
    message: String,
    /// All that is known, in several lines.
    details: String,
}

impl Problem {
    /// The case could not be run to its end.
    pub(crate) fn error(message: String) -> Self {
        Self { element: "error", kind: "error".into(), message, details: String::new() }
    }
}

/// A name, a duration in seconds, and the test cases with their names.
pub(crate) type Suite = (String, f64, Vec<(String, Option<Problem>)>);

/// Returns a JUnit XML document with these suites.
pub(crate) fn document(suites: impl IntoIterator<Item = Suite>) -> String {
    let mut xml = String::new();
    let _ = write(&mut xml, suites); // a String takes any text
    xml
}

fn write(xml: &mut String, suites: impl IntoIterator<Item = Suite>) -> fmt::Result {
    writeln!(xml, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites>")?;
    for (name, seconds, cases) in suites {
        let problems = || cases.iter().filter_map(|(_, problem)| problem.as_ref());
        let count = |element| problems().filter(|problem| problem.element == element).count();
        let [failures, errors, skipped] = ["failure", "error", "skipped"].map(count);
        let (name, tests) = (escaped(&name), cases.len());
        write!(xml, r#"  <testsuite name="{name}" tests="{tests}" failures="{failures}" errors="{errors}""#)?;
        write!(xml, r#" skipped="{skipped}""#)?;
        writeln!(xml, r#" time="{seconds:.3}">"#)?;
        for (case, problem) in cases {
            write!(xml, r#"    <testcase name="{}" classname="{name}">"#, escaped(&case))?;
            if let Some(Problem { element, kind, message, details }) = problem {
                let [kind, message, details] = [kind, message, details].map(|text| escaped(&text));
                // Unlike those in attributes, line feeds need no escape.
                let details = details.replace("&#10;", "\n");
                write!(xml, r#"<{element} type="{kind}" message="{message}">{details}</{element}>"#)?;
            }
            writeln!(xml, "</testcase>")?;
        }
        writeln!(xml, "  </testsuite>")?;
    }
    writeln!(xml, "</testsuites>")
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
