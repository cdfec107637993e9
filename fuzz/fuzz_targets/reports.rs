//! Reports, merges of them, and checkpoints.

#![no_main]

use zigzag_varint_fuzz::laws::reports::hold;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| hold(bytes));
