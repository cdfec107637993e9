//! The union of shards: reports and checkpoints made into one report, with everything that keeps it from being whole.

mod finding;
mod shards;
mod source;
mod union;

pub use finding::Finding;
pub use source::{parse_report, read_report};
pub use union::{Merged, merge, unite};
