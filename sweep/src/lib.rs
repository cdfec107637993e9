#![doc = include_str!("../README.md")]

mod check;
mod environment;
mod error;
#[cfg(unix)]
mod exec;
mod numbers;
mod plan;
mod report;
mod run;
mod state;
mod watch;

pub mod byte_strings;
#[cfg(feature = "http")]
pub mod http;
pub mod merge;
pub mod replay;

pub use check::codec::{Breakdown, Codec, CodecError, codec_from_fns};
pub use check::compare::{Compare, Equal, NanEqual, SameBits, Ulps, agrees};
pub use check::failure::{Failure, FailureKind, Worst};
pub use check::function::{Block, Check, Fault};
pub use check::oracle::{NoOracle, Oracle, Wire};
pub use check::round_trip::RoundTrip;
pub use error::{FileError, SweepError};
#[cfg(unix)]
pub use exec::{ExecCodec, ExecDecoder, ExecFunctions, PROTOCOL, kill_children};
pub use plan::byte_strings::{ByteString, ByteStrings};
pub use plan::integer::Integer;
pub use plan::interval::Interval;
pub use plan::list::List;
pub use plan::number_syntax::parse_integer;
pub use plan::sample::Mode;
pub use plan::scalar::{Scalars, all};
pub use plan::shard::Shard;
pub use plan::space::{Class, Space};
pub use report::output_file::OutputFile;
pub use report::sweep_report::{Ending, Report, StratumReport};
pub use run::assertion::exhaustive;
pub use run::sweep::Sweep;
pub use state::checkpoint::Checkpoint;
pub use state::failure_list::FailureList;
pub use watch::handle::Watch;
pub use watch::progress_line::ProgressLine;
pub use watch::status::Status;
pub use watch::status_file::StatusFile;
