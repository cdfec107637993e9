//! Test results in the JUnit XML format, which continuous integration systems display.

use std::fmt::{self, Display};

/// A JUnit XML document with these suites.
pub(crate) struct Document(pub(crate) Vec<Suite>);

/// A group of test cases.
pub(crate) struct Suite {
    pub(crate) name: String,
    /// The duration of all cases in seconds.
    pub(crate) seconds: f64,
    pub(crate) cases: Vec<Case>,
}

/// A test case.
#[derive(Clone, Debug)]
pub(crate) struct Case {
    pub(crate) name: String,
    pub(crate) outcome: CaseOutcome,
}

/// The outcome of a test case. Messages have one line.
#[derive(Clone, Debug)]
pub(crate) enum CaseOutcome {
    Passed,
    /// The details are all that is known, in several lines.
    Failed {
        kind: String,
        message: String,
        details: String,
    },
    /// The case could not be run to its end.
    Error(String),
    /// The case was not run.
    Skipped(String),
}

impl CaseOutcome {
    /// Returns the element of an outcome that is not passed: its name, type, message and content.
    fn element(&self) -> Option<[&str; 4]> {
        match self {
            Self::Passed => None,
            Self::Failed { kind, message, details } => Some(["failure", kind, message, details]),
            Self::Error(message) => Some(["error", "error", message, ""]),
            Self::Skipped(message) => Some(["skipped", "skipped", message, ""]),
        }
    }
}

impl Display for Document {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites>")?;
        for Suite { name, seconds, cases } in &self.0 {
            let elements = cases.iter().filter_map(|case| case.outcome.element());
            let count = |name| elements.clone().filter(|[element, ..]| *element == name).count();
            let [failures, errors, skipped] = ["failure", "error", "skipped"].map(count);
            let (name, tests) = (escaped(name), cases.len());
            write!(
                f,
                r#"  <testsuite name="{name}" tests="{tests}" failures="{failures}" errors="{errors}""#
            )?;
            writeln!(f, r#" skipped="{skipped}" time="{seconds:.3}">"#)?;
            for case in cases {
                write!(f, r#"    <testcase name="{}" classname="{name}">"#, escaped(&case.name))?;
                if let Some(element) = case.outcome.element() {
                    let [element, kind, message, details] = element.map(escaped);
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
