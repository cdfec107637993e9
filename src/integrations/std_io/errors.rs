//! The conversions of the crate's errors to `std::io::Error`, so that `?` works in functions that do I/O.

use std::io;

use crate::error::{BufferTooSmall, BulkError, DecodeError, DeltaError, PaddedWidthError};
use crate::length_prefix::FrameError;

/// The kind is `UnexpectedEof` for `Truncated` and `InvalidData` for the others. The [`DecodeError`] is inside.
impl From<DecodeError> for io::Error {
    fn from(error: DecodeError) -> Self {
        Self::new(eof_or_invalid(error.is_incomplete()), error)
    }
}

/// The kind is that of the [`DecodeError`]. The [`BulkError`] is inside.
impl From<BulkError> for io::Error {
    fn from(failed: BulkError) -> Self {
        Self::new(eof_or_invalid(failed.error.is_incomplete()), failed)
    }
}

/// Keeps the error and drops the progress.
impl From<BulkError<Self>> for io::Error {
    fn from(failed: BulkError<Self>) -> Self {
        failed.error
    }
}

/// The kind is `UnexpectedEof` if more input could help and `InvalidData` otherwise. The [`FrameError`] is inside.
impl From<FrameError> for io::Error {
    fn from(error: FrameError) -> Self {
        Self::new(eof_or_invalid(error.is_incomplete()), error)
    }
}

/// The kind is `InvalidInput`. The [`BufferTooSmall`] is inside.
impl From<BufferTooSmall> for io::Error {
    fn from(error: BufferTooSmall) -> Self {
        Self::new(io::ErrorKind::InvalidInput, error)
    }
}

/// The kind is `InvalidInput`. The [`DeltaError`] is inside.
impl From<DeltaError> for io::Error {
    fn from(error: DeltaError) -> Self {
        Self::new(io::ErrorKind::InvalidInput, error)
    }
}

/// The kind is `InvalidInput`. The [`PaddedWidthError`] is inside.
impl From<PaddedWidthError> for io::Error {
    fn from(error: PaddedWidthError) -> Self {
        Self::new(io::ErrorKind::InvalidInput, error)
    }
}

fn eof_or_invalid(incomplete: bool) -> io::ErrorKind {
    if incomplete { io::ErrorKind::UnexpectedEof } else { io::ErrorKind::InvalidData }
}
