//! CPU profiles: taking them, reading and writing pprof's format, and showing them as `go tool pprof` does.
//!
//! [`Capture`] takes a profile of the running process, [`Profile`] is one in memory, [`View`] shows it.
//!
//! ```
//! use zigzag_varint::sweep::profile::{Capture, View};
//!
//! # if cfg!(not(all(target_os = "linux", target_env = "gnu", target_arch = "x86_64"))) { return Ok(()) }
//! let capture = Capture::start(99)?;
//! let sum: u64 = (0..20_000_000u64).map(std::hint::black_box).sum();
//! let profile = capture.finish()?;
//! println!("{sum}\n{}", View::new(&profile).rows(10).top()?);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod capture;
mod error;
mod fields;
mod flame;
mod graph;
mod limits;
mod list;
mod model;
mod names;
mod peek;
mod prune;
mod read;
mod source;
mod table;
mod top;
mod units;
mod view;
mod wire;
mod write;

pub use capture::{Capture, DEFAULT_HERTZ, MAX_HERTZ};
pub use error::{CaptureError, ProfileError, ViewError};
pub use model::Profile;
pub use view::View;
