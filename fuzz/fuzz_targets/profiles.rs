//! Profiles in pprof's format.

#![no_main]

use zigzag_varint_fuzz::laws::profiles::hold;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| hold(bytes));
