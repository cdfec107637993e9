//! The properties of any bytes on random bytes, on their examples, and on inputs that once failed.

use crate::byte_properties::ALL;
use crate::property::check_kept_inputs;

crate::test_properties!(apis kernels chunks formats);

#[test]
fn examples_and_inputs_that_once_failed_pass() {
    check_kept_inputs(ALL);
}
