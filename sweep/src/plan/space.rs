//! What is enumerated: the numbered inputs of a sweep, their classes and their notation.

use std::fmt::Debug;

use super::interval::{self, Interval};

/// A class of inputs, or the part of it that is in a plan: in a space of integers those with one
/// encoded length and one sign, in one of byte strings those with one length.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Stratum {
    /// The length of the encodings, or of the strings, in bytes.
    pub(crate) length: usize,
    /// Whether the inputs are negative.
    pub(crate) negative: bool,
    /// The numbers of the inputs.
    pub(crate) intervals: Vec<Interval>,
}

impl Stratum {
    /// Returns the number of inputs.
    pub(crate) fn count(&self) -> u128 {
        interval::count(&self.intervals)
    }
}

/// The inputs that a sweep enumerates, as far as plan, schedule, totals, checkpoints and reports
/// need to know them. Each input has a number; that of an integer is its value.
pub(crate) trait Space: Debug + Send + Sync {
    /// The name in reports, from which [`by_name`](super::known_spaces::by_name) finds the space
    /// again.
    fn name(&self) -> String;
    /// The numbers of all inputs.
    fn limits(&self) -> Interval;
    /// The classes from which a sample draws in equal numbers. Every input is in one of them.
    fn classes(&self) -> Vec<Stratum>;
    /// The numbers of further inputs to check first, besides the ends of the classes.
    fn edges(&self) -> Vec<i128>;
    /// Returns the number of the input with this text.
    fn number(&self, text: &str) -> Option<i128>;
    /// What an input is called, in the singular.
    fn noun(&self) -> &'static str {
        "value"
    }
    /// What is checked on the inputs.
    fn subject_noun(&self) -> &'static str {
        "codec"
    }
    /// The binary logarithm of the number of inputs in a unit: enough to make the cost of a claim
    /// negligible, and few enough to finish in much less than a second.
    fn unit_shift(&self) -> u32 {
        18
    }
}
