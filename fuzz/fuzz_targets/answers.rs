//! The output of a child process of `--exec`.

#![no_main]

use zigzag_varint_fuzz::engine_properties::answers::check;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| check(bytes));
