//! Takes profiles of the running process.

mod error;
#[cfg(feature = "heap")]
pub mod heap;
// The systems on which pprof-rs, or its fork on aarch64 Linux, records a stack from the innermost frame
// on. Cargo.toml has the same condition, because Cargo cannot take it from here.
#[cfg_attr(
    not(all(
        any(target_arch = "x86_64", target_arch = "aarch64"),
        any(all(target_os = "linux", target_env = "gnu"), target_os = "macos")
    )),
    path = "unsupported.rs"
)]
mod sampling;

pub use error::{CaptureError, DEFAULT_HERTZ, MAX_HERTZ};

use crate::format::Profile;

/// A CPU profile that is being taken.
///
/// It covers all threads of this process, from [`start`](Self::start) to [`finish`](Self::finish).
/// A process takes one profile at a time. Dropping a capture stops the sampling and discards the
/// samples.
///
/// The profile has two sample types: `samples` in `count`, and `cpu` in `nanoseconds`. The
/// nanoseconds of all samples add up to the CPU time that the process used in between.
///
/// After the first profile, this process and the processes that it starts ignore the signal
/// SIGPROF.
///
/// # Deep stacks
///
/// A stack has up to 512 frames, of which inlined functions are no part. The outermost functions of a
/// deeper one are unknown. So are those of a stack in which the unwinder stops in memory that belongs to
/// no file, such as machine code that was made at run time. For all of them stands a function `[truncated]`.
/// Tables and flamegraphs say which share of a profile that is. Stacks that lack their outermost functions
/// for other reasons are not recognized, nor is the second reason on macOS.
///
/// The unwinder reads the files of the program and of its libraries at the first profile. The stacks of a
/// program that was deleted before lack functions, and so can those in a library that was loaded after.
///
/// What the depth costs (x86-64 Linux, optimized):
///
/// | | cost |
/// |---|---|
/// | memory | twice 70 MB, which the process keeps after its first profile |
/// | time | the first profile starts in 150 ms, others in half of it; each ends in 20 ms, and the time for names |
/// | time of a sample | 0.02 ms for 10 frames, 0.2 ms for 300, 0.4 ms for 512: at 99 samples per second 4 % of the CPU time |
/// | disk | 4 KB for each distinct stack above 16,384, in the temporary folder |
/// | stack | on Linux about 4 KB, the registers that the system stores for a signal: the signal handler has its own stack, so that threads with 16 KiB can be profiled. On macOS 26 KB, and 66 KB in debug builds |
///
/// # Inlined functions on Linux
///
/// On Linux a program (not a library) should enable the feature `program`, which replaces a
/// process-wide symbol. Without it, all samples in a machine function are attributed to the inlined
/// functions and the line of the first of these samples.
pub struct Capture {
    sampling: sampling::Sampling,
}

impl Capture {
    /// Whether profiles, of CPU time and of the heap, can be taken on this system: Linux with glibc or
    /// macOS, on x86-64 or aarch64.
    pub const IS_SUPPORTED: bool = sampling::IS_SUPPORTED;

    /// Starts to take a profile with `hertz` samples per second of CPU time.
    ///
    /// `hertz` must be between 1 and [`MAX_HERTZ`]; [`DEFAULT_HERTZ`] suits most programs. A
    /// frequency above the tick rate of the kernel, often 250 Hz, gives fewer samples than
    /// requested. Their nanoseconds still add up to the CPU time.
    ///
    /// # Errors
    ///
    /// - [`CaptureError::InvalidFrequency`] if `hertz` is out of range.
    /// - [`CaptureError::AlreadyRunning`] if another profile is being taken.
    /// - [`CaptureError::Unsupported`] unless profiles [can be taken](Self::IS_SUPPORTED) on this system.
    /// - [`CaptureError::Sampling`] if the timer, the signal handler or the temporary file for the
    ///   samples cannot be set up.
    pub fn start(hertz: u32) -> Result<Self, CaptureError> {
        if !(1..=MAX_HERTZ).contains(&hertz) {
            return Err(CaptureError::InvalidFrequency(hertz));
        }
        Ok(Self { sampling: sampling::Sampling::start(hertz)? })
    }

    /// Stops the sampling and returns the profile.
    ///
    /// Looking up the names of functions can take several seconds. The profile does not cover that
    /// time.
    ///
    /// # Errors
    ///
    /// [`CaptureError::Sampling`] if the samples cannot be read, for instance from the temporary
    /// file that holds most of them.
    pub fn finish(self) -> Result<Profile, CaptureError> {
        self.sampling.finish()
    }
}

#[cfg(test)]
mod tests {
    #[test]
    fn dependencies_are_those_of_the_supported_systems() {
        let [code, manifest] = [include_str!("mod.rs"), include_str!("../../Cargo.toml")]
            .map(|text| text.split_whitespace().collect::<String>());
        let (_, rest) = code.split_once("cfg_attr(not(").expect("the condition");
        let (condition, _) = rest.split_once("),path=").expect("the end of the condition");
        assert!(manifest.contains(&format!("[target.'cfg({condition})'.dependencies")), "{condition}");
    }
}
