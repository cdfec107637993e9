//! Why a sweep could not be run.

use std::fmt;

/// A sweep that could not be run: what is wrong, and the remedy.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum SweepError {
    /// It cannot be run as it was asked for.
    Usage(String),
    /// The checkpoint cannot be written, or belongs to another sweep.
    Checkpoint(String),
}

impl fmt::Display for SweepError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Usage(message) | Self::Checkpoint(message) => f.write_str(message),
        }
    }
}

impl std::error::Error for SweepError {}
