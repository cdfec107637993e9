//! The properties of the engine for arbitrary bytes. Each has a test and a fuzz target of the same
//! name.

#![allow(dead_code, unreachable_pub)] // a test program or a fuzz target uses only a part of it

pub mod arguments;
pub mod reports;
pub mod sets;

use crate::property::Property;

pub const ALL: &[Property] = &[
    Property { name: "reports", check: reports::check, examples: reports::examples },
    Property { name: "arguments", check: arguments::check, examples: arguments::examples },
];
