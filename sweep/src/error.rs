//! The error of a sweep.

use std::fmt;

/// The error of a sweep that could not run. The message includes the remedy.
///
/// Failures of the codec are not errors of the sweep; they are in its report.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum SweepError {
    /// The settings of the sweep are invalid, or its threads cannot be started.
    Usage(String),
    /// The checkpoint cannot be written, or it belongs to another sweep.
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
