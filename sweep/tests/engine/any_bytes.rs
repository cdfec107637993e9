//! Checks the properties of arbitrary bytes on random bytes, on examples, and on inputs that once
//! failed.

use crate::byte_properties::ALL;
use crate::property::check_kept_inputs;

macro_rules! properties {
    ($($(#[$when:meta])* $property:ident)*) => {
        mod random_bytes_pass {
            $(
                $(#[$when])*
                #[test]
                fn $property() {
                    let name = stringify!($property);
                    let mut all = super::ALL.iter();
                    let property = all.find(|property| property.name == name).expect("a property of that name");
                    crate::property::random::check_random_bytes(*property);
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

properties!(reports #[cfg(unix)] answers arguments);

#[test]
fn examples_and_inputs_that_once_failed_pass() {
    check_kept_inputs(ALL);
}
