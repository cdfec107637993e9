//! Properties of any byte string.
//!
//! Each one is defined once. Tests check it on random bytes, and the fuzz target of the same name
//! checks it on the bytes that the fuzzer generates.

#![allow(dead_code, unreachable_pub)] // no fuzz target uses all of it

pub mod input;
pub mod random;

use std::fs;
use std::panic::catch_unwind;
use std::path::Path;

/// A property of any byte string.
#[derive(Clone, Copy)]
pub struct Property {
    /// The name of its fuzz target.
    pub name: &'static str,
    /// A function that panics if the bytes do not have the property.
    pub check: fn(&[u8]),
    /// Inputs that reach much of the code. The fuzzer starts with them, and the tests change them.
    pub examples: fn() -> Vec<Vec<u8>>,
}

/// Checks each property on its examples and on the inputs in `fuzz/crashes`, which failed once. The
/// published package does not contain that folder.
pub fn check_kept_inputs(properties: &[Property]) {
    for property in properties {
        let examples = (property.examples)().into_iter().enumerate();
        let examples = examples.map(|(number, bytes)| (format!("example {number}"), bytes));
        for (name, bytes) in examples.chain(crashes(property.name)) {
            let passed = catch_unwind(|| (property.check)(&bytes)).is_ok();
            assert!(passed, "{name} of '{}' fails", property.name);
        }
    }
}

/// Returns the inputs that failed once, with their paths. The folder `fuzz` is in the folder of the
/// tested package or in one of its parents.
fn crashes(name: &str) -> Vec<(String, Vec<u8>)> {
    let mut folders =
        Path::new(env!("CARGO_MANIFEST_DIR")).ancestors().map(|folder| folder.join("fuzz/crashes"));
    let folder = folders.find(|folder| folder.is_dir()).map(|folder| folder.join(name));
    let entries = folder.into_iter().filter_map(|folder| fs::read_dir(folder).ok()).flatten();
    let paths = entries.map(|entry| entry.expect("a readable folder").path());
    paths.map(|path| (path.display().to_string(), fs::read(&path).expect("a readable file"))).collect()
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
