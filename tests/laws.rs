//! The properties of the program and the profiler on random bytes, on their examples, and on inputs
//! that once failed.

#[path = "common/laws/mod.rs"]
mod laws;
#[path = "common/property/mod.rs"]
mod property;

use property::check_kept_inputs;
use property::random::check_random_bytes;

macro_rules! on_any_bytes {
    ($($(#[$when:meta])* $property:ident)*) => {
        mod on_any_bytes {
            $(
                $(#[$when])*
                #[test]
                fn $property() {
                    let name = stringify!($property);
                    let mut all = super::laws::ALL.iter();
                    super::check_random_bytes(*all.find(|property| property.name == name).expect("a property"));
                }
            )*
        }
    };
}

on_any_bytes! {
    reports
    #[cfg(unix)] answers
    arguments
}

#[test]
fn examples_and_inputs_that_once_failed_pass() {
    check_kept_inputs(laws::ALL);
}
