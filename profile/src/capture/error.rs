//! Why a profile cannot be taken.

use std::fmt;

use super::frequency::MAX_HERTZ;

/// An error that occurs while a profile is taken.
#[derive(Debug)]
#[non_exhaustive]
pub enum CaptureError {
    /// Profiles cannot be taken on this system or CPU.
    Unsupported,
    /// Another profile is being taken. The system has one profiling timer for a process.
    AlreadyRunning,
    /// This number of samples per second is not between 1 and [`MAX_HERTZ`].
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
            Self::Frequency(hertz) => write!(f, "{hertz} samples per second: choose from 1 to {MAX_HERTZ}"),
            Self::Sampling(why) => write!(f, "cannot take a profile ({why}): can the temporary folder be written?"),
        }
    }
}

impl std::error::Error for CaptureError {}
