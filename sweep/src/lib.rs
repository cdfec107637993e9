//! The sweep engine: any codec, every value, against an independent oracle.
//!
//! For every value a sweep encodes, compares the bytes with those of an [`oracle`], decodes, and compares the value and
//! the length. A round trip alone cannot see an encoder and a decoder that are wrong together.
//!
//! Anything that implements [`Codec`] can be swept, from a test for example:
//!
//! ```
//! use zigzag_varint::VarInt;
//! use varint_sweep::{FailureKind, Sweep, one_by_one};
//!
//! // A decoder that is wrong for a single value.
//! let codec = one_by_one(
//!     "mine",
//!     |value: i32, dst| Ok(value.encode_to_slice(dst)?),
//!     |src| {
//!         let (value, len) = i32::decode(src)?;
//!         Ok((if value == 1_000_000 { 0 } else { value }, len))
//!     },
//! );
//! let report = Sweep::new().ranges([varint_sweep::Interval { first: 0, last: 2_000_000 }]).run(&codec)?;
//! assert_eq!(report.failures, 1);
//! assert_eq!(report.first_failures[0].value, "1000000");
//! assert_eq!(report.first_failures[0].kind, FailureKind::WrongValue);
//! # Ok::<(), varint_sweep::SweepError>(())
//! ```

mod check;
mod environment;
mod error;
#[cfg(unix)]
mod exec;
mod plan;
mod report;
mod run;
mod state;
mod watch;

//BYTES pub mod bytes;
#[doc(hidden)]
pub mod fuzzing;
#[cfg(feature = "http")]
pub mod http;
pub mod merge;

pub use check::checker::BLOCK;
pub use check::codec::{Breakdown, Codec, CodecError, one_by_one};
pub use check::failure::{Failure, FailureKind};
pub use check::oracle;
pub use environment::assignment::{Assignment, assigned};
pub use environment::machine::Machine;
pub use environment::preflight::{Warning, preflight};
pub use error::SweepError;
#[cfg(unix)]
pub use exec::{Exec, ExecError, kill_children};
pub use plan::integer::Integer;
pub use plan::interval::Interval;
pub use plan::mode::Mode;
pub use plan::range::{Range, RangeError};
pub use plan::sample::NEIGHBOURHOOD;
pub use plan::shard::Shard;
pub use plan::{interval, partition};
pub use report::output_file::OutputFile;
pub use report::sweep_report::{Ending, Report, StratumReport};
pub use report::text::Text;
pub use run::estimate::Estimate;
pub use run::sweep::Sweep;
pub use state::checkpoint::Checkpoint;
pub use watch::handle::{Goal, Watch};
pub use watch::progress_line::{Aside, ProgressLine, line};
pub use watch::status::{Saving, State, Status};
pub use watch::status_file::StatusFile;
