//! Errors in words: each names its kind and the byte, and keeps its cause.

use std::error::Error;

use zigzag_varint::{Varint, decode_slice, decode_slice_canonical, encode_padded, encode_slice};

#[test]
fn a_decode_error_names_the_kind_and_the_byte() {
    let told = |error: zigzag_varint::DecodeError| error.to_string();
    let truncated = u64::decode(&[0x80, 0x80]).unwrap_err();
    let overflow = u8::decode(&[0xff, 0x7f]).unwrap_err();
    let overlong = u64::decode_canonical(&[0x80, 0x80, 0x00]).unwrap_err();
    assert_eq!(told(truncated), "truncated varint: input ends at offset 2");
    assert_eq!(told(overflow), "varint overflow: value does not fit the target type (at offset 1)");
    assert_eq!(told(overlong), "overlong varint: redundant byte at offset 2");
    assert!(truncated.is_incomplete() && !overflow.is_incomplete() && !overlong.is_incomplete());
}

#[test]
fn a_bulk_error_names_the_value_and_is_its_own_root_cause() {
    let failed = decode_slice_canonical(&[0x01, 0x02, 0x80, 0x00], &mut [0u64; 8]).unwrap_err();
    assert_eq!(failed.to_string(), "value at index 2: overlong varint: redundant byte at offset 3");
    assert!(failed.source().is_none(), "the message has it all");
}

#[test]
fn a_short_buffer_names_both_lengths() {
    let error = encode_slice(&[300u32, 300], &mut [0; 3]).unwrap_err();
    assert_eq!(error.to_string(), "buffer too small: 4 bytes needed, 3 available");
    assert_eq!((error.needed, error.available), (4, 3));
}

#[test]
fn an_error_for_a_padded_width_names_the_widths_that_fit() {
    let error = encode_padded(300u32, &mut [0; 1]).unwrap_err();
    let expected = "invalid padded width: 1 bytes requested, 2 to 5 possible for this value";
    assert_eq!(error.to_string(), expected);
    assert_eq!((error.width, error.least, error.most), (1, 2, 5));
}

#[test]
fn errors_are_small_values_that_threads_may_share() {
    fn check<T: Error + Copy + Eq + Send + Sync + 'static>() {}
    check::<zigzag_varint::DecodeError>();
    check::<zigzag_varint::BulkError>();
    check::<zigzag_varint::BufferTooSmall>();
    check::<zigzag_varint::PaddedWidthError>();
}

#[test]
fn an_empty_source_or_destination_is_no_error() {
    assert_eq!(decode_slice::<u64>(&[], &mut [0; 4]).map(|progress| progress.values), Ok(0));
    assert_eq!(decode_slice::<u64>(&[0xff; 20], &mut []).map(|progress| progress.bytes), Ok(0));
    assert_eq!(encode_slice::<u64>(&[], &mut []), Ok(0));
}
