//! A profile in memory, and its conversion from and to pprof's format.

use std::fmt;
use std::io;

pub(crate) mod builder;
mod profile;
mod read;
pub(crate) mod wire;

pub use profile::Profile;

/// An error that occurs while a profile is read, or profiles are added up.
#[derive(Debug)]
#[non_exhaustive]
pub enum ProfileError {
    /// The file cannot be read.
    Io(io::Error),
    /// The gzip stream is damaged or truncated.
    Gzip(io::Error),
    /// The file is empty.
    Empty,
    /// The profile has more than 32 MiB, uncompressed, or stacks of more than 33,554,432 frames.
    TooLarge,
    /// The file is damaged, truncated or not in pprof's format. The text describes the problem.
    Malformed(String),
    /// The profiles have different sample types. The text names both.
    Incompatible(String),
}

impl fmt::Display for ProfileError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Io(error) => write!(f, "{error}"),
            Self::Gzip(error) => {
                write!(f, "damaged gzip stream ({error}); check that the file was copied completely")
            }
            Self::Empty => f.write_str("empty file; check that the program that writes it ended normally"),
            Self::TooLarge => {
                f.write_str("profile too large: more than 32 MiB, uncompressed, or more than 33554432 frames; profile for a shorter time")
            }
            Self::Malformed(reason) => write!(
                f,
                "not a complete profile in pprof's format: {reason}; check that the file was copied completely \
                 (text profiles are not supported)"
            ),
            Self::Incompatible(reason) => {
                write!(f, "cannot add the profiles: {reason}; add profiles of the same kind")
            }
        }
    }
}

impl std::error::Error for ProfileError {}
