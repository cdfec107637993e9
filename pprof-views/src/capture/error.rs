//! The errors of taking a profile, and how many samples are taken.

use std::fmt;

/// The default number of samples per second of CPU time.
///
/// It is enough for percentages and too low to slow a program down. It is not 100, so that the
/// samples do not coincide with work that is done a hundred times per second.
pub const DEFAULT_HERTZ: u32 = 99;
/// The maximum number of samples per second of CPU time. No supported system has a faster timer.
pub const MAX_HERTZ: u32 = 1000;
/// The default number of allocated bytes per sample of a heap profile, which is that of Go: 512 KiB.
#[cfg(feature = "heap")]
pub const DEFAULT_RATE: usize = 512 << 10;

/// An error that occurs while a profile is taken.
#[derive(Debug)]
#[non_exhaustive]
pub enum CaptureError {
    /// Profiles cannot be taken on this operating system or CPU.
    Unsupported,
    /// Another profile is being taken. A process has one profiling timer.
    AlreadyRunning,
    /// The given number of samples per second is not between 1 and [`MAX_HERTZ`].
    InvalidFrequency(u32),
    /// The program's allocator takes no samples, so that there is no profile of the heap.
    NoHeapProfiler,
    /// The sampling failed. The text is the error of the profiler or the operating system.
    Sampling(String),
}

impl fmt::Display for CaptureError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Unsupported => {
                // What writes pprof's format, or shows profiles itself.
                let other = if cfg!(windows) {
                    "`samply record`"
                } else if cfg!(target_os = "linux") {
                    "`perf record -g`, whose files `perf_to_profile` converts to pprof's format, or `samply record`"
                } else {
                    "cargo-flamegraph, which takes profiles with DTrace"
                };
                write!(
                    f,
                    "taking profiles is supported only on Linux with glibc and on macOS, on x86-64 and aarch64; use \
                     {other} instead"
                )
            }
            Self::AlreadyRunning => {
                f.write_str("another profile is being taken (a process can take one at a time); try again later")
            }
            Self::InvalidFrequency(hertz) => {
                write!(f, "invalid sampling frequency: {hertz} Hz; choose a value from 1 to {MAX_HERTZ}")
            }
            Self::NoHeapProfiler => f.write_str(
                "this program has no heap profiler; add to its sources, with the feature `heap` of pprof-views: \
                 #[global_allocator] static ALLOCATOR: pprof_views::heap::HeapProfiler = \
                 pprof_views::heap::HeapProfiler::new();",
            ),
            Self::Sampling(error) => {
                write!(f, "cannot take a profile: {error}; check that the temporary folder is writable")
            }
        }
    }
}

impl std::error::Error for CaptureError {}
