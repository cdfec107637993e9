//! Takes CPU profiles of the running process and shows profiles of any program, as `go tool pprof`
//! does.
//!
//! - [`Capture`] takes a CPU profile of all threads of this process (x86-64 Linux with glibc, and
//!   macOS).
//! - [`Profile`] is a profile in memory. It is read from and written to [pprof's
//!   format](https://github.com/google/pprof/blob/main/proto/profile.proto) on every platform,
//!   whichever program wrote it.
//! - [`View`] shows a profile as text or as a flamegraph. It chooses the sample type, the samples
//!   and a base to compare with.
//!
//! # Examples
//!
//! Take a profile and print the ten functions that use the most CPU time:
//!
//! ```
//! use pprof_views::{Capture, View};
//!
//! # if cfg!(not(all(target_os = "linux", target_env = "gnu", target_arch = "x86_64"))) { return Ok(()) }
//! let capture = Capture::start(pprof_views::DEFAULT_HERTZ)?;
//! let sum: u64 = (0..20_000_000u64).map(std::hint::black_box).sum();
//! let profile = capture.finish()?;
//! println!("{sum}\n{}", View::new(&profile).rows(10).top()?);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! Show a profile that any program left in a file:
//!
//! ```no_run
//! use pprof_views::{Profile, View};
//!
//! let (before, after) = (Profile::read("before.pb.gz".as_ref())?, Profile::read("after.pb.gz".as_ref())?);
//! println!("{}", View::new(&after).top()?);
//! println!("{}", View::new(&after).diff(&before)?.peek("decode")?);
//! std::fs::write("after.svg", View::new(&after).flamegraph()?)?;
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Limits
//!
//! Files may be hostile. Reading and showing a profile takes less than 256 MiB of memory, whatever
//! is in the file, and ends in a value or an error, never in a panic. Text contains no control
//! characters except line feeds and tabs.

mod capture;
mod format;
mod names;
mod views;

pub use capture::{Capture, CaptureError, DEFAULT_HERTZ, MAX_HERTZ};
pub use format::{Profile, ProfileError};
pub use views::{View, ViewError};

/// The examples of the README, tested where profiles can be taken.
#[cfg(all(
    doctest,
    any(
        all(target_os = "linux", target_env = "gnu", target_arch = "x86_64"),
        all(target_os = "macos", any(target_arch = "x86_64", target_arch = "aarch64"))
    )
))]
#[doc = include_str!("../README.md")]
struct Readme;
