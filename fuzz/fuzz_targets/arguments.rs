//! Ranges, shards and the environment variables of clusters.

#![no_main]

use zigzag_varint_fuzz::engine_properties::arguments::check;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| check(bytes));
