//! The tests of the program `sweep`, with one module for each subject.
//!
//! `cargo test --test program merge::` runs one module.

#![allow(clippy::incompatible_msrv)] // the program needs a newer Rust than the library

#[cfg(feature = "http")]
#[path = "../common/http.rs"]
mod client;
#[path = "../common/leb128.rs"]
mod leb128;
mod support;
#[cfg(target_os = "linux")]
#[path = "../common/terminal.rs"]
mod tty;
#[cfg(unix)]
#[path = "../common/waiting.rs"]
mod waiting;

mod byte_strings;
mod checkpoint;
mod cli;
mod codecs;
mod comparison;
#[cfg(unix)]
mod earlier;
mod ending;
#[cfg(unix)]
mod exec;
mod exit_codes;
#[cfg(feature = "profile")]
mod fetch;
#[cfg(unix)]
mod floats;
#[cfg(all(feature = "http", unix))]
mod http;
#[cfg(unix)]
mod interrupts;
mod junit;
#[cfg(unix)]
mod long_lists;
mod merge;
#[cfg(unix)]
mod outputs;
#[cfg(feature = "profile")]
mod profile;
mod schema;
#[cfg(unix)]
mod slow;
mod terminal;
mod watching;
mod wire;
