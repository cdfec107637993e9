//! The property of any bytes on random bytes, on its examples, and on inputs that once failed.

use crate::byte_property::PROPERTY;
use crate::property::check_kept_inputs;
use crate::property::random::check_random_bytes;

#[test]
fn random_bytes_pass() {
    check_random_bytes(PROPERTY);
}

#[test]
fn examples_and_inputs_that_once_failed_pass() {
    check_kept_inputs(&[PROPERTY]);
}
