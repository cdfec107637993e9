//! What keeps a union of reports from being complete and clean.

use std::fmt;

use crate::plan::interval::{Interval, Ranges, count};
use crate::report::printable::Printable;

/// One thing that is wrong with a union.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Finding {
    /// A file that is no report, or one whose counts are not those of what it covers.
    Unreadable {
        /// Its name.
        file: String,
        /// Why, and the remedy.
        why: String,
    },
    /// A report of another sweep, left out.
    Foreign {
        /// Its name.
        file: String,
        /// In what it differs.
        differs: String,
        /// What it covers.
        covered: Vec<Interval>,
    },
    /// A report of what another one has in full, left out.
    Duplicate {
        /// Its name.
        file: String,
        /// The other's.
        of: String,
        /// What both cover.
        covered: Vec<Interval>,
    },
    /// Values that two reports cover.
    Overlap {
        /// The name of the later one.
        file: String,
        /// The earlier one's.
        with: String,
        /// The values.
        values: Vec<Interval>,
    },
    /// Values of the plan that no report covers.
    Gap {
        /// The values.
        values: Vec<Interval>,
    },
    /// ShardSet of which there is no report, or an unfinished one only.
    Shards {
        /// As K/N, with several K as 1-3,5.
        missing: String,
    },
}

impl Finding {
    /// Whether a file is to blame that does not belong here, rather than work that is not done.
    pub fn is_mismatch(&self) -> bool {
        matches!(self, Self::Unreadable { .. } | Self::Foreign { .. })
    }
}

impl fmt::Display for Finding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        Printable(Words(self)).fmt(f)
    }
}

/// The finding, with names as they are in the files.
struct Words<'f>(&'f Finding);

impl fmt::Display for Words<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            Finding::Unreadable { file, why } => write!(f, "unreadable: '{file}': {why}"),
            Finding::Foreign { file, differs, covered } => {
                write!(
                    f,
                    "foreign: '{file}' is of another sweep ({differs}) and is left out: it covers {}",
                    Ranges(covered)
                )
            }
            Finding::Duplicate { file, of, covered } => {
                write!(f, "duplicate: '{file}' has what '{of}' has and is left out: {}", Ranges(covered))
            }
            Finding::Overlap { file, with, values } => write!(
                f,
                "overlap: '{file}' and '{with}' both cover {} (values: {}): leave one of them out",
                Ranges(values),
                count(values)
            ),
            Finding::Gap { values } => {
                write!(f, "gap: nothing covers {} (values: {})", Ranges(values), count(values))
            }
            Finding::Shards { missing } => {
                write!(f, "missing or unfinished: shard {missing}: run it, or resume its checkpoint")
            }
        }
    }
}
