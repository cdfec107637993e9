//! The output of a report: as JSON to a file or to standard output, and as text.

use std::path::Path;

use serde::Serialize;

use super::console::{print, print_error, print_raw, print_to_stderr};
use super::error::Error;
use super::named_output::NamedOutput;
use super::result_color::color_result;

/// The destination of a report.
pub(crate) struct ReportOutput {
    json: Option<Json>,
    quiet: bool,
}

/// The destination of the JSON.
enum Json {
    Stdout,
    File(NamedOutput),
}

impl ReportOutput {
    /// Opens the file for the JSON. The path `-` is standard output. A quiet output has no text.
    ///
    /// # Errors
    ///
    /// Returns an error if the file cannot be opened for writing.
    pub(crate) fn open(json: Option<&Path>, quiet: bool) -> Result<Self, Error> {
        let json = match json {
            None => None,
            Some(path) if path.as_os_str() == "-" => Some(Json::Stdout),
            Some(path) => Some(Json::File(NamedOutput::open("report", path)?)),
        };
        Ok(Self { json, quiet })
    }

    /// Writes the report as JSON, if requested, and prints its text.
    ///
    /// If the JSON goes to standard output, the text goes to standard error. The text is printed
    /// even if the JSON cannot be written.
    ///
    /// # Errors
    ///
    /// Returns an error if the JSON or the text cannot be written. The messages about the JSON are
    /// printed before the text, and are no longer in the error.
    pub(crate) fn deliver(self, report: &impl Serialize, text: &str) -> Result<(), Error> {
        let text_to_stderr = matches!(self.json, Some(Json::Stdout));
        let written = self.json.map_or(Ok(()), |json| json.write(report)).map_err(print_error);
        let printed = print_text(text, self.quiet, text_to_stderr);
        Error::join([written, printed])
    }

    /// Prints a text if there is no report. An existing file of the report stays unchanged.
    ///
    /// # Errors
    ///
    /// Returns an error if the text cannot be written.
    pub(crate) fn print(self, text: &str) -> Result<(), Error> {
        print_text(text, self.quiet, matches!(self.json, Some(Json::Stdout)))
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
