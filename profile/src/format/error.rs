//! Why a profile cannot be read.

use std::fmt;
use std::io;

/// An error that occurs while a profile is read.
#[derive(Debug)]
#[non_exhaustive]
pub enum ProfileError {
    /// The file cannot be read.
    Io(io::Error),
    /// The file begins as gzip does, and is damaged or truncated.
    Gzip(io::Error),
    /// The file is empty.
    Empty,
    /// The profile has more than this number of bytes, unpacked.
    TooLarge(usize),
    /// The tables of the profile would take more than this number of bytes of memory.
    TooMuch(usize),
    /// The file is not in pprof's format, or damaged.
    Malformed {
        /// The offset of the problem, in bytes of the unpacked profile.
        at: usize,
        /// What is wrong there.
        what: String,
    },
}

/// Returns the error for a problem at the offset `at`.
pub(super) fn malformed(at: usize, what: impl Into<String>) -> ProfileError {
    ProfileError::Malformed { at, what: what.into() }
}

impl fmt::Display for ProfileError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Io(error) => write!(f, "{error}"),
            Self::Gzip(error) => write!(f, "damaged gzip ({error}): was it copied whole?"),
            Self::Empty => f.write_str("it is empty: was the program that wrote it cut short?"),
            Self::TooLarge(limit) => {
                write!(f, "more than {} MiB unpacked: no profile that can be shown", limit >> 20)
            }
            Self::TooMuch(limit) => {
                write!(f, "more than {} MiB of memory for its tables: no profile of a program", limit >> 20)
            }
            Self::Malformed { at, what } => write!(
                f,
                "not a whole profile in pprof's format: {what}, at byte {at} unpacked (text profiles are not read)"
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
