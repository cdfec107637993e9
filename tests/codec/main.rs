//! The codec's tests, one module per subject. A single program links the crate once; a subject is
//! run by its name: `cargo test --test codec kernels::`.

#[path = "../common/property/mod.rs"]
mod property;
#[macro_use]
mod support;

mod allocations;
mod any_bytes;
mod boundaries;
mod byte_properties;
#[cfg(feature = "bytes")]
mod bytes;
mod const_eval;
mod delta;
#[cfg(feature = "embedded-io")]
mod embedded_io;
mod errors;
mod guarded_singles;
mod kernels;
mod length_prefix;
mod machine;
mod over_read;
mod padded;
mod properties;
mod protobuf;
mod sleb128;
mod std_io;
#[cfg(feature = "tokio-util")]
mod tokio_util;
mod vectors;
