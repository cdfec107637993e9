//! The messages and sources of errors.

use std::error::Error;
use std::io;

use zigzag_varint::{
    BufferTooSmall, Canonical, DecodeError, DeltaError, ErrorKind, FrameError, Kernel, LengthPrefix,
    PaddedWidthError, Varint, encode_slice,
};

#[test]
fn messages_state_what_is_wrong_and_where() {
    let frame = |src: &[u8]| LengthPrefix::new(300).decode(src).unwrap_err();
    let failed = Canonical::<u64>::decode_slice(&[0x01, 0x02, 0x80, 0x00], &mut [0; 8]).unwrap_err();
    let errors: [(&dyn Error, &str); 11] = [
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
            &u32::encode_padded(300, &mut [0; 1]).unwrap_err(),
            "invalid padded width: 1 bytes requested, 2 to 5 possible for this value",
        ),
        (&frame(&[0x80]), "length prefix: truncated varint: input ends at offset 1"),
        (&frame(&[0xad, 0x02]), "payload too long: 301 bytes, limit 300 (at offset 0)"),
        (&LengthPrefix::new(300).encode_prefix(301).unwrap_err(), "payload too long: 301 bytes, limit 300"),
        (&frame(&[2, b'h']), "truncated payload: input ends at offset 2, 1 of 2 bytes missing"),
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

/// Converts an error to an I/O error, which must contain it.
fn check_io_error<E: Error + Copy + PartialEq + Into<io::Error> + 'static>(error: E, kind: io::ErrorKind) {
    let converted: io::Error = error.into();
    let inside = converted.get_ref().and_then(|inside| inside.downcast_ref());
    assert_eq!((converted.kind(), inside), (kind, Some(&error)));
    assert_eq!(converted.to_string(), error.to_string());
}

#[test]
fn bulk_errors_convert_to_the_errors_of_other_functions() {
    let kinds = [
        (&[0x07, 0x80][..], ErrorKind::Truncated, io::ErrorKind::UnexpectedEof),
        (&[0x07, 0xff, 0xff, 0x7f], ErrorKind::Overflow, io::ErrorKind::InvalidData),
        (&[0x07, 0x80, 0x00], ErrorKind::NonCanonical, io::ErrorKind::InvalidData),
    ];
    for (src, kind, io_kind) in kinds {
        let failed = Canonical::<u16>::decode_to_vec(src).unwrap_err();
        assert_eq!((failed.error.kind(), failed.progress.values), (kind, 1));
        assert_eq!(DecodeError::from(failed), failed.error);
        assert_eq!(FrameError::from(failed), FrameError::Prefix(failed.error));
        check_io_error(failed, io_kind);
        check_io_error(failed.error, io_kind);
        check_io_error(FrameError::from(failed.error), io_kind);
    }
}

#[test]
fn all_other_errors_convert_to_io_errors_that_contain_them() {
    let too_small = BufferTooSmall { needed: 2, available: 1 };
    check_io_error(FrameError::Truncated { len: 2, missing: 1, offset: 2 }, io::ErrorKind::UnexpectedEof);
    check_io_error(FrameError::TooLong { len: 2, max_len: 1, offset: Some(0) }, io::ErrorKind::InvalidData);
    check_io_error(too_small, io::ErrorKind::InvalidInput);
    check_io_error(DeltaError::Unsorted { index: 3 }, io::ErrorKind::InvalidInput);
    check_io_error(DeltaError::from(too_small), io::ErrorKind::InvalidInput);
    check_io_error(PaddedWidthError { width: 1, min: 2, max: 5 }, io::ErrorKind::InvalidInput);
    let other = Kernel::available().find(|kernel| *kernel != Kernel::detect()).expect("several kernels");
    check_io_error(Kernel::set_default(other).unwrap_err(), io::ErrorKind::ResourceBusy);
    assert_eq!(FrameError::from(too_small), FrameError::BufferTooSmall(too_small));
}
