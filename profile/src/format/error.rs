//! Why a profile cannot be read, taken or shown.

use std::fmt;
use std::io;

/// A file that is no profile, or cannot be read.
#[derive(Debug)]
#[non_exhaustive]
pub enum ProfileError {
    /// The file cannot be read.
    Io(io::Error),
    /// It begins as gzip does, and is damaged or cut off.
    Gzip(io::Error),
    /// There is nothing in it.
    Empty,
    /// More than this many bytes, unpacked.
    TooLarge(usize),
    /// More than this many bytes of memory for what is in it.
    TooMuch(usize),
    /// Not pprof's format, or damaged: where, counted in unpacked bytes, and what is wrong there.
    Malformed {
        /// Offset into the unpacked bytes.
        at: usize,
        /// What is wrong.
        what: String,
    },
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

/// A profile that cannot be taken.
#[derive(Debug)]
#[non_exhaustive]
pub enum CaptureError {
    /// Not on this system or CPU.
    Unsupported,
    /// One at a time: the system has one profiling timer for a process.
    AlreadyRunning,
    /// Samples per second outside what the system can do.
    Frequency(u32),
    /// The sampling itself failed.
    Sampling(String),
}

impl fmt::Display for CaptureError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Unsupported => f.write_str(
                "profiles can be taken on x86-64 Linux (glibc) and on macOS alone; elsewhere use the system's profiler",
            ),
            Self::AlreadyRunning => {
                f.write_str("another profile is being taken, and a process can take one at a time: try again later")
            }
            Self::Frequency(hertz) => write!(
                f,
                "{hertz} samples per second: choose from 1 to {}",
                super::capture::MAX_HERTZ
            ),
            Self::Sampling(why) => write!(f, "cannot take a profile ({why}): can the temporary folder be written?"),
        }
    }
}

impl std::error::Error for CaptureError {}

/// A view that cannot be had of a profile.
#[derive(Debug)]
#[non_exhaustive]
pub enum ViewError {
    /// Not a regular expression.
    Pattern(regex::Error),
    /// No function that has samples matches this regular expression.
    NoMatch(String),
    /// No such kind of sample; and those there are.
    SampleIndex(String, Vec<String>),
    /// The base of a comparison measures something else.
    Base(String),
    /// More than a table can show.
    TooLarge(String),
    /// There is no sample to draw.
    NoSamples,
    /// The flamegraph cannot be drawn.
    Drawing(String),
}

impl fmt::Display for ViewError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Pattern(error) => write!(f, "{error}"),
            Self::NoMatch(pattern) => {
                write!(f, "no function in the profile matches '{pattern}': the top view shows their names")
            }
            Self::SampleIndex(name, kinds) => {
                write!(f, "no sample type '{name}' in the profile: choose one of {}", kinds.join(", "))
            }
            Self::Base(why) => write!(f, "the two profiles cannot be compared: {why}"),
            Self::TooLarge(what) => write!(f, "there is too much to show: {what}"),
            Self::NoSamples => f.write_str("the profile has no samples to draw: measure for longer"),
            Self::Drawing(why) => write!(f, "cannot draw the flamegraph: {why}"),
        }
    }
}

impl std::error::Error for ViewError {}

impl From<regex::Error> for ViewError {
    fn from(error: regex::Error) -> Self {
        Self::Pattern(error)
    }
}
