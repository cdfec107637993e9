//! Taking a profile of the running process.
//!
//! The two conditions below name the systems on which pprof-rs follows a stack from the innermost
//! frame on. On Linux it does so on x86-64 alone; on other CPUs it leaves that frame out.
//! Cargo.toml names the same systems.

mod error;
mod frequency;
#[cfg(any(
    all(target_os = "linux", target_env = "gnu", target_arch = "x86_64"),
    all(target_os = "macos", any(target_arch = "x86_64", target_arch = "aarch64"))
))]
mod sampling;
#[cfg(not(any(
    all(target_os = "linux", target_env = "gnu", target_arch = "x86_64"),
    all(target_os = "macos", any(target_arch = "x86_64", target_arch = "aarch64"))
)))]
#[path = "unsupported.rs"]
mod sampling;

use std::sync::atomic::{AtomicBool, Ordering};

pub use error::CaptureError;
pub use frequency::{DEFAULT_HERTZ, MAX_HERTZ};

use crate::format::Profile;

/// A profile that is being taken: of all threads of this process, from [`start`](Self::start) to
/// [`finish`](Self::finish).
///
/// A process takes one profile at a time. Dropping a capture ends it without a profile.
///
/// The profile has two sample types: `samples` in `count`, and `cpu` in `nanoseconds`. The
/// nanoseconds of all samples add up to the CPU time that the process used meanwhile.
///
/// After the first profile the process ignores the signal SIGPROF, and so do processes that it
/// starts.
///
/// # Inlined functions on Linux
///
/// On Linux the program (not a library) should contain the following function. Without it, all
/// samples in one machine function count for the inlined function and the line that the first of
/// them hit.
///
/// ```no_run
/// # #[cfg(all(target_os = "linux", target_env = "gnu"))]
/// #[unsafe(no_mangle)]
/// extern "C" fn _Unwind_FindEnclosingFunction(address: *mut std::ffi::c_void) -> *mut std::ffi::c_void {
///     address
/// }
/// ```
///
/// pprof-rs counts two samples as one if this function returns the same address for both. The one
/// of the system returns the start of the machine function. This one returns the address itself.
pub struct Capture {
    sampling: sampling::Sampling,
    _only: Only,
}

impl Capture {
    /// Starts to take a profile with `hertz` samples per second of CPU time.
    ///
    /// `hertz` is between 1 and [`MAX_HERTZ`]; [`DEFAULT_HERTZ`] suits most programs. Above the
    /// tick of the kernel, often 250 per second, there are fewer samples than that. The CPU time
    /// that they stand for is right all the same.
    ///
    /// # Errors
    ///
    /// - [`CaptureError::Frequency`] if `hertz` is out of range.
    /// - [`CaptureError::AlreadyRunning`] if another profile is being taken.
    /// - [`CaptureError::Unsupported`] on a system on which no profile can be taken.
    /// - [`CaptureError::Sampling`] if the timer, the signal or the temporary file for the samples
    ///   cannot be set up.
    pub fn start(hertz: u32) -> Result<Self, CaptureError> {
        if !(1..=MAX_HERTZ).contains(&hertz) {
            return Err(CaptureError::Frequency(hertz));
        }
        let only = Only::claim()?;
        Ok(Self { sampling: sampling::Sampling::start(hertz)?, _only: only })
    }

    /// Ends the sampling and returns the profile.
    ///
    /// It takes up to some seconds to find the names of functions. The profile does not cover that
    /// time.
    ///
    /// # Errors
    ///
    /// [`CaptureError::Sampling`] if the samples cannot be read. Many of them go to a temporary
    /// file.
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
