//! The outputs of a report: as JSON, as JUnit XML, and as text.

use std::path::Path;

use serde::Serialize;

use super::console::{join, print, print_error};
use super::error::Error;
use super::files::NamedOutput;

/// What a command found, as JSON and as text.
pub(crate) struct Documents {
    /// `None` if there is no report. That of an earlier command is removed then.
    pub(crate) json: Option<String>,
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
    json: Option<NamedOutput>,
    junit: Option<NamedOutput>,
    quiet: bool,
}

impl Destinations {
    /// Opens the files. A quiet output has no text.
    ///
    /// # Errors
    ///
    /// Returns an error if a file cannot be opened for writing.
    pub(crate) fn open(json: Option<&Path>, junit: Option<&Path>, quiet: bool) -> Result<Self, Error> {
        let json = json.map(|path| NamedOutput::open("report", path)).transpose()?;
        let junit = junit.map(|path| NamedOutput::open("JUnit report", path)).transpose()?;
        Ok(Self { json, junit, quiet })
    }

    /// Removes the documents of an earlier command.
    pub(crate) fn discard(self) {
        self.json.into_iter().chain(self.junit).for_each(NamedOutput::remove);
    }

    /// Writes the JUnit report, if it was asked for. It comes first, so that the others can have its
    /// error.
    ///
    /// # Errors
    ///
    /// Returns an error if it cannot be written.
    pub(crate) fn write_junit(&mut self, junit: &str) -> Result<(), Error> {
        self.junit.take().map_or(Ok(()), |file| file.write(junit.as_bytes()))
    }

    /// Writes the other documents that were asked for, even if one of them fails.
    ///
    /// # Errors
    ///
    /// Returns an error if an output cannot be written. The messages about files are printed before
    /// the text, and are no longer in the error.
    pub(crate) fn deliver(self, documents: &Documents) -> Result<(), Error> {
        let json = match (self.json, &documents.json) {
            (Some(file), Some(json)) => file.write(json.as_bytes()),
            (file, _) => {
                file.into_iter().for_each(NamedOutput::remove);
                Ok(())
            }
        };
        let json = json.map_err(print_error);
        let text = if self.quiet { Ok(()) } else { print(&documents.text) };
        join([json, text])
    }
}
