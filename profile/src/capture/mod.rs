//! Taking a profile of the running process.
//!
//! Cargo.toml names the same systems as the lines below: those whose stacks the sampling can follow from the innermost
//! frame on. On Linux it knows x86-64 alone; on other CPUs it would leave that frame out.

#[cfg(any(
    all(target_os = "linux", target_env = "gnu", target_arch = "x86_64"),
    all(target_os = "macos", any(target_arch = "x86_64", target_arch = "aarch64"))
))]
mod sampling;
#[cfg(not(any(
    all(target_os = "linux", target_env = "gnu", target_arch = "x86_64"),
    all(target_os = "macos", any(target_arch = "x86_64", target_arch = "aarch64"))
)))]
#[path = "elsewhere.rs"]
mod sampling;

use std::sync::atomic::{AtomicBool, Ordering};

use super::error::CaptureError;
use super::model::Profile;

/// Samples per second of CPU time where nothing else is asked for: enough for shares, too few to slow anything down, and
/// not in step with what happens a hundred times a second.
pub const DEFAULT_HERTZ: u32 = 99;
/// No system's timer is faster.
pub const MAX_HERTZ: u32 = 1000;

/// A profile being taken: of all threads of this process, from [`start`](Self::start) to [`finish`](Self::finish). One at a
/// time in a process.
///
/// On Linux the program must also contain what follows. Without it, all samples in one machine function count for the
/// inlined function and the line that the first of them hit; see `docs/profiling.md`.
///
/// ```no_run
/// # #[cfg(all(target_os = "linux", target_env = "gnu"))]
/// #[unsafe(no_mangle)]
/// extern "C" fn _Unwind_FindEnclosingFunction(address: *mut std::ffi::c_void) -> *mut std::ffi::c_void {
///     address
/// }
/// ```
///
/// After the first profile the process ignores SIGPROF, and so do processes that it starts.
pub struct Capture {
    sampling: sampling::Sampling,
    _only: Only,
}

impl Capture {
    /// Begins to take a profile, of so many samples per second of CPU time. Above the system's tick, often 250 per
    /// second, there will be fewer; the time that they stand for is right all the same.
    ///
    /// # Errors
    ///
    /// Where another profile is being taken, on a system that is not supported, or outside 1 to [`MAX_HERTZ`].
    pub fn start(hertz: u32) -> Result<Self, CaptureError> {
        if !(1..=MAX_HERTZ).contains(&hertz) {
            return Err(CaptureError::Frequency(hertz));
        }
        let only = Only::claim()?;
        Ok(Self { sampling: sampling::Sampling::start(hertz)?, _only: only })
    }

    /// Ends it. Finding the names of functions takes up to some seconds.
    ///
    /// # Errors
    ///
    /// Where the samples, which may have gone to a temporary file, cannot be read.
    pub fn finish(self) -> Result<Profile, CaptureError> {
        self.sampling.finish()
    }
}

/// Proof that no other profile is being taken.
struct Only;

static IS_TAKEN: AtomicBool = AtomicBool::new(false);

impl Only {
    fn claim() -> Result<Self, CaptureError> {
        let claim = IS_TAKEN.compare_exchange(false, true, Ordering::AcqRel, Ordering::Acquire);
        claim.map(|_| Self).map_err(|_| CaptureError::AlreadyRunning)
    }
}

impl Drop for Only {
    fn drop(&mut self) {
        IS_TAKEN.store(false, Ordering::Release);
    }
}
