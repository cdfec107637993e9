//! What a checker tells its surroundings, and what they tell it.

use crate::check::failure::Failure;

/// Receives the failures of a checker while it runs, and can ask it to stop.
pub(crate) trait Observer: Sync {
    /// Returns whether the check shall end as soon as possible.
    fn is_stopped(&self) -> bool;

    /// Receives a failure in this unit, whether or not the report lists it.
    fn failed(&self, unit: u64, failure: &Failure);
}

/// An observer that never stops a check and ignores its failures, for measurements.
pub(crate) struct Unobserved;

impl Observer for Unobserved {
    fn is_stopped(&self) -> bool {
        false
    }

    fn failed(&self, _unit: u64, _failure: &Failure) {}
}
