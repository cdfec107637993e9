//! The outputs of a report: as JSON to a file or to standard output, as JUnit XML to a file, and as
//! text.

use std::path::Path;

use serde::Serialize;

use super::console::{join, print, print_error, print_raw, print_to_stderr};
use super::error::Error;
use super::files::NamedOutput;

/// What a command found, in each format.
pub(crate) struct Documents {
    /// `None` if there is no report. That of an earlier command is removed then.
    pub(crate) json: Option<String>,
    pub(crate) junit: String,
    pub(crate) text: String,
}

/// Returns the JSON of a report.
///
/// # Errors
///
/// Returns an error if it cannot be converted.
pub(crate) fn to_json(report: &impl Serialize) -> Result<String, Error> {
    let json = serde_json::to_string_pretty(report);
    json.map(|json| json + "\n")
        .map_err(|error| Error::file(format_args!("cannot convert the report to JSON: {error}")))
}

/// The destinations of a report.
pub(crate) struct Destinations {
    json: Option<Json>,
    junit: Option<NamedOutput>,
    quiet: bool,
}

/// The destination of the JSON.
enum Json {
    Stdout,
    File(NamedOutput),
}

impl Destinations {
    /// Opens the files. The path `-` of the JSON is standard output. A quiet output has no text.
    ///
    /// # Errors
    ///
    /// Returns an error if a file cannot be opened for writing.
    pub(crate) fn open(json: Option<&Path>, junit: Option<&Path>, quiet: bool) -> Result<Self, Error> {
        let json = match json {
            None => None,
            Some(path) if path.as_os_str() == "-" => Some(Json::Stdout),
            Some(path) => Some(Json::File(NamedOutput::open("report", path)?)),
        };
        let junit = junit.map(|path| NamedOutput::open("JUnit report", path)).transpose()?;
        Ok(Self { json, junit, quiet })
    }

    /// Removes the documents of an earlier command.
    pub(crate) fn discard(self) {
        let json = match self.json {
            Some(Json::File(file)) => Some(file),
            _ => None,
        };
        json.into_iter().chain(self.junit).for_each(NamedOutput::remove);
    }

    /// Writes the documents that were asked for.
    ///
    /// If the JSON goes to standard output, the text goes to standard error. All outputs are
    /// written even if one of them fails.
    ///
    /// # Errors
    ///
    /// Returns an error if an output cannot be written. The messages about files are printed before
    /// the text, and are no longer in the error.
    pub(crate) fn deliver(self, documents: &Documents) -> Result<(), Error> {
        let text_to_stderr = matches!(self.json, Some(Json::Stdout));
        let junit = self.junit.map_or(Ok(()), |file| file.write(documents.junit.as_bytes()));
        let junit = junit.map_err(print_error);
        let json = match (self.json, &documents.json) {
            (Some(Json::Stdout), Some(json)) => print_raw(json.as_bytes()),
            (Some(Json::File(file)), Some(json)) => file.write(json.as_bytes()),
            (Some(Json::File(file)), None) => {
                file.remove();
                Ok(())
            }
            _ => Ok(()),
        };
        let json = json.map_err(print_error);
        let text = match (self.quiet, text_to_stderr) {
            (true, _) => Ok(()),
            (false, false) => print(&documents.text),
            (false, true) => {
                print_to_stderr(&documents.text);
                Ok(())
            }
        };
        join([junit, json, text])
    }
}
