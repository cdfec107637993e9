//! A property of any bytes, stated once: tests check it on random bytes, a fuzz target of the same
//! name on bytes that the fuzzer finds.

#![allow(dead_code, unreachable_pub)] // a fuzz target takes the part that it needs

pub mod input;
pub mod random;

use std::fs;
use std::panic::catch_unwind;
use std::path::Path;

/// A property, by the name of its fuzz target.
#[derive(Clone, Copy)]
pub struct Property {
    pub name: &'static str,
    /// Panics if the bytes do not have the property.
    pub check: fn(&[u8]),
    /// Inputs that reach far into the code: the fuzzer begins with them, and the tests vary them.
    pub examples: fn() -> Vec<Vec<u8>>,
}

/// Checks each property on its examples and on the inputs in `fuzz/crashes`, which once failed. The
/// published package comes without those.
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

/// The inputs that once failed, with their paths. `fuzz/` is beside the package that is tested, or
/// beside one it lies in.
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
