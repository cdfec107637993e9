//! Profiles in pprof's format.

#![no_main]

use zigzag_varint_fuzz::profiles::check;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| check(bytes));
