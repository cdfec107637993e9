//! The properties of byte strings, checked on random bytes and on examples.

use crate::byte_properties::ALL;
use crate::property::check_examples;

crate::test_properties!(apis kernels chunks formats reader);

#[test]
fn examples_pass() {
    check_examples(ALL);
}
