//! Test results in the JUnit XML format, which continuous integration systems display.

use std::fmt;

/// Test suites. Their `Display` form is a JUnit XML document.
///
/// ```
/// use varint_sweep::{TestCase, TestOutcome, TestSuite, TestSuites};
///
/// let suite = TestSuite {
///     name: "sweep of i64 by codec mine".into(),
///     seconds: 1.5,
///     cases: vec![TestCase { name: "values of 2 bytes".into(), outcome: TestOutcome::Passed }],
/// };
/// let xml = TestSuites(vec![suite]).to_string();
/// assert!(xml.contains(r#"<testcase name="values of 2 bytes" classname="sweep of i64 by codec mine"/>"#));
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

impl TestSuite {
    /// Returns how many outcomes are failures, errors, and skipped.
    fn counts(&self) -> [usize; 3] {
        let count = |is: fn(&TestOutcome) -> bool| self.cases.iter().filter(|case| is(&case.outcome)).count();
        [
            count(|outcome| matches!(outcome, TestOutcome::Failed { .. })),
            count(|outcome| matches!(outcome, TestOutcome::Error { .. })),
            count(|outcome| matches!(outcome, TestOutcome::Skipped { .. })),
        ]
    }
}

impl fmt::Display for TestSuites {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, r#"<?xml version="1.0" encoding="UTF-8"?>"#)?;
        writeln!(f, "<testsuites>")?;
        self.0.iter().try_for_each(|suite| write_suite(f, suite))?;
        writeln!(f, "</testsuites>")
    }
}

fn write_suite(f: &mut fmt::Formatter<'_>, suite: &TestSuite) -> fmt::Result {
    let (name, tests, [failures, errors, skipped]) =
        (Escaped(&suite.name), suite.cases.len(), suite.counts());
    write!(f, r#"  <testsuite name="{name}" tests="{tests}" failures="{failures}" errors="{errors}""#)?;
    writeln!(f, r#" skipped="{skipped}" time="{:.3}">"#, suite.seconds)?;
    for case in &suite.cases {
        write!(f, r#"    <testcase name="{}" classname="{name}""#, Escaped(&case.name))?;
        match &case.outcome {
            TestOutcome::Passed => {
                writeln!(f, "/>")?;
                continue;
            }
            TestOutcome::Failed { kind, message, details } => {
                let (kind, message) = (Escaped(kind), Escaped(message));
                write!(f, ">\n      <failure type=\"{kind}\" message=\"{message}\">")?;
                write_lines(f, details)?;
                write!(f, "</failure>")?;
            }
            TestOutcome::Error { message } => {
                write!(f, ">\n      <error type=\"error\" message=\"{}\"/>", Escaped(message))?;
            }
            TestOutcome::Skipped { message } => {
                write!(f, ">\n      <skipped message=\"{}\"/>", Escaped(message))?;
            }
        }
        writeln!(f, "\n    </testcase>")?;
    }
    writeln!(f, "  </testsuite>")
}

/// Writes the lines of an element's content. Unlike those in attributes, line feeds need no escape.
fn write_lines(f: &mut fmt::Formatter<'_>, text: &str) -> fmt::Result {
    for (index, line) in text.split('\n').enumerate() {
        let line_feed = if index > 0 { "\n" } else { "" };
        write!(f, "{line_feed}{}", Escaped(line))?;
    }
    Ok(())
}

/// Displays a text as the content of an XML element or attribute. Characters that XML 1.0 does not
/// allow become U+FFFD.
struct Escaped<'t>(&'t str);

impl fmt::Display for Escaped<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        use fmt::Write;

        self.0.chars().try_for_each(|char| match char {
            '&' => f.write_str("&amp;"),
            '<' => f.write_str("&lt;"),
            '>' => f.write_str("&gt;"), // `]]>` is not allowed in text
            '"' => f.write_str("&quot;"),
            // Readers change the literal characters to spaces or line feeds.
            '\n' => f.write_str("&#10;"),
            '\t' => f.write_str("&#9;"),
            '\r' => f.write_str("&#13;"),
            char if char.is_control() || matches!(char, '\u{fffe}' | '\u{ffff}') => {
                f.write_char(char::REPLACEMENT_CHARACTER)
            }
            char => f.write_char(char),
        })
    }
}
