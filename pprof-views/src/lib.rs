//! Takes CPU profiles of the running process and shows profiles of any program like
//! `go tool pprof`.
//!
//! - [`Capture`] takes a CPU profile of all threads of this process, on the systems of
//!   [`Capture::IS_SUPPORTED`].
//! - [`Profile`] is a profile in memory. It is read from and written to [pprof's
//!   format](https://github.com/google/pprof/blob/main/proto/profile.proto). Reading works on every
//!   platform and for the profiles of any program.
//! - [`View`] shows a profile as a table or as a flamegraph. It selects the sample type, the
//!   samples and an optional base profile to compare with.
#![cfg_attr(feature = "program", doc = "- [`criterion::Flamegraph`] draws a flamegraph of each benchmark.")]
#![cfg_attr(feature = "heap", doc = "- [`heap::HeapProfiler`] is an allocator with profiles of the heap.")]
#![cfg_attr(feature = "http", doc = "- [`http::router`] serves profiles of the running process over HTTP.")]
//!
//! # Features
//!
//! - `criterion`: flamegraphs of benchmarks with the crate criterion.
//! - `heap`: profiles of the heap, by a global allocator that samples allocations.
//! - `http`: profiles over HTTP, as a router of the crate axum 0.8.
//! - `program`: separate samples of inlined functions on Linux, by a process-wide symbol, and the module
//!   `criterion` for variants of criterion. It is for programs, not for libraries, and part of `criterion`.
//!
//! # Examples
//!
//! Take a profile and print the ten functions that use the most CPU time:
//!
//! ```
//! use pprof_views::{Capture, DEFAULT_HERTZ, View};
//!
//! # if !Capture::IS_SUPPORTED { return Ok(()) }
//! let capture = Capture::start(DEFAULT_HERTZ)?;
//! let sum: u64 = (0..20_000_000u64).map(std::hint::black_box).sum();
//! let profile = capture.finish()?;
//! println!("{sum}\n{}", View::new(&profile).node_count(10).top());
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Limits
//!
//! Profiles may come from untrusted sources. A profile beyond the [`Limits`], of bytes or of frames in its
//! stacks, is refused. Reading and showing a profile returns a value or an error and never panics. The text
//! of tables contains no control characters other than line feeds and tabs.
//!
//! Reading a profile of a program takes memory of at most five times its uncompressed size; for any other
//! bytes it is at most 24 times. Showing a profile takes four times its size, and the text that is returned.
//! [`View::peek`] of all functions also takes up to 60 bytes for each pair of functions of which one calls
//! the other.

mod capture;
#[cfg(feature = "program")]
pub mod criterion;
mod demangle;
mod format;
#[cfg(feature = "http")]
pub mod http;
mod names;
mod sum;
mod views;

#[cfg(feature = "heap")]
pub use capture::heap;
pub use capture::{Capture, CaptureError, DEFAULT_HERTZ, MAX_HERTZ};
pub use format::{Limits, Profile, ProfileError};
pub use views::{View, ViewError};
