//! The properties of byte strings, checked on random bytes, on examples, and on inputs that failed
//! before.

use crate::byte_properties::ALL;
use crate::property::check_kept_inputs;

macro_rules! properties {
    ($($property:ident)*) => {
        mod random_bytes_pass {
            $(
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
        fn every_property_has_a_test() {
            assert_eq!(ALL.iter().map(|property| property.name).collect::<Vec<_>>(), [$(stringify!($property)),*]);
        }
    };
}

properties!(apis kernels chunks formats);

#[test]
fn examples_and_inputs_that_failed_before_pass() {
    check_kept_inputs(ALL);
}
