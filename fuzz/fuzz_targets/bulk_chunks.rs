//! Streams in bulk: `Decoder`, `std::io`, `bytes`, `embedded-io` and the codecs of `tokio-util`.

#![no_main]

use zigzag_varint_fuzz::byte_properties::bulk_chunks::check;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| check(bytes));
