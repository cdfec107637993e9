//! Profiles: read and written without loss, shown as pprof shows them, and refused without harm where they are damaged.

mod damage;
mod memory;
mod program;
mod reference;
mod round_trip;
mod synthetic;
mod views;
