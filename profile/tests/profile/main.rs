//! Tests of reading, writing and showing profiles. Damaged profiles are rejected, and the views are
//! those of pprof.

#[path = "../../../tests/common/property/mod.rs"]
mod property;

mod byte_property;
mod format;
mod reference;
mod views;

use byte_property::synthetic;

mod any_bytes {
    use crate::byte_property::PROPERTY;
    use crate::property::check_examples;
    use crate::property::random::check_random_bytes;

    #[test]
    fn random_bytes_have_the_property() {
        check_random_bytes(PROPERTY);
    }

    #[test]
    fn examples_have_the_property() {
        check_examples(&[PROPERTY]);
    }
}
