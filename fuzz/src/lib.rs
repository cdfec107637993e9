//! The properties for the fuzz target. The tests of the packages check the same ones.

#[path = "../../tests/codec/byte_properties/mod.rs"]
pub mod byte_properties;
#[cfg(feature = "sweep")]
#[path = "../../every-input/tests/engine/byte_properties/mod.rs"]
pub mod engine_properties;
#[cfg(feature = "sweep")]
#[path = "../../tests/common/leb128.rs"]
mod leb128;
#[cfg(feature = "profile")]
#[path = "../../pprof-views/tests/files/byte_property.rs"]
pub mod profiles;
#[path = "../../tests/common/property/mod.rs"]
pub mod property;
#[path = "../../tests/codec/support/mod.rs"]
pub mod support;

/// Returns the properties of the enabled features.
pub fn properties() -> impl Iterator<Item = &'static property::Property> {
    let of_programs: &[property::Property] = &[
        #[cfg(feature = "sweep")]
        engine_properties::reports::PROPERTY,
        #[cfg(feature = "profile")]
        profiles::PROPERTY,
    ];
    byte_properties::ALL.iter().chain(of_programs)
}
