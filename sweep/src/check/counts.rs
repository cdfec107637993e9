//! The counts of checked values and failures.

use crate::plan::integer::{ByLength, MAX_LEN};

/// The counts over some units.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Counts {
    pub(crate) by_length: ByLength,
    /// The number of draws from each stratum.
    pub(crate) drawn: Vec<u64>,
    pub(crate) failures: u64,
}

impl Counts {
    pub(crate) fn new(strata: usize) -> Self {
        Self { by_length: [0; MAX_LEN + 1], drawn: vec![0; strata], failures: 0 }
    }

    /// Adds other counts, saturating, since a checkpoint may contain any numbers.
    pub(crate) fn add(&mut self, other: &Self) {
        for (sum, count) in self.by_length.iter_mut().zip(other.by_length) {
            *sum = sum.saturating_add(count);
        }
        for (sum, count) in self.drawn.iter_mut().zip(&other.drawn) {
            *sum = sum.saturating_add(*count);
        }
        self.failures = self.failures.saturating_add(other.failures);
    }
}
