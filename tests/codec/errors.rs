//! The messages and sources of errors.

use std::error::Error;
use std::io;

use zigzag_varint::{
    BufferTooSmall, Canonical, DecodeError, DeltaError, ErrorKind, FrameError, PaddedWidthError, Varint,
    decode_slice, encode_slice,
};

#[test]
fn a_decode_error_states_its_kind_and_offset() {
    let truncated = u64::decode(&[0x80, 0x80]).unwrap_err();
    let overflow = u8::decode(&[0xff, 0x7f]).unwrap_err();
    let overlong = Canonical::<u64>::decode(&[0x80, 0x80, 0x00]).unwrap_err();
    assert_eq!(truncated.to_string(), "truncated varint: input ends at offset 2");
    assert_eq!(overflow.to_string(), "varint overflow: value does not fit the target type (at offset 1)");
    assert_eq!(overlong.to_string(), "overlong varint: redundant byte at offset 2");
    assert!(truncated.is_incomplete() && !overflow.is_incomplete() && !overlong.is_incomplete());
}

#[test]
fn a_bulk_error_reports_the_index_of_the_value_and_has_no_source() {
    let failed = Canonical::<u64>::decode_slice(&[0x01, 0x02, 0x80, 0x00], &mut [0; 8]).unwrap_err();
    assert_eq!(failed.to_string(), "value at index 2: overlong varint: redundant byte at offset 3");
    assert!(failed.source().is_none(), "the message contains the cause");
}

#[test]
fn a_buffer_error_reports_both_lengths() {
    let error = encode_slice(&[300u32, 300], &mut [0; 3]).unwrap_err();
    assert_eq!(error.to_string(), "buffer too small: 4 bytes needed, 3 available");
    assert_eq!((error.needed, error.available), (4, 3));
}

#[test]
fn a_padded_width_error_states_the_valid_widths() {
    let error = 300u32.encode_padded(&mut [0; 1]).unwrap_err();
    let expected = "invalid padded width: 1 bytes requested, 2 to 5 possible for this value";
    assert_eq!(error.to_string(), expected);
    assert_eq!((error.width, error.min, error.max), (1, 2, 5));
}

#[test]
fn an_empty_source_or_destination_is_not_an_error() {
    assert_eq!(decode_slice::<u64>(&[], &mut [0; 4]).map(|progress| progress.values), Ok(0));
    assert_eq!(decode_slice::<u64>(&[0xff; 20], &mut []).map(|progress| progress.bytes), Ok(0));
    assert_eq!(encode_slice::<u64>(&[], &mut []), Ok(0));
}

/// The error inside an I/O error.
fn inside<E: Error + Copy + 'static>(error: &io::Error) -> Option<E> {
    error.get_ref().and_then(|inside| inside.downcast_ref()).copied()
}

#[test]
fn bulk_errors_convert_with_the_question_mark_operator() {
    fn to_decode_error(src: &[u8]) -> Result<Vec<u16>, DecodeError> {
        Ok(Canonical::<u16>::decode_to_vec(src)?)
    }
    fn to_frame_error(src: &[u8]) -> Result<Vec<u16>, FrameError> {
        Ok(Canonical::<u16>::decode_to_vec(src)?)
    }
    fn to_io_error(src: &[u8]) -> io::Result<Vec<u16>> {
        Ok(Canonical::<u16>::decode_to_vec(src)?)
    }
    let kinds = [
        (&[0x07, 0x80][..], ErrorKind::Truncated, io::ErrorKind::UnexpectedEof),
        (&[0x07, 0xff, 0xff, 0x7f], ErrorKind::Overflow, io::ErrorKind::InvalidData),
        (&[0x07, 0x80, 0x00], ErrorKind::NonCanonical, io::ErrorKind::InvalidData),
    ];
    for (src, kind, io_kind) in kinds {
        let failed = Canonical::<u16>::decode_to_vec(src).unwrap_err();
        assert_eq!((failed.error.kind(), failed.progress.values), (kind, 1));
        assert_eq!(to_decode_error(src), Err(failed.error));
        assert_eq!(to_frame_error(src), Err(FrameError::Prefix(failed.error)));
        let error = to_io_error(src).unwrap_err();
        assert_eq!((error.kind(), inside(&error)), (io_kind, Some(failed)));
        assert_eq!(error.to_string(), failed.to_string());
    }
}

#[test]
fn all_other_errors_convert_to_io_errors_that_contain_them() {
    fn check<E: Error + Copy + PartialEq + Into<io::Error> + 'static>(error: E, kind: io::ErrorKind) {
        let converted: io::Error = error.into();
        assert_eq!((converted.kind(), inside(&converted)), (kind, Some(error)));
        assert_eq!(converted.to_string(), error.to_string());
    }
    let truncated = u64::decode(&[0x80]).unwrap_err();
    let overflow = u8::decode(&[0xff, 0x7f]).unwrap_err();
    let too_small = BufferTooSmall { needed: 2, available: 1 };
    check(truncated, io::ErrorKind::UnexpectedEof);
    check(overflow, io::ErrorKind::InvalidData);
    check(Canonical::<u64>::decode(&[0x80, 0x00]).unwrap_err(), io::ErrorKind::InvalidData);
    check(FrameError::from(truncated), io::ErrorKind::UnexpectedEof);
    check(FrameError::from(overflow), io::ErrorKind::InvalidData);
    check(FrameError::Truncated { len: 2, missing: 1 }, io::ErrorKind::UnexpectedEof);
    check(FrameError::TooLong { len: 2, max_len: 1 }, io::ErrorKind::InvalidData);
    check(too_small, io::ErrorKind::InvalidInput);
    check(DeltaError::Unsorted { index: 3 }, io::ErrorKind::InvalidInput);
    check(DeltaError::from(too_small), io::ErrorKind::InvalidInput);
    check(PaddedWidthError { width: 1, min: 2, max: 5 }, io::ErrorKind::InvalidInput);
    assert_eq!(FrameError::from(too_small), FrameError::BufferTooSmall(too_small));
}
