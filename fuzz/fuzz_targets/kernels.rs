//! All kernels of this CPU, compared with the scalar kernel.

#![no_main]

use zigzag_varint_fuzz::byte_properties::kernels::check;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| check(bytes));
