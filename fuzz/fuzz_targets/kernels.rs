//! Every kernel of this CPU, against the scalar one.

#![no_main]

use zigzag_varint_fuzz::byte_properties::kernels::check;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| check(bytes));
