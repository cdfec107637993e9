//! The tests of the engine, one module per subject. To run one of them:
//! `cargo test -p every-input --test engine merge::`.

#[path = "../../../tests/common/leb128.rs"]
mod leb128;
#[path = "../../../tests/common/property/mod.rs"]
mod property;
#[path = "../../../tests/common/waiting.rs"]
mod waiting;

mod any_bytes;
mod byte_properties;
mod byte_strings;
mod checkpoint;
#[cfg(unix)]
mod exec;
mod failure_list;
mod functions;
#[cfg(feature = "http")]
mod held_sweep;
#[cfg(feature = "http")]
mod http;
mod merge;
mod misbehaving;
mod ranges;
mod regressions;
mod spaces;
mod stopping;
mod sweep;
mod watching;
mod wire;
