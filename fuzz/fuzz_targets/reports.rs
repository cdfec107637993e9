//! Reports, merges of them, and checkpoints.

#![no_main]

use libfuzzer_sys::fuzzer_mutate;
use zigzag_varint_fuzz::engine_properties::reports::check;
use zigzag_varint_fuzz::property::input::{NUMBERS, renumbered};

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| check(bytes));

// One change in four makes a number another one: those of bytes alone seldom leave a report that can be read.
libfuzzer_sys::fuzz_mutator!(|bytes: &mut [u8], len: usize, most: usize, seed: u32| {
    let (kind, index, other) = (seed & 3, seed >> 5, (seed >> 2) as usize % NUMBERS.len());
    if kind > 0 || len == 0 {
        return fuzzer_mutate(bytes, len, most);
    }
    let changed = renumbered(&bytes[1..len], index as usize, NUMBERS[other]); // behind the choice
    let len = (changed.len() + 1).min(most);
    bytes[1..len].copy_from_slice(&changed[..len - 1]);
    len
});
