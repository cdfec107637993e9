//! Decode errors as some of the APIs report them.

use std::io::ErrorKind as IoKind;

use zigzag_varint::{DecodeError, ErrorKind};

use super::oracle::Fault;

/// A single value has to be there; slices, iterators and `next_varint` take its absence for the
/// clean end.
pub const MISSING: Fault = Fault { kind: ErrorKind::Truncated, offset: 0 };

/// The decode error inside an I/O error, whose kind must fit it.
pub fn decode_error_in(error: std::io::Error) -> Fault {
    let inside = error.get_ref().and_then(|inside| inside.downcast_ref::<DecodeError>());
    let inside = *inside.expect("a DecodeError inside");
    let (eof, io_kind) = (inside.kind() == ErrorKind::Truncated, error.kind());
    assert_eq!(io_kind, if eof { IoKind::UnexpectedEof } else { IoKind::InvalidData });
    inside.into()
}
