//! The messages of pprof's profile.proto with the fields that are used here. Other fields are
//! skipped when a profile is read.
//!
//! In a [`Profile`](super::Profile) all references are valid: the index of a text is that of an
//! entry of the string table, and the id of an entry is its position in its table, from 1 on. The
//! id 0 means that there is no entry.

use prost::Message;

/// The message `Profile` without its samples and strings, which are in `Samples` and `Strings`.
#[derive(Clone, PartialEq, Message)]
pub(crate) struct Tables {
    #[prost(message, repeated, tag = "1")]
    pub(crate) sample_type: Vec<ValueType>,
    #[prost(message, repeated, tag = "3")]
    pub(crate) mapping: Vec<Mapping>,
    #[prost(message, repeated, tag = "4")]
    pub(crate) location: Vec<Location>,
    #[prost(message, repeated, tag = "5")]
    pub(crate) function: Vec<Function>,
    /// A regular expression for functions that are of no interest, with what they call.
    #[prost(int64, tag = "7")]
    pub(crate) drop_frames: i64,
    /// A regular expression for functions that are shown although `drop_frames` matches.
    #[prost(int64, tag = "8")]
    pub(crate) keep_frames: i64,
    #[prost(int64, tag = "9")]
    pub(crate) time_nanos: i64,
    #[prost(int64, tag = "10")]
    pub(crate) duration_nanos: i64,
    #[prost(message, optional, tag = "11")]
    pub(crate) period_type: Option<ValueType>,
    #[prost(int64, tag = "12")]
    pub(crate) period: i64,
    #[prost(int64, repeated, tag = "13")]
    pub(crate) comment: Vec<i64>,
    #[prost(int64, tag = "14")]
    pub(crate) default_sample_type: i64,
    #[prost(int64, tag = "15")]
    pub(crate) doc_url: i64,
}

/// A sample type: what a value measures, such as `cpu`, and its unit.
#[derive(Clone, Copy, PartialEq, Message)]
pub(crate) struct ValueType {
    #[prost(int64, tag = "1")]
    pub(crate) kind: i64,
    #[prost(int64, tag = "2")]
    pub(crate) unit: i64,
}

/// The fields of `Profile` and `Sample` that no message here has.
pub(crate) const SAMPLE: u32 = 2;
pub(crate) const STRING: u32 = 6;
pub(crate) const LOCATION_ID: u32 = 1;
pub(crate) const VALUE: u32 = 2;
pub(crate) const LABEL: u32 = 3;

/// A label with a text or a number. A number without a text has a unit, which can be empty.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Message)]
pub(crate) struct Label {
    #[prost(int64, tag = "1")]
    pub(crate) key: i64,
    #[prost(int64, tag = "2")]
    pub(crate) text: i64,
    #[prost(int64, tag = "3")]
    pub(crate) number: i64,
    #[prost(int64, tag = "4")]
    pub(crate) unit: i64,
}

/// A file that is mapped into memory: the program, or a library.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Message)]
pub(crate) struct Mapping {
    #[prost(uint64, tag = "1")]
    pub(crate) id: u64,
    #[prost(uint64, tag = "2")]
    pub(crate) memory_start: u64,
    #[prost(uint64, tag = "3")]
    pub(crate) memory_limit: u64,
    #[prost(uint64, tag = "4")]
    pub(crate) file_offset: u64,
    #[prost(int64, tag = "5")]
    pub(crate) filename: i64,
    #[prost(int64, tag = "6")]
    pub(crate) build_id: i64,
    #[prost(bool, tag = "7")]
    pub(crate) has_functions: bool,
    #[prost(bool, tag = "8")]
    pub(crate) has_filenames: bool,
    #[prost(bool, tag = "9")]
    pub(crate) has_line_numbers: bool,
    #[prost(bool, tag = "10")]
    pub(crate) has_inline_frames: bool,
}

/// An address in the machine code, with its lines from the innermost inlined function outwards.
#[derive(Clone, PartialEq, Eq, Hash, Message)]
pub(crate) struct Location {
    #[prost(uint64, tag = "1")]
    pub(crate) id: u64,
    #[prost(uint64, tag = "2")]
    pub(crate) mapping_id: u64,
    #[prost(uint64, tag = "3")]
    pub(crate) address: u64,
    #[prost(message, repeated, tag = "4")]
    pub(crate) line: Vec<Line>,
}

/// A line of a function. Line 0 is an unknown line.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Message)]
pub(crate) struct Line {
    #[prost(uint64, tag = "1")]
    pub(crate) function_id: u64,
    #[prost(int64, tag = "2")]
    pub(crate) line: i64,
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, Message)]
pub(crate) struct Function {
    #[prost(uint64, tag = "1")]
    pub(crate) id: u64,
    #[prost(int64, tag = "2")]
    pub(crate) name: i64,
    /// The linker name.
    #[prost(int64, tag = "3")]
    pub(crate) system_name: i64,
    #[prost(int64, tag = "4")]
    pub(crate) filename: i64,
    #[prost(int64, tag = "5")]
    pub(crate) start_line: i64,
}

impl Location {
    /// Returns the lines. There is at least one, which is unknown if the location has none.
    pub(crate) fn lines(&self) -> &[Line] {
        const UNKNOWN: &[Line] = &[Line { function_id: 0, line: 0 }];
        if self.line.is_empty() { UNKNOWN } else { &self.line }
    }
}
