//! Shared parts of the codec's tests: oracles, edge cases, guard pages, and the checks that every
//! implementation of an API must pass. The fuzz targets use these modules too.

#![allow(dead_code, unreachable_pub)] // each fuzz target uses a part of it

pub mod child;
pub mod delta_checks;
pub mod delta_codecs;
pub mod delta_oracle;
pub mod frames;
pub mod guard_pages;
pub mod messages;
pub mod pieces;
pub mod random_values;
pub mod wire_types;
pub mod wires;
