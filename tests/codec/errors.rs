//! The messages and sources of errors.

use std::error::Error;

use zigzag_varint::{Varint, decode_slice, decode_slice_canonical, encode_padded, encode_slice};

#[test]
fn a_decode_error_states_its_kind_and_offset() {
    let truncated = u64::decode(&[0x80, 0x80]).unwrap_err();
    let overflow = u8::decode(&[0xff, 0x7f]).unwrap_err();
    let overlong = u64::decode_canonical(&[0x80, 0x80, 0x00]).unwrap_err();
    assert_eq!(truncated.to_string(), "truncated varint: the input ends at byte 2, before the value does");
    assert_eq!(overflow.to_string(), "varint overflow: the value does not fit its type from byte 1 on");
    assert_eq!(overlong.to_string(), "overlong varint: byte 2 is needless, a shorter encoding exists");
    assert!(truncated.is_incomplete() && !overflow.is_incomplete() && !overlong.is_incomplete());
}

#[test]
fn a_bulk_error_reports_the_index_of_the_value_and_the_source() {
    let failed = decode_slice_canonical(&[0x01, 0x02, 0x80, 0x00], &mut [0u64; 8]).unwrap_err();
    assert_eq!(failed.to_string(), "value 2: overlong varint: byte 3 is needless, a shorter encoding exists");
    assert_eq!(failed.source().map(ToString::to_string), Some(failed.error.to_string()));
}

#[test]
fn a_buffer_error_reports_both_lengths() {
    let error = encode_slice(&[300u32, 300], &mut [0; 3]).unwrap_err();
    assert_eq!(error.to_string(), "buffer too small: the encoding takes 4 bytes, the buffer has 3");
    assert_eq!((error.needed, error.available), (4, 3));
}

#[test]
fn a_padded_width_error_states_the_valid_widths() {
    let error = encode_padded(300u32, &mut [0; 1]).unwrap_err();
    let expected = "no padded encoding of 1 bytes: the value takes 2, and its type reads 5 at most";
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
