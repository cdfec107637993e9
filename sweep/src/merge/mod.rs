//! The union of shards: reports and checkpoints made into one report, with everything that keeps it from being whole.

mod finding;
mod report_reader;
mod shard_set;
mod union;

pub use finding::Finding;
pub use report_reader::{parse_report, read_report};
pub use union::{Merged, merge, unite};
