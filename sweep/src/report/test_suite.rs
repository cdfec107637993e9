//! Test results in the JUnit XML format, which continuous integration systems display.

use std::fmt;

/// Test suites. Their `Display` form is a JUnit XML document.
///
/// ```
/// use every_input::{TestCase, TestOutcome, TestSuite, TestSuites};
///
/// let suite = TestSuite {
///     name: "sweep of i64 by codec mine".into(),
///     seconds: 1.5,
///     cases: vec![TestCase { name: "values of 2 bytes".into(), outcome: TestOutcome::Passed }],
/// };
/// let xml = TestSuites(vec![suite]).to_string();
/// assert!(xml.contains(r#"<testcase name="values of 2 bytes" classname="sweep of i64 by codec mine">"#));
/// ```
#[derive(Clone, Debug, Default, PartialEq)]
pub struct TestSuites(pub Vec<TestSuite>);

/// A group of test cases.
#[derive(Clone, Debug, PartialEq)]
pub struct TestSuite {
    /// The name.
    pub name: String,
    /// The duration of all cases in seconds.
    pub seconds: f64,
    /// The cases.
    pub cases: Vec<TestCase>,
}

/// A test case.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TestCase {
    /// The name.
    pub name: String,
    /// The outcome.
    pub outcome: TestOutcome,
}

/// The outcome of a test case.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum TestOutcome {
    /// The case passed.
    Passed,
    /// The case failed.
    Failed {
        /// The kind of failure.
        kind: String,
        /// A summary in one line.
        message: String,
        /// All that is known, in several lines.
        details: String,
    },
    /// The case could not be run to its end.
    Error {
        /// The reason in one line.
        message: String,
    },
    /// The case was not run.
    Skipped {
        /// The reason in one line.
        message: String,
    },
}

impl TestOutcome {
    /// Returns the element of an outcome that is not passed: its name, type, message and content.
    fn element(&self) -> Option<[&str; 4]> {
        match self {
            Self::Passed => None,
            Self::Failed { kind, message, details } => Some(["failure", kind, message, details]),
            Self::Error { message } => Some(["error", "error", message, ""]),
            Self::Skipped { message } => Some(["skipped", "skipped", message, ""]),
        }
    }
}

impl fmt::Display for TestSuites {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites>")?;
        for TestSuite { name, seconds, cases } in &self.0 {
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
            '\n' => escaped += "&#10;",
            '\t' => escaped += "&#9;",
            '\r' => escaped += "&#13;",
            char if char.is_control() || matches!(char, '\u{fffe}' | '\u{ffff}') => {
                escaped.push(char::REPLACEMENT_CHARACTER);
            }
            char => escaped.push(char),
        }
    }
    escaped
}
