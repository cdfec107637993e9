//! Signed LEB128, padded encodings, protobuf's fields, length-prefixed payloads.

#![no_main]

use zigzag_varint_fuzz::byte_properties::formats::check;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| check(bytes));
