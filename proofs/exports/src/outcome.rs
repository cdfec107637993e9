//! Results in a fixed layout.

use zigzag_varint::{DecodeError, ErrorKind};

/// A slice.
#[repr(C)]
pub struct Bytes {
    start: *const u8,
    len: usize,
}

impl Bytes {
    pub(crate) fn of(bytes: &[u8]) -> Self {
        Self { start: bytes.as_ptr(), len: bytes.len() }
    }
}

/// The result of decoding: success or the kind of the error.
#[repr(u64)]
#[derive(Clone, Copy)]
pub enum Kind {
    Ok = 0,
    Truncated = 1,
    Overflow = 2,
    NonCanonical = 3,
    Unknown = 4,
}

impl From<ErrorKind> for Kind {
    fn from(kind: ErrorKind) -> Self {
        match kind {
            ErrorKind::Truncated => Self::Truncated,
            ErrorKind::Overflow => Self::Overflow,
            ErrorKind::NonCanonical => Self::NonCanonical,
            _ => Self::Unknown,
        }
    }
}

/// The outcome of decoding one value. `at` is the length of the value, or the offset of the error.
#[repr(C)]
pub struct Outcome<T> {
    kind: Kind,
    at: usize,
    value: T,
}

impl<T: Default> From<Result<(T, usize), DecodeError>> for Outcome<T> {
    fn from(result: Result<(T, usize), DecodeError>) -> Self {
        match result {
            Ok((value, len)) => Self { kind: Kind::Ok, at: len, value },
            Err(error) => Self { kind: error.kind().into(), at: error.offset(), value: T::default() },
        }
    }
}
