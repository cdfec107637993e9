//! Merges the reports and checkpoints of shards into one report, and finds gaps, overlaps and
//! unrelated shards.

mod finding;
mod merged_text;
mod report_reader;
mod shard_cases;
mod shard_set;
mod union;

pub use finding::Finding;
pub use merged_text::MergedText;
pub use report_reader::{parse_report, read_report};
pub use shard_cases::ShardCases;
pub use union::{Merged, merge, merge_reports};
