#![doc = include_str!("../README.md")]

mod error;
#[cfg(unix)]
mod exec;
mod texts;

pub mod byte_strings;
pub mod replay;

/// Checks blocks of inputs: the check, its driver, and codecs with their oracles.
mod check {
    pub(crate) mod bounds;
    pub(crate) mod codec;
    pub(crate) mod compare;
    pub(crate) mod driver;
    pub(crate) mod erased;
    pub(crate) mod failure;
    pub(crate) mod function;
    pub(crate) mod inputs;
    pub(crate) mod isolation;
    pub(crate) mod losses;
    pub(crate) mod oracle;
    pub(crate) mod panics;
    pub(crate) mod round_trip;
    pub(crate) mod subject;
    pub(crate) mod worst;
}

/// The values that a sweep checks, and the order in which it does.
mod plan {
    pub(crate) mod byte_strings;
    pub(crate) mod collector;
    mod coverage;
    pub(crate) mod edges;
    pub(crate) mod float;
    pub(crate) mod integer;
    pub(crate) mod interval;
    pub(crate) mod interval_file;
    pub(crate) mod interval_set;
    pub(crate) mod list;
    pub(crate) mod mode;
    pub(crate) mod number;
    pub(crate) mod number_syntax;
    pub(crate) mod product;
    mod range_syntax;
    pub(crate) mod rounds;
    pub(crate) mod sample;
    pub(crate) mod scalar;
    pub(crate) mod schedule;
    pub(crate) mod shard;
    pub(crate) mod space;
    pub(crate) mod space_names;
    pub(crate) mod validity;
    pub(crate) mod values;
}

/// The report of a sweep: as JSON, as text, and as JUnit XML.
mod report {
    mod comparison;
    pub(crate) mod cpu_use;
    pub(crate) mod decimal;
    pub(crate) mod file_identity;
    pub(crate) mod file_lock;
    pub(crate) mod identity;
    pub(crate) mod junit;
    pub(crate) mod limit;
    pub(crate) mod long_plan;
    mod names;
    pub(crate) mod outcome;
    pub(crate) mod output_file;
    pub(crate) mod running_report;
    pub(crate) mod setting;
    pub(crate) mod standard_streams;
    pub(crate) mod stratum;
    pub(crate) mod sweep_report;
    mod table;
    pub(crate) mod text_report;
}

/// Runs a sweep: its settings, its worker threads, and one run from start to report.
mod run {
    pub(crate) mod assertion;
    mod claims;
    mod ends;
    mod mode_choice;
    mod pace;
    pub(crate) mod session;
    pub(crate) mod settings;
    pub(crate) mod sweep;
    pub(crate) mod worker;
}

/// The progress of a running sweep, in memory and in its checkpoint.
mod state {
    pub(crate) mod checkpoint;
    pub(crate) mod external_sort;
    pub(crate) mod failure_lines;
    pub(crate) mod failure_list;
    mod first_failures;
    pub(crate) mod totals;
}

/// Observes and stops a running sweep.
mod watch {
    pub(crate) mod governor;
    pub(crate) mod handle;
    pub(crate) mod periodic;
    pub(crate) mod progress;
    pub(crate) mod status;
    pub(crate) mod threads;
}

/// Merges the reports and checkpoints of shards into one report, and finds gaps, overlaps and
/// unrelated shards.
pub mod merge {
    mod merged;
    mod report_reader;
    mod union;

    pub use merged::{Finding, FindingKind, Merged};
    pub use union::{merge, merge_reports};
}

pub use check::codec::{Breakdown, Codec, CodecError, codec_from_fns};
pub use check::compare::{Compare, Equal, Expected, NanEqual, SameBits, Ulps, agrees};
pub use check::failure::{Failure, FailureKind};
pub use check::function::{Block, Check, Fault};
pub use check::oracle::{NoOracle, Oracle, Wire};
pub use check::round_trip::RoundTrip;
pub use check::worst::Worst;
pub use error::{FileError, SweepError};
#[cfg(unix)]
pub use exec::{ExecCodec, ExecDecoder, ExecFunctions, ExecProgram, ExecTask, PROTOCOL, kill_children};
pub use plan::byte_strings::{ByteString, ByteStrings};
pub use plan::integer::Integer;
pub use plan::interval::Interval;
pub use plan::interval_set::IntervalSet;
pub use plan::list::List;
pub use plan::mode::Mode;
pub use plan::number::Number;
pub use plan::number_syntax::parse_integer;
pub use plan::scalar::{Scalars, all};
pub use plan::shard::Shard;
pub use plan::space::{Class, Space};
pub use report::file_identity::FileIdentity;
pub use report::limit::{Limit, Limited};
pub use report::long_plan::LongPlan;
pub use report::output_file::OutputFile;
pub use report::standard_streams::{is_stderr, is_stdout};
pub use report::stratum::StratumReport;
pub use report::sweep_report::{Ending, Report, ThreadCpu};
pub use run::assertion::exhaustive;
pub use run::sweep::Sweep;
pub use state::checkpoint::Checkpoint;
pub use state::failure_list::FailureList;
pub use watch::handle::Watch;
pub use watch::periodic::{ProgressLine, StatusFile};
pub use watch::status::Status;
