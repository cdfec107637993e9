//! The outputs of a report: as JSON to a file or to standard output, as JUnit XML to a file, and as
//! text.

use std::path::Path;

use serde::Serialize;
use varint_sweep::TestSuites;

use super::console::{print, print_error, print_raw, print_to_stderr};
use super::error::Error;
use super::named_output::NamedOutput;
use super::result_color::color_result;

/// The destinations of a report.
pub(crate) struct ReportOutput {
    json: Option<Json>,
    /// The file for the JUnit XML, with its content.
    junit: Option<(NamedOutput, String)>,
    quiet: bool,
}

/// The destination of the JSON.
enum Json {
    Stdout,
    File(NamedOutput),
}

impl ReportOutput {
    /// Opens the file for the JSON. The path `-` is standard output. A quiet output has no text.
    /// Error messages use `content_name`, such as "report".
    ///
    /// # Errors
    ///
    /// Returns an error if the file cannot be opened for writing.
    pub(crate) fn open(content_name: &'static str, json: Option<&Path>, quiet: bool) -> Result<Self, Error> {
        let json = match json {
            None => None,
            Some(path) if path.as_os_str() == "-" => Some(Json::Stdout),
            Some(path) => Some(Json::File(NamedOutput::open(content_name, path)?)),
        };
        Ok(Self { json, junit: None, quiet })
    }

    /// Opens the file for the JUnit XML too.
    ///
    /// # Errors
    ///
    /// Returns an error if the file cannot be opened for writing.
    pub(crate) fn open_junit(self, path: Option<&Path>) -> Result<Self, Error> {
        let junit = path.map(|path| NamedOutput::open("JUnit report", path)).transpose()?;
        Ok(Self { junit: junit.map(|file| (file, String::new())), ..self })
    }

    /// Adds the JUnit XML, if requested.
    pub(crate) fn with_junit(mut self, suites: &TestSuites) -> Self {
        if let Some((_, content)) = &mut self.junit {
            *content = suites.to_string();
        }
        self
    }

    /// Writes the JUnit XML and the report as JSON, if requested, and prints the report's text.
    ///
    /// If the JSON goes to standard output, the text goes to standard error. All outputs are
    /// written even if one of them fails.
    ///
    /// # Errors
    ///
    /// Returns an error if an output cannot be written. The messages about files are printed before
    /// the text, and are no longer in the error.
    pub(crate) fn deliver(mut self, report: &impl Serialize, text: &str) -> Result<(), Error> {
        let text_to_stderr = matches!(self.json, Some(Json::Stdout));
        let json = self.json.take();
        let quiet = self.quiet;
        let junit = self.deliver_junit().map_err(print_error);
        let written = json.map_or(Ok(()), |json| json.write(report)).map_err(print_error);
        let printed = print_text(text, quiet, text_to_stderr);
        Error::join([junit, written, printed])
    }

    /// Writes the JUnit XML and prints a text, for a command that has no report. An
    /// existing file of the report stays unchanged.
    ///
    /// # Errors
    ///
    /// Returns an error if an output cannot be written.
    pub(crate) fn deliver_without_report(self, text: &str) -> Result<(), Error> {
        let (quiet, text_to_stderr) = (self.quiet, matches!(self.json, Some(Json::Stdout)));
        let junit = self.deliver_junit().map_err(print_error);
        Error::join([junit, print_text(text, quiet, text_to_stderr)])
    }

    fn deliver_junit(self) -> Result<(), Error> {
        self.junit.map_or(Ok(()), |(file, content)| file.write(content.as_bytes()))
    }
}

fn print_text(text: &str, quiet: bool, to_stderr: bool) -> Result<(), Error> {
    match (quiet, to_stderr) {
        (true, _) => Ok(()),
        (false, false) => print(&color_result(text)),
        (false, true) => {
            print_to_stderr(&color_result(text));
            Ok(())
        }
    }
}

impl Json {
    fn write(self, report: &impl Serialize) -> Result<(), Error> {
        let mut content = serde_json::to_string_pretty(report)
            .map_err(|error| Error::file(format_args!("cannot convert the report to JSON: {error}")))?;
        content.push('\n');
        match self {
            Self::Stdout => print_raw(content.as_bytes()),
            Self::File(file) => file.write(content.as_bytes()),
        }
    }
}
