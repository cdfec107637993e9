//! A profile in memory, and its conversion from and to pprof's format.

use std::fmt;
use std::io;

mod fields;
mod limits;
mod profile;
mod read;
pub(crate) mod samples;
pub(crate) mod strings;
mod validate;
pub(crate) mod wire;

pub use limits::Limits;
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
    /// The profile has more bytes, uncompressed, than [`Limits::bytes`], which is given here.
    TooLarge(u64),
    /// The stacks of the profile have more frames than [`Limits::frames`].
    TooManyFrames {
        /// The limit.
        limit: usize,
        /// Whether it is a profile of memory.
        is_heap: bool,
    },
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
            Self::TooLarge(limit) => {
                let (limit, unit) = match limit >> 20 {
                    mebibytes if mebibytes << 20 == *limit => (mebibytes, "MiB"),
                    _ => (*limit, "bytes"),
                };
                write!(
                    f,
                    "profile too large: more than {limit} {unit}, uncompressed; raise the limit (--max-size, in a \
                     program Limits::bytes), profile CPU time for a shorter time, or sample fewer allocations"
                )
            }
            Self::TooManyFrames { limit, is_heap } => {
                let other = if *is_heap { "sample fewer allocations" } else { "profile for a shorter time" };
                write!(
                    f,
                    "profile too large: more than {limit} frames in its stacks; raise the limit (--max-frames, in \
                     a program Limits::frames), or {other}"
                )
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
