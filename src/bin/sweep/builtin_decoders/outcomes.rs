//! Results of the crate as the engine compares them.

use std::io;

use varint_sweep::byte_strings::{BulkOutcome, DecodingError, ErrorKind};
use zigzag_varint::{BulkError, DecodeError, Progress};

/// Converts an error of the codec.
pub(super) fn convert_error(error: DecodeError) -> DecodingError {
    let kind = match error.kind() {
        zigzag_varint::ErrorKind::Truncated => ErrorKind::Truncated,
        zigzag_varint::ErrorKind::Overflow => ErrorKind::Overflow,
        zigzag_varint::ErrorKind::NonCanonical => ErrorKind::NonCanonical,
        other => panic!("unknown error kind: {other:?}"),
    };
    DecodingError { kind, offset: error.offset() }
}

/// Converts the result of a bulk function.
pub(super) fn bulk(result: Result<Progress, BulkError>) -> BulkOutcome {
    let (progress, error) = match result {
        Ok(progress) => (progress, None),
        Err(failed) => (failed.progress, Some(failed.error)),
    };
    BulkOutcome { values: progress.values, bytes: progress.bytes, error: error.map(convert_error) }
}

/// Converts the decoding error inside an I/O error.
///
/// If there is no such error, or the I/O error has the wrong kind, the offset becomes `usize::MAX`,
/// which no correct decoder returns. The sweep then reports a disagreement.
pub(super) fn convert_io_error(error: io::Error) -> DecodingError {
    let inner = error.get_ref().and_then(|inner| inner.downcast_ref::<DecodeError>());
    let inner_error = inner.map_or(DecodingError::EMPTY_INPUT, |&error| convert_error(error));
    let expected = match inner_error.kind {
        ErrorKind::Truncated => io::ErrorKind::UnexpectedEof,
        _ => io::ErrorKind::InvalidData,
    };
    if inner.is_some() && error.kind() == expected {
        inner_error
    } else {
        DecodingError { offset: usize::MAX, ..inner_error }
    }
}
