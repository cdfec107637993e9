//! The properties of the program and of the profiler that any bytes must have, each for a test and
//! for the fuzz target of the same name.

#![allow(dead_code, unreachable_pub)] // a test program or a fuzz target takes the part that it needs

#[cfg(unix)]
pub mod answers;
pub mod arguments;
pub mod reports;

use crate::property::Property;
#[cfg(unix)]
use crate::property::input;

/// Those of the features that there are.
pub const ALL: &[Property] = &[
    Property { name: "reports", check: reports::hold, examples: reports::examples },
    #[cfg(unix)]
    Property { name: "answers", check: answers::hold, examples: answers::examples },
    Property { name: "arguments", check: arguments::hold, examples: arguments::examples },
];
