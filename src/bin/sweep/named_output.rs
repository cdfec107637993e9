//! Output files whose error messages have the path and the kind of content.

use std::io;
use std::path::{Path, PathBuf};

use varint_sweep::OutputFile;

use super::error::Error;

/// An output file with the name of its content and the path as the user wrote it.
///
/// It is opened before the work starts, so that an invalid path is reported at once. It is written
/// after the work.
pub(crate) struct NamedOutput {
    content_name: &'static str,
    path: PathBuf,
    file: OutputFile,
}

impl NamedOutput {
    /// Opens the file. Error messages use `content_name`, such as "report", for its content.
    ///
    /// # Errors
    ///
    /// Returns an error if the file cannot be opened for writing.
    pub(crate) fn open(content_name: &'static str, path: &Path) -> Result<Self, Error> {
        match OutputFile::create(path) {
            Ok(file) => Ok(Self { content_name, path: path.to_owned(), file }),
            Err(error) => Err(cannot_open(content_name, path, &error)),
        }
    }

    /// Returns the path as the user wrote it.
    #[cfg(feature = "profile")]
    pub(crate) fn path(&self) -> &Path {
        &self.path
    }

    /// Writes the whole file.
    ///
    /// # Errors
    ///
    /// Returns an error if writing fails. An existing file is unchanged in that case.
    pub(crate) fn write(self, content: &[u8]) -> Result<(), Error> {
        self.file.finish(content).map_err(|error| cannot_write(self.content_name, &self.path, &error))
    }
}

/// Returns the error for an output file that cannot be written after it was opened.
pub(crate) fn cannot_write(content_name: &str, path: &Path, error: &io::Error) -> Error {
    let path = path.display();
    Error::file(format_args!(
        "cannot write the {content_name} to '{path}': {error}; free some space or name another file"
    ))
}

/// Returns the error for an output file that cannot be opened.
pub(crate) fn cannot_open(content_name: &str, path: &Path, error: &io::Error) -> Error {
    let path = path.display();
    Error::file(format_args!(
        "cannot write the {content_name} to '{path}': {error}; name a file in a writable folder"
    ))
}
