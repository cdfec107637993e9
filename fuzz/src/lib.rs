//! The laws of `tests/common/laws`, for the fuzz targets.

#[macro_use]
#[path = "../../tests/common/mod.rs"]
mod common;
#[path = "../../tests/common/laws/mod.rs"]
pub mod laws;
