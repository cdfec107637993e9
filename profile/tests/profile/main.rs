//! Profiles are read and written without loss, shown as pprof shows them, and refused without harm
//! if they are damaged.

mod damage;
mod fuzzing;
mod memory;
mod property;
mod reference;
mod round_trip;
mod views;

use property::synthetic;
