//! The laws of `tests/common/laws` and the properties of the engine, for the fuzz targets.

#[macro_use]
#[path = "../../tests/common/mod.rs"]
mod common;
#[cfg(feature = "sweep")]
#[path = "../../sweep/tests/engine/byte_properties/mod.rs"]
pub mod engine_properties;
#[path = "../../tests/common/laws/mod.rs"]
pub mod laws;
#[cfg(feature = "sweep")]
#[path = "../../tests/common/leb128.rs"]
mod leb128;
#[cfg(feature = "sweep")]
#[path = "../../tests/common/property/mod.rs"]
pub mod property;
