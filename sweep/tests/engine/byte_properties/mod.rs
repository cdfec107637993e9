//! The properties of the engine for arbitrary bytes, for tests and the fuzz target.

#![allow(dead_code, unreachable_pub)] // a test program or the fuzz target uses only a part of it

pub mod reports;
pub mod sets;

use crate::property::Property;

pub const ALL: &[Property] =
    &[Property { name: "reports", check: reports::check, examples: reports::examples }];
