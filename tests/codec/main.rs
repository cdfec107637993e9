//! The tests of the codec, one module per subject, in a single program that links the crate once.
//! A module name selects a subject: `cargo test --test codec kernels::`.

#[path = "../common/property/mod.rs"]
mod property;
#[macro_use]
mod support;

mod allocations;
mod any_bytes;
mod auto_traits;
mod boundaries;
mod bulk_streams;
mod byte_properties;
#[cfg(feature = "bytes")]
mod bytes;
mod const_eval;
mod default_kernel;
mod delta;
#[cfg(feature = "embedded-io")]
mod embedded_io;
mod encoded;
mod errors;
mod formats;
mod guarded_singles;
mod kernels;
mod length_prefix;
mod machine;
mod migrating;
mod other_crates;
mod over_read;
mod padded;
mod properties;
mod protobuf;
mod reader;
mod sleb128;
mod std_io;
#[cfg(feature = "tokio-util")]
mod tokio_util;
mod validate;
mod vec_functions;
mod vectors;
mod wire_types;
