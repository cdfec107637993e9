//! The messages and sources of errors.

use std::error::Error;

use zigzag_varint::{Varint, decode_slice, decode_slice_canonical, encode_padded, encode_slice};

#[test]
fn a_decode_error_states_its_kind_and_offset() {
    let truncated = u64::decode(&[0x80, 0x80]).unwrap_err();
    let overflow = u8::decode(&[0xff, 0x7f]).unwrap_err();
    let overlong = u64::decode_canonical(&[0x80, 0x80, 0x00]).unwrap_err();
    assert_eq!(truncated.to_string(), "truncated varint: input ends at offset 2");
    assert_eq!(overflow.to_string(), "varint overflow: value does not fit the target type (at offset 1)");
    assert_eq!(overlong.to_string(), "overlong varint: redundant byte at offset 2");
    assert!(truncated.is_incomplete() && !overflow.is_incomplete() && !overlong.is_incomplete());
}

#[test]
fn a_bulk_error_reports_the_index_of_the_value_and_has_no_source() {
    let failed = decode_slice_canonical(&[0x01, 0x02, 0x80, 0x00], &mut [0u64; 8]).unwrap_err();
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
    let error = encode_padded(300u32, &mut [0; 1]).unwrap_err();
    let expected = "invalid padded width: 1 bytes requested, 2 to 5 possible for this value";
    assert_eq!(error.to_string(), expected);
    assert_eq!((error.width, error.least, error.most), (1, 2, 5));
}

#[test]
fn error_types_are_copy_send_and_sync() {
    fn check<T: Error + Copy + Eq + Send + Sync + 'static>() {}
    check::<zigzag_varint::DecodeError>();
    check::<zigzag_varint::BulkError>();
    check::<zigzag_varint::BufferTooSmall>();
    check::<zigzag_varint::PaddedWidthError>();
}

#[test]
fn an_empty_source_or_destination_is_not_an_error() {
    assert_eq!(decode_slice::<u64>(&[], &mut [0; 4]).map(|progress| progress.values), Ok(0));
    assert_eq!(decode_slice::<u64>(&[0xff; 20], &mut []).map(|progress| progress.bytes), Ok(0));
    assert_eq!(encode_slice::<u64>(&[], &mut []), Ok(0));
}
