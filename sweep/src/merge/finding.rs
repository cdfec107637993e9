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
        let values_of =
            |values: &[Interval]| format!("{} ({})", Ranges(values), plural(count(values), "value"));
        let text = match self {
            Self::Unreadable(error) => error.to_string(),
            Self::Unrelated { file, differs, covered } => {
                let covered = Ranges(covered);
                format!("'{file}': unrelated shard, ignored ({differs}; it covers {covered})")
            }
            Self::Duplicate { file, of, covered } => {
                format!("'{file}': duplicate of '{of}', ignored (it covers {})", Ranges(covered))
            }
            Self::Overlap { file, with, values } => {
                let values = values_of(values);
                format!("overlap: '{file}' and '{with}' both cover {values}; leave one of them out")
            }
            Self::Gap { values } => format!("gap: no report covers {}", values_of(values)),
            Self::Shards { missing } => {
                format!("shard {missing}: missing or unfinished; run it, or resume its checkpoint")
            }
        };
        // Names are as they are in the files, control characters included.
        Printable(text).fmt(f)
    }
}
