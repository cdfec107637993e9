//! Decode errors in the form in which some APIs report them.

use std::io::ErrorKind as IoKind;

use zigzag_varint::{DecodeError, ErrorKind};

use zigzag_varint_oracle::ErrorAt;

/// The error if a single value is missing. For slices, iterators and `next_varint`, this is not an
/// error but the end of the input.
pub const MISSING: ErrorAt = ErrorAt { kind: ErrorKind::Truncated, offset: 0 };

/// Returns the decode error inside an I/O error, whose kind must match it.
pub fn decode_error_in(error: std::io::Error) -> ErrorAt {
    let inside = error.get_ref().and_then(|inside| inside.downcast_ref::<DecodeError>());
    let inside = *inside.expect("a DecodeError inside");
    let (eof, io_kind) = (inside.kind() == ErrorKind::Truncated, error.kind());
    assert_eq!(io_kind, if eof { IoKind::UnexpectedEof } else { IoKind::InvalidData });
    inside.into()
}
