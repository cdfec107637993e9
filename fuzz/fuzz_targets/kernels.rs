//! Every kernel of this CPU, against the scalar one.

#![no_main]

use zigzag_varint_fuzz::laws::kernels::hold;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| hold(bytes));
