//! The reasons why a union of reports is not complete and clean.

use std::fmt;

use crate::error::FileError;
use crate::numbers::plural;
use crate::plan::interval::{Interval, Ranges, count};
use crate::report::printable::Printable;

/// One problem with a union.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Finding {
    /// A file that is not a report, or a report that contradicts itself.
    Unreadable(FileError),
    /// A report of another sweep, which is ignored.
    Unrelated {
        /// The name of the file.
        file: String,
        /// How it differs from the other reports.
        differs: String,
        /// The values that it covers.
        covered: Vec<Interval>,
    },
    /// A report that covers the same values as another one, or is of the same shard of a sample. It
    /// is ignored.
    Duplicate {
        /// The name of the file.
        file: String,
        /// The name of the other file.
        of: String,
        /// The values that it covers.
        covered: Vec<Interval>,
    },
    /// Values that two reports cover.
    Overlap {
        /// The name of the later file.
        file: String,
        /// The name of the earlier file.
        with: String,
        /// The values.
        values: Vec<Interval>,
    },
    /// Values of the plan that no report covers.
    Gap {
        /// The values.
        values: Vec<Interval>,
    },
    /// Shards without a report, or with an unfinished one only.
    Shards {
        /// The shards, as K/N, with several K as 1-3,5.
        missing: String,
    },
}

impl Finding {
    /// Returns whether a file cannot be merged, because it is unreadable or of another sweep.
    pub fn is_mismatch(&self) -> bool {
        matches!(self, Self::Unreadable(_) | Self::Unrelated { .. })
    }
}

impl fmt::Display for Finding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        Printable(Unfiltered(self)).fmt(f)
    }
}

/// The finding with names as they are in the files, control characters included.
struct Unfiltered<'f>(&'f Finding);

impl fmt::Display for Unfiltered<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let number = |values: &[Interval]| plural(count(values), "value");
        match self.0 {
            Finding::Unreadable(error) => error.fmt(f),
            Finding::Unrelated { file, differs, covered } => {
                let covered = Ranges(covered);
                write!(f, "'{file}': unrelated shard, ignored ({differs}; it covers {covered})")
            }
            Finding::Duplicate { file, of, covered } => {
                let covered = Ranges(covered);
                write!(f, "'{file}': duplicate of '{of}', ignored (it covers {covered})")
            }
            Finding::Overlap { file, with, values } => write!(
                f,
                "overlap: '{file}' and '{with}' both cover {} ({}); leave one of them out",
                Ranges(values),
                number(values)
            ),
            Finding::Gap { values } => {
                write!(f, "gap: no report covers {} ({})", Ranges(values), number(values))
            }
            Finding::Shards { missing } => {
                write!(f, "shard {missing}: missing or unfinished; run it, or resume its checkpoint")
            }
        }
    }
}
