//! Checks the property of arbitrary bytes on random bytes, on its examples and on past failures.

use crate::byte_property::PROPERTY;
use crate::property::check_kept_inputs;
use crate::property::random::check_random_bytes;

#[test]
fn random_bytes_have_the_property() {
    check_random_bytes(PROPERTY);
}

#[test]
fn examples_and_past_failures_have_the_property() {
    check_kept_inputs(&[PROPERTY]);
}
