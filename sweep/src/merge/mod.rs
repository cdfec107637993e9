//! Merges the reports and checkpoints of shards into one report, and finds gaps, overlaps and
//! unrelated shards.

mod merged;
mod report_reader;
mod shard_set;
mod union;

pub use merged::{Finding, Merged};
pub use union::{merge, merge_reports};
