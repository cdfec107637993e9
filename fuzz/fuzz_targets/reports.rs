//! Reports, merged reports, and checkpoints.

#![no_main]

use libfuzzer_sys::fuzzer_mutate;
use zigzag_varint_fuzz::engine_properties::reports::check;
use zigzag_varint_fuzz::property::input::{NUMBERS, renumbered};

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| check(bytes));

// One mutation in four replaces a number: mutations of bytes seldom leave a report that can be
// parsed.
libfuzzer_sys::fuzz_mutator!(|bytes: &mut [u8], len: usize, most: usize, seed: u32| {
    let (kind, index, other) = (seed & 3, seed >> 5, (seed >> 2) as usize % NUMBERS.len());
    if kind > 0 || len == 0 {
        return fuzzer_mutate(bytes, len, most);
    }
    let changed = renumbered(&bytes[1..len], index as usize, NUMBERS[other]); // the first byte selects the kind of input
    let len = (changed.len() + 1).min(most);
    bytes[1..len].copy_from_slice(&changed[..len - 1]);
    len
});
