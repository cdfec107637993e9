//! The properties of the engine that any bytes must have, each for a test and for the fuzz target
//! of the same name.

#![allow(dead_code, unreachable_pub)] // a test program or a fuzz target takes the part that it needs

#[cfg(unix)]
pub mod answers;
pub mod arguments;
pub mod reports;

use crate::property::Property;

pub const ALL: &[Property] = &[
    Property { name: "reports", check: reports::check, examples: reports::examples },
    #[cfg(unix)]
    Property { name: "answers", check: answers::check, examples: answers::examples },
    Property { name: "arguments", check: arguments::check, examples: arguments::examples },
];
