//! The results that a decoder returns.

use std::fmt;

/// The kind of a [`DecodingError`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ErrorKind {
    /// The input ends before the value does.
    Truncated,
    /// The value does not fit its type.
    Overflow,
    /// A shorter encoding exists.
    NonCanonical,
}

/// The error for bytes that are not a valid varint.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct DecodingError {
    /// The kind of error.
    pub kind: ErrorKind,
    /// The offset of the invalid or missing byte from the start of the input.
    pub offset: usize,
}

impl DecodingError {
    /// The error of decoding one value from an empty input.
    pub const EMPTY_INPUT: Self = Self { kind: ErrorKind::Truncated, offset: 0 };

    /// Returns this error with `bytes` added to its offset.
    pub fn offset_by(self, bytes: usize) -> Self {
        Self { offset: bytes.saturating_add(self.offset), ..self }
    }
}

impl fmt::Display for DecodingError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?} at byte {}", self.kind, self.offset)
    }
}

impl std::error::Error for DecodingError {}

/// The result of decoding one value: the value and its length in bytes, or the error.
pub type Outcome<T> = Result<(T, usize), DecodingError>;

/// The result of decoding many values.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BulkOutcome {
    /// The number of values decoded.
    pub values: usize,
    /// The length of these values in bytes.
    pub bytes: usize,
    /// The error after these values; `None` if the input is exhausted or the slice of values is
    /// full.
    pub error: Option<DecodingError>,
}
