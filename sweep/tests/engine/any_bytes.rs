//! Checks the properties of arbitrary bytes on random bytes and on examples.

use crate::byte_properties::ALL;
use crate::property::check_examples;

crate::test_properties!(reports);

#[test]
fn examples_pass() {
    check_examples(ALL);
}
