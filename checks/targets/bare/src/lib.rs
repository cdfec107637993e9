//! The core checks, without `std` and allocation. They use the same oracle as the tests.

#![no_std]

mod int;
#[path = "../../../../tests/codec/support/random_values.rs"]
#[allow(dead_code, unreachable_pub)] // shared with tests, which use more of it
mod random_values;
mod singles;
mod slices;

use core::fmt::{Debug, Write};

use zigzag_varint::Kernel;

/// The expected machine, in the words of `tests/codec/machine.rs`.
const EXPECTED: &str =
    env!("EXPECTED_MACHINE", "run.sh sets it to the expected machine, such as `arm little-endian 32-bit`");

/// The value of `std::env::consts::ARCH`.
const ARCH: &str = if cfg!(target_arch = "wasm32") { "wasm32" } else { "arm" };

/// Runs all checks, prints a summary, and returns the number of comparisons.
///
/// # Panics
///
/// Panics at the first comparison that fails.
pub fn run(out: &mut impl Write) -> u32 {
    let mut checker = Checker::default();
    machine(out, &mut checker);
    macro_rules! each_type {
        ($($int:ident)*) => {$(
            singles::check::<$int>(&mut checker);
            slices::check::<$int>(&mut checker);
        )*};
    }
    each_type!(u8 i8 u16 i16 u32 i32 u64 i64 u128 i128 usize isize);
    singles::check_vectors(&mut checker);
    writeln!(out, "core checks: {} passed, {} comparisons", checker.checks, checker.comparisons)
        .expect("the host accepts output");
    checker.comparisons
}

/// Counts the comparisons, so that a run without comparisons cannot pass.
#[derive(Default)]
struct Checker {
    check: &'static str,
    checks: u32,
    comparisons: u32,
}

impl Checker {
    /// Begins a check, whose name the messages of its comparisons contain.
    fn begin(&mut self, check: &'static str) {
        self.check = check;
        self.checks += 1;
    }

    #[track_caller]
    fn same<T: PartialEq + Debug>(&mut self, found: T, expected: T) {
        assert_eq!(found, expected, "{}", self.check);
        self.comparisons += 1;
    }
}

/// Compares this machine with the expected one.
fn machine(out: &mut impl Write, checker: &mut Checker) {
    checker.begin("machine");
    let endian = if 1u16.to_ne_bytes() == [1, 0] { "little" } else { "big" };
    write!(out, "machine: {ARCH} {endian}-endian {}-bit, kernels:", usize::BITS)
        .expect("the host accepts output");
    for kernel in Kernel::available() {
        write!(out, " {kernel}").expect("the host accepts output");
    }
    writeln!(out).expect("the host accepts output");
    assert_eq!(Kernel::by_name("simd128").is_some(), cfg!(target_feature = "simd128"));

    let mut words = EXPECTED.split(' ');
    checker.same(words.next(), Some(ARCH));
    checker.same(words.next().and_then(|word| word.strip_suffix("-endian")), Some(endian));
    let bits = words.next().and_then(|word| word.strip_suffix("-bit"));
    checker.same(bits.and_then(|bits| bits.parse().ok()), Some(usize::BITS));
}
