//! The properties of `tests/common/laws` and of the profiler's tests, for the fuzz targets.

#[macro_use]
#[path = "../../tests/common/mod.rs"]
mod common;
#[path = "../../tests/common/laws/mod.rs"]
pub mod laws;
#[cfg(feature = "profile")]
#[path = "../../profile/tests/profile/property.rs"]
pub mod profiles;
