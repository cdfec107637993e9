//! The oracle, for the tests of `sweep bytes`.

#![allow(dead_code, unreachable_pub, unused_imports)] // shared with tests that need more of it

#[macro_use]
mod for_types;
pub mod naive;
pub mod plain;
