//! Input in pieces: the decoder, `std::io` and the codecs of `tokio-util`.

#![no_main]

use zigzag_varint_fuzz::laws::chunks::hold;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| hold(bytes));
