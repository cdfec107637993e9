//! Profiles are read and written without loss, shown as pprof shows them, and refused without harm
//! if they are damaged.

#[path = "../../../tests/common/property/mod.rs"]
mod property;

mod any_bytes;
mod byte_property;
mod damage;
mod memory;
mod reference;
mod round_trip;
mod views;

use byte_property::synthetic;
