//! Ranges and shards as people and clusters write them.

#![no_main]

use zigzag_varint_fuzz::laws::arguments::hold;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| hold(bytes));
