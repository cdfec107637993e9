//! The errors of sweeps and of their files. Each message includes the remedy.

use std::fmt::{self, Display};
use std::path::Path;

use crate::texts::Printable;

/// The error of a sweep that could not run. The message includes the remedy.
///
/// Failures of the codec are not errors of the sweep; they are in its report.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum SweepError {
    /// The settings of the sweep are invalid, or its threads cannot be started.
    Usage(String),
    /// The checkpoint or the list of failures cannot be written, or belongs to another sweep.
    File(FileError),
}

impl Display for SweepError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Usage(message) => f.write_str(message),
            Self::File(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for SweepError {}

impl From<FileError> for SweepError {
    fn from(error: FileError) -> Self {
        Self::File(error)
    }
}

/// The error of a file that cannot be read or written, or that has other content than expected: a
/// report, a checkpoint, a file of failures or a status file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FileError {
    /// The path or name of the file.
    pub file: String,
    /// The problem.
    pub problem: String,
    /// What to do about it.
    pub remedy: &'static str,
}

impl FileError {
    pub(crate) fn new(file: &Path, problem: impl Display, remedy: &'static str) -> Self {
        Self { file: file.display().to_string(), problem: problem.to_string(), remedy }
    }
}

impl Display for FileError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // The problem may contain parts of the file.
        let Self { file, problem, remedy } = self;
        write!(f, "'{}': {}; {remedy}", Printable(file), Printable(problem))
    }
}

impl std::error::Error for FileError {}
