//! The properties of `tests/`, for the fuzz targets.

#[path = "../../tests/codec/byte_properties/mod.rs"]
pub mod byte_properties;
#[cfg(feature = "sweep")]
#[path = "../../tests/common/laws/mod.rs"]
pub mod laws;
#[cfg(feature = "profile")]
#[path = "../../profile/tests/profile/byte_property.rs"]
pub mod profiles;
#[path = "../../tests/common/property/mod.rs"]
pub mod property;
#[macro_use]
#[path = "../../tests/codec/support/mod.rs"]
mod support;

/// Every property of the features chosen.
pub fn properties() -> impl Iterator<Item = &'static property::Property> {
    #[cfg(not(feature = "sweep"))]
    let of_the_program: &[property::Property] = &[];
    #[cfg(feature = "sweep")]
    let of_the_program = laws::ALL;
    #[cfg(not(feature = "profile"))]
    let of_the_profiler: &[property::Property] = &[];
    #[cfg(feature = "profile")]
    let of_the_profiler = &[profiles::PROPERTY];
    byte_properties::ALL.iter().chain(of_the_program).chain(of_the_profiler)
}
