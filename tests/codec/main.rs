//! The tests of the codec, one module per subject, in a single program that links the crate once.
//! A module name selects a subject: `cargo test --test codec kernels::`.

/// Defines a module with a test for each type, which calls a generic function.
macro_rules! test_each {
    ($module:ident: $check:ident, $($int:ident)*) => {
        mod $module {
            $(
                #[test]
                fn $int() {
                    super::$check::<$int>();
                }
            )*
        }
    };
}

#[path = "../common/property/mod.rs"]
mod property;
mod support;

mod allocations;
mod any_bytes;
mod auto_traits;
mod byte_properties;
mod const_eval;
mod consumption;
mod delta;
mod encoded;
mod errors;
mod kernels;
mod length_prefix;
mod machine;
mod masks;
mod migrating;
mod over_read;
mod protobuf;
mod runs;
mod streams;
mod tags;
mod vectors;
mod wire_types;
