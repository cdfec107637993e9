//! All APIs for decoding and encoding, compared with the plain decoder.

#![no_main]

use zigzag_varint_fuzz::byte_properties::apis::check;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| check(bytes));
