//! The properties of byte strings, checked on random bytes, on examples, and on inputs that failed
//! before.

use crate::byte_properties::ALL;
use crate::property::check_kept_inputs;

crate::test_properties!(apis kernels chunks formats);

#[test]
fn examples_and_inputs_that_failed_before_pass() {
    check_kept_inputs(ALL);
}
