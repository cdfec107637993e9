//! Properties of any byte string.
//!
//! Each one is defined once. Tests check it on random bytes, and the fuzz target on the bytes that the
//! fuzzer generates.

#![allow(dead_code, unreachable_pub)] // no fuzz target uses all of it

pub mod input;
pub mod random;

/// A property of any byte string.
#[derive(Clone, Copy)]
pub struct Property {
    /// Its name for `fuzz/run.sh`.
    pub name: &'static str,
    /// A function that panics if the bytes do not have the property.
    pub check: fn(&[u8]),
    /// Inputs that reach much of the code, and those that failed once. The fuzzer starts with them, and
    /// the tests change them.
    pub examples: fn() -> Vec<Vec<u8>>,
}
