//! Checks the property that the environment variable `PROPERTY` names.

#![no_main]

use std::env;
use std::sync::LazyLock;

use libfuzzer_sys::{fuzz_mutator, fuzz_target, fuzzer_mutate};
use zigzag_varint_fuzz::properties;
use zigzag_varint_fuzz::property::Property;
use zigzag_varint_fuzz::property::input::{NUMBERS, renumbered};

static PROPERTY: LazyLock<Property> = LazyLock::new(|| {
    let name = env::var("PROPERTY").expect("PROPERTY is the name of a property");
    let found = properties().find(|property| property.name == name);
    *found.unwrap_or_else(|| panic!("no property '{name}' with these features"))
});

fuzz_target!(|bytes: &[u8]| (PROPERTY.check)(bytes));

// One mutation in four of a report replaces a number: mutations of bytes seldom leave a report that can
// be parsed.
fuzz_mutator!(|bytes: &mut [u8], len: usize, most: usize, seed: u32| {
    let (kind, index, other) = (seed & 3, seed >> 5, (seed >> 2) as usize % NUMBERS.len());
    if PROPERTY.name != "reports" || kind > 0 || len == 0 {
        return fuzzer_mutate(bytes, len, most);
    }
    let changed = renumbered(&bytes[1..len], index as usize, NUMBERS[other]); // the first byte selects the kind of input
    let len = (changed.len() + 1).min(most);
    bytes[1..len].copy_from_slice(&changed[..len - 1]);
    len
});
