//! Signed LEB128, padded widths, protobuf's fields, payloads behind their length.

#![no_main]

use zigzag_varint_fuzz::byte_properties::formats::check;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| check(bytes));
