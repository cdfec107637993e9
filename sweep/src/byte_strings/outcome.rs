//! What a decoder returns for some bytes.

use std::fmt;

/// The kinds of errors.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ErrorKind {
    /// The input ends before the value does.
    Truncated,
    /// The value does not fit its type.
    Overflow,
    /// A shorter encoding exists.
    NonCanonical,
}

/// Why and where bytes are not a valid varint.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Fault {
    /// What is wrong.
    pub kind: ErrorKind,
    /// The offset of the byte that is wrong or missing, from the start of the input.
    pub offset: usize,
}

impl Fault {
    /// The error of an empty input from which one value is decoded.
    pub const EMPTY: Self = Self { kind: ErrorKind::Truncated, offset: 0 };

    /// Returns the same fault in an input that begins `bytes` earlier.
    pub fn after(self, bytes: usize) -> Self {
        Self { offset: bytes.saturating_add(self.offset), ..self }
    }
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?} at byte {}", self.kind, self.offset)
    }
}

/// The first value of an input and its length in bytes, or the error.
pub type Outcome<T> = Result<(T, usize), Fault>;

/// How decoding many values ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BulkOutcome {
    /// Values decoded.
    pub values: usize,
    /// Their length in bytes.
    pub bytes: usize,
    /// The error after them; `None` if the input or the space for values was exhausted.
    pub fault: Option<Fault>,
}
