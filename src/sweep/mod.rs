//! The sweep engine: any codec, every value, against an independent oracle.
//!
//! For every value a sweep encodes, compares the bytes with those of an [`oracle`], decodes, and compares the value and
//! the length. A round trip alone cannot see an encoder and a decoder that are wrong together.
//!
//! Anything that implements [`Codec`] can be swept, from a test for example:
//!
//! ```
//! use zigzag_varint::VarInt;
//! use zigzag_varint::sweep::{FailureKind, Sweep, one_by_one};
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
//! let report = Sweep::new().ranges([zigzag_varint::sweep::Interval { first: 0, last: 2_000_000 }]).run(&codec)?;
//! assert_eq!(report.failures, 1);
//! assert_eq!(report.first_failures[0].value, "1000000");
//! assert_eq!(report.first_failures[0].kind, FailureKind::WrongValue);
//! # Ok::<(), zigzag_varint::sweep::SweepError>(())
//! ```

mod article2015;
mod board;
pub mod bytes;
mod calibrate;
mod call;
mod check;
mod checkpoint;
mod codec;
mod codecs;
mod cpu;
mod decimal;
mod edges;
mod engine;
mod environment;
mod estimate;
#[cfg(unix)]
mod exec;
mod failure;
#[doc(hidden)]
pub mod fuzzing;
mod guard;
#[cfg(feature = "http")]
pub mod http;
mod integer;
pub mod interval;
mod ledger;
mod machine;
pub mod merge;
pub mod oracle;
mod output;
pub mod partition;
mod plain;
mod preflight;
mod preset;
mod progress;
mod range;
mod report;
mod sample;
mod schedule;
mod shard;
mod status;
mod status_file;
mod summary;
mod text;
mod units;
mod watch;
mod worker;

pub use check::BLOCK;
pub use checkpoint::Checkpoint;
pub use codec::{Breakdown, Codec, CodecError, one_by_one};
pub use codecs::{CODECS, Named};
pub use engine::{Sweep, SweepError};
pub use environment::{Assignment, assigned};
pub use estimate::Estimate;
#[cfg(unix)]
pub use exec::{Exec, ExecError, kill_children};
pub use failure::{Failure, FailureKind};
pub use integer::Integer;
pub use interval::Interval;
pub use machine::Machine;
pub use output::OutputFile;
pub use preflight::{Warning, preflight};
pub use preset::{PRESETS, Preset};
pub use progress::{Aside, Progress, line};
pub use range::{Range, RangeError};
pub use report::{Ending, Mode, Report, StratumReport};
pub use sample::NEIGHBOURHOOD;
pub use shard::Shard;
pub use status::{Saving, State, Status};
pub use status_file::StatusFile;
pub use text::Text;
pub use watch::{Goal, Watch};
