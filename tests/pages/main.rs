//! Tests of what the pages show of the program `sweep`. They are not in `tests/docs/`, because cargo
//! names the built program to the tests of its own package only.

#![allow(clippy::incompatible_msrv)]
// the program needs a newer Rust than the library
// Elsewhere some options and metrics do not exist, or no profile can be taken.
#![cfg(all(target_os = "linux", target_env = "gnu", target_arch = "x86_64"))]

mod outputs;
mod sections;
