//! The property of the engine for arbitrary bytes, for tests and the fuzz target.

#![allow(dead_code, unreachable_pub)] // a test program or the fuzz target uses only a part of it

pub mod reports;
pub mod sets;
