//! Every door into the decoder and the encoder, against the plain decoder.

#![no_main]

use zigzag_varint_fuzz::laws::doors::hold;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| hold(bytes));
