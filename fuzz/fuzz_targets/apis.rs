//! Every API of the decoder and the encoder, against the plain decoder.

#![no_main]

use zigzag_varint_fuzz::byte_properties::apis::check;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| check(bytes));
