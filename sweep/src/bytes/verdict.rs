//! What a decoder can say about bytes.

use std::fmt;

use crate::{BulkError, DecodeError, ErrorKind, Progress};

/// Why and where bytes are no varint. Unlike a [`DecodeError`], anybody can make one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Fault {
    /// What is wrong.
    pub kind: ErrorKind,
    /// Where, in bytes from the start of the input that was given; see [`DecodeError::offset`].
    pub offset: usize,
}

/// The first value of the bytes and the bytes it took, or what is wrong with them.
pub type Verdict<T> = Result<(T, usize), Fault>;

/// How a decoding of many values ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Ended {
    /// Values decoded.
    pub values: usize,
    /// Bytes that they took.
    pub bytes: usize,
    /// What is wrong behind them; `None`: the bytes or the room for values came to their end.
    pub fault: Option<Fault>,
}

impl From<DecodeError> for Fault {
    #[inline]
    fn from(error: DecodeError) -> Self {
        Self { kind: error.kind(), offset: error.offset() }
    }
}

impl From<Result<Progress, BulkError>> for Ended {
    #[inline]
    fn from(result: Result<Progress, BulkError>) -> Self {
        let (progress, fault) = match result {
            Ok(progress) => (progress, None),
            Err(failed) => (failed.progress, Some(failed.error.into())),
        };
        Self { values: progress.values, bytes: progress.bytes, fault }
    }
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?} at byte {}", self.kind, self.offset)
    }
}
