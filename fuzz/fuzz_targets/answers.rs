//! What the child of `--exec` writes.

#![no_main]

use zigzag_varint_fuzz::laws::answers::hold;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| hold(bytes));
