//! Output files with the error messages of the program.

use std::io;
use std::path::{Path, PathBuf};

use varint_sweep::OutputFile;

use super::error::Error;

/// An output file that knows what it is for and how the user called it.
///
/// It is opened before the work, so that a bad path is known at once, and written after it.
pub(crate) struct NamedOutput {
    content_name: &'static str,
    path: PathBuf,
    file: OutputFile,
}

impl NamedOutput {
    /// Opens the file. Messages call its content `content_name`, such as "report".
    ///
    /// # Errors
    ///
    /// If the file cannot be written.
    pub(crate) fn open(content_name: &'static str, path: &Path) -> Result<Self, Error> {
        match OutputFile::create(path) {
            Ok(file) => Ok(Self { content_name, path: path.to_owned(), file }),
            Err(error) => Err(cannot_open(content_name, path, &error)),
        }
    }

    /// Returns the path as the user gave it.
    #[cfg(feature = "profile")]
    pub(crate) fn path(&self) -> &Path {
        &self.path
    }

    /// Writes the file as a whole.
    ///
    /// # Errors
    ///
    /// If writing fails. A file that was there before is unchanged then.
    pub(crate) fn write(self, content: &[u8]) -> Result<(), Error> {
        self.file.finish(content).map_err(|error| {
            let (content_name, path) = (self.content_name, self.path.display());
            Error::file(format_args!(
                "cannot write the {content_name} to '{path}': {error}; free some space or name another file"
            ))
        })
    }
}

/// Returns the error for an output file that cannot be opened.
pub(crate) fn cannot_open(content_name: &str, path: &Path, error: &io::Error) -> Error {
    let path = path.display();
    Error::file(format_args!(
        "cannot write the {content_name} to '{path}' ({error}): name a file in a folder that you may write to"
    ))
}
