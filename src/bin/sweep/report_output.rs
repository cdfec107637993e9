//! The output of a report: JSON to a file or to standard output, and text.

use std::path::Path;

use serde::Serialize;

use super::console::{print, print_error, print_raw, print_to_stderr};
use super::error::Error;
use super::named_output::NamedOutput;
use super::result_color::color_result;

/// Where a report goes.
pub(crate) struct ReportOutput {
    json: Option<Json>,
    quiet: bool,
}

/// Where the JSON goes.
enum Json {
    Stdout,
    File(NamedOutput),
}

impl ReportOutput {
    /// Opens the file for the JSON; `-` is standard output. A quiet output has no text.
    ///
    /// # Errors
    ///
    /// If the file cannot be written.
    pub(crate) fn open(json: Option<&Path>, quiet: bool) -> Result<Self, Error> {
        let json = match json {
            None => None,
            Some(path) if path.as_os_str() == "-" => Some(Json::Stdout),
            Some(path) => Some(Json::File(NamedOutput::open("report", path)?)),
        };
        Ok(Self { json, quiet })
    }

    /// Writes the report as JSON if that was asked for, and its text: to standard error if the JSON goes to standard
    /// output. The text is printed even if the JSON cannot be written.
    ///
    /// # Errors
    ///
    /// If either cannot be written. What kept the JSON from being written is printed already, before the text.
    pub(crate) fn deliver(self, report: &impl Serialize, text: &str) -> Result<(), Error> {
        let text_to_stderr = matches!(self.json, Some(Json::Stdout));
        let written = self.json.map_or(Ok(()), |json| json.write(report)).map_err(print_error);
        let printed = match (self.quiet, text_to_stderr) {
            (true, _) => Ok(()),
            (false, false) => print(&color_result(text)),
            (false, true) => {
                print_to_stderr(&color_result(text));
                Ok(())
            }
        };
        Error::join([written, printed])
    }
}

impl Json {
    fn write(self, report: &impl Serialize) -> Result<(), Error> {
        let mut content = serde_json::to_string_pretty(report)
            .map_err(|error| Error::file(format_args!("cannot put the report into JSON: {error}")))?;
        content.push('\n');
        match self {
            Self::Stdout => print_raw(content.as_bytes()),
            Self::File(file) => file.write(content.as_bytes()),
        }
    }
}
