//! Properties of any byte string.
//!
//! Each one is defined once. Tests check it on random bytes, and the fuzz target on the bytes that the
//! fuzzer generates.

#![allow(dead_code, unreachable_pub)] // no fuzz target uses all of it

pub mod input;
pub mod random;

use std::panic::catch_unwind;

/// A property of any byte string.
#[derive(Clone, Copy)]
pub struct Property {
    /// Its name for `fuzz/run.sh`.
    pub name: &'static str,
    /// A function that panics if the bytes do not have the property.
    pub check: fn(&[u8]),
    /// Inputs that reach much of the code, and those that failed once. The fuzzer starts with them, and
    /// the tests change them.
    pub examples: fn() -> Vec<Vec<u8>>,
}

/// Checks each property on its examples.
pub fn check_examples(properties: &[Property]) {
    for property in properties {
        for (number, bytes) in (property.examples)().into_iter().enumerate() {
            let passed = catch_unwind(|| (property.check)(&bytes)).is_ok();
            assert!(passed, "example {number} of '{}' fails", property.name);
        }
    }
}

/// Defines a test on random bytes for each named property of a list, and a test that no
/// property is missing. The list must be imported as `ALL`.
// Exported because a test program without a list would warn of an unused macro otherwise.
#[macro_export]
macro_rules! test_properties {
    ($($(#[$when:meta])* $property:ident)*) => {
        mod random_bytes_pass {
            $(
                $(#[$when])*
                #[test]
                fn $property() {
                    let name = stringify!($property);
                    let mut all = super::ALL.iter();
                    let property = all.find(|property| property.name == name).expect("a property of that name");
                    $crate::property::random::check_random_bytes(*property);
                }
            )*
        }

        #[test]
        fn every_property_is_tested() {
            let tested = [$($(#[$when])* stringify!($property)),*];
            assert_eq!(ALL.iter().map(|property| property.name).collect::<Vec<_>>(), tested);
        }
    };
}
