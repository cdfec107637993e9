//! The errors of reading a profile.

use std::fmt;
use std::io;

/// An error that occurs while a profile is read.
#[derive(Debug)]
#[non_exhaustive]
pub enum ProfileError {
    /// The file cannot be read.
    Io(io::Error),
    /// The gzip stream is damaged or truncated.
    Gzip(io::Error),
    /// The file is empty.
    Empty,
    /// The uncompressed profile is larger than this number of bytes.
    TooLarge(usize),
    /// The tables of the profile would use more than this number of bytes of memory.
    TooMuchMemory(usize),
    /// The file is damaged, truncated or not in pprof's format.
    Malformed {
        /// The offset of the problem in the uncompressed profile, in bytes.
        offset: usize,
        /// A description of the problem.
        reason: String,
    },
}

/// Returns the error for a problem at `offset`.
pub(super) fn malformed(offset: usize, reason: impl Into<String>) -> ProfileError {
    ProfileError::Malformed { offset, reason: reason.into() }
}

impl fmt::Display for ProfileError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Io(error) => write!(f, "{error}"),
            Self::Gzip(error) => {
                write!(f, "damaged gzip stream ({error}); check that the file was copied completely")
            }
            Self::Empty => f.write_str("empty file; check that the program that writes it ended normally"),
            Self::TooLarge(limit) => {
                write!(f, "profile too large: more than {} MiB uncompressed", limit >> 20)
            }
            Self::TooMuchMemory(limit) => {
                write!(f, "profile too large: its tables need more than {} MiB of memory", limit >> 20)
            }
            Self::Malformed { offset, reason } => write!(
                f,
                "not a complete profile in pprof's format: {reason} (at byte {offset}, uncompressed); text profiles are \
                 not supported"
            ),
        }
    }
}

impl std::error::Error for ProfileError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Self::Io(error) | Self::Gzip(error) => Some(error),
            _ => None,
        }
    }
}

impl From<io::Error> for ProfileError {
    fn from(error: io::Error) -> Self {
        Self::Io(error)
    }
}
