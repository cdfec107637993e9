//! The messages and sources of errors.

use std::error::Error;
use std::io;

use zigzag_varint::{
    BufferTooSmall, Canonical, DecodeError, DeltaError, ErrorKind, FrameError, LengthPrefix,
    PaddedWidthError, Varint, encode_slice,
};

#[test]
fn messages_state_what_is_wrong_and_where() {
    let frame = |src: &[u8]| LengthPrefix::new(300).decode(src).unwrap_err();
    let failed = Canonical::<u64>::decode_slice(&[0x01, 0x02, 0x80, 0x00], &mut [0; 8]).unwrap_err();
    let errors: [(&dyn Error, &str); 10] = [
        (&u64::decode(&[0x80, 0x80]).unwrap_err(), "truncated varint: input ends at offset 2"),
        (
            &u8::decode(&[0xff, 0x7f]).unwrap_err(),
            "varint overflow: value does not fit the target type (at offset 1)",
        ),
        (
            &Canonical::<u64>::decode(&[0x80, 0x80, 0x00]).unwrap_err(),
            "overlong varint: redundant byte at offset 2",
        ),
        (&failed, "value at index 2: overlong varint: redundant byte at offset 3"),
        (
            &encode_slice(&[300u32, 300], &mut [0; 3]).unwrap_err(),
            "buffer too small: 4 bytes needed, 3 available",
        ),
        (
            &300u32.encode_padded(&mut [0; 1]).unwrap_err(),
            "invalid padded width: 1 bytes requested, 2 to 5 possible for this value",
        ),
        (&frame(&[0x80]), "length prefix: truncated varint: input ends at offset 1"),
        (&frame(&[0xad, 0x02]), "payload too long: 301 bytes, limit 300"),
        (&frame(&[2, b'h']), "truncated payload: 1 of 2 bytes missing"),
        (
            &LengthPrefix::new(9).encode_to_slice(b"hi", &mut [0; 2]).unwrap_err(),
            "buffer too small: 3 bytes needed, 2 available",
        ),
    ];
    for (error, message) in errors {
        assert_eq!(error.to_string(), message);
        assert!(error.source().is_none(), "the message contains the cause");
    }
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
