//! The properties of byte strings, checked on examples and on random bytes.

use std::thread;

use crate::byte_properties::ALL;
use crate::property::random::check;

#[test]
fn every_property_holds() {
    thread::scope(|scope| {
        for &property in ALL {
            // The message of a failure has the name of the thread.
            let thread = thread::Builder::new().name(property.name.into());
            thread.spawn_scoped(scope, move || check(property)).expect("a thread");
        }
    });
}
