//! Profiles: read and written without loss, shown as pprof shows them, and refused without harm where they are damaged.

mod damage;
#[allow(dead_code, unreachable_pub)] // tests/laws.rs holds it
#[path = "../common/laws/profiles.rs"]
mod law;
mod memory;
mod reference;
mod round_trip;
mod views;

use law::synthetic;
