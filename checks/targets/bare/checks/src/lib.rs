//! The core checks: without `std` and without allocation, against the same oracle as on every
//! machine.

#![no_std]

mod formats;
#[path = "../../../../../tests/codec/support/arithmetic.rs"]
#[allow(dead_code, unreachable_pub)] // shared with tests that need more of it
mod arithmetic;
#[path = "../../../../../tests/codec/support/random_values.rs"]
#[allow(dead_code, unreachable_pub)]
mod random_values;
mod singles;
mod slices;
mod tally;

use core::fmt::Write;

use tally::Tally;
use zigzag_varint::Kernel;

/// As `tests/codec/machine.rs` puts it.
const MEANT: &str =
    env!("EXPECTED_MACHINE", "the machine that is meant, as in `arm little-endian 32-bit`: run.sh sets it");

/// What `std` calls `std::env::consts::ARCH`.
const ARCH: &str = if cfg!(target_arch = "aarch64") {
    "aarch64"
} else if cfg!(target_arch = "arm") {
    "arm"
} else if cfg!(target_arch = "powerpc64") {
    "powerpc64"
} else if cfg!(target_arch = "s390x") {
    "s390x"
} else if cfg!(target_arch = "wasm32") {
    "wasm32"
} else if cfg!(target_arch = "x86") {
    "x86"
} else {
    "another"
};

/// Every check, with a line of what was checked; the comparisons made. Panics at the first that
/// fails.
pub fn run(out: &mut impl Write) -> u32 {
    let mut tally = Tally::default();
    machine(out, &mut tally);
    formats::check(&mut tally);
    macro_rules! each_type {
        ($($int:ident)*) => {$(
            singles::check::<$int>(&mut tally);
            slices::check::<$int>(&mut tally);
        )*};
    }
    each_type!(u8 i8 u16 i16 u32 i32 u64 i64 u128 i128 usize isize);
    writeln!(out, "core checks: {} passed, {} comparisons", tally.checks(), tally.comparisons())
        .expect("a host that listens");
    tally.comparisons()
}

/// The machine that this runs on, compared with the expected one.
fn machine(out: &mut impl Write, tally: &mut Tally) {
    tally.begin("machine");
    let endian = if 1u16.to_ne_bytes() == [1, 0] { "little" } else { "big" };
    write!(out, "machine: {ARCH} {endian}-endian {}-bit, kernels:", usize::BITS)
        .expect("a host that listens");
    for kernel in Kernel::available() {
        write!(out, " {kernel}").expect("a host that listens");
    }
    writeln!(out).expect("a host that listens");

    let mut words = MEANT.split(' ');
    tally.same(words.next(), Some(ARCH));
    tally.same(words.next().and_then(|word| word.strip_suffix("-endian")), Some(endian));
    let bits = words.next().and_then(|word| word.strip_suffix("-bit"));
    tally.same(bits.and_then(|bits| bits.parse().ok()), Some(usize::BITS));
}
