//! Checks the properties of arbitrary bytes on random bytes, on examples, and on inputs that once
//! failed.

use crate::byte_properties::ALL;
use crate::property::check_kept_inputs;

crate::test_properties!(reports arguments);

#[test]
fn examples_and_inputs_that_once_failed_pass() {
    check_kept_inputs(ALL);
}
