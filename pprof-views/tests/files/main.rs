//! Tests of reading, writing and showing profiles. Damaged profiles are rejected, and the views are
//! those of pprof.

#[path = "../../../tests/common/property/mod.rs"]
mod property;

mod byte_property;
mod dropped_frames;
mod format;
mod labels;
mod names;
mod same_as_go_pprof;
mod sources;
mod unusual;
mod views;

use byte_property::synthetic;
