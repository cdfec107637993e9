//! The limits that end a sweep before everything is checked.

use std::fmt;

use serde::{Deserialize, Serialize};

use crate::texts::plural;

/// A limit that ended a sweep.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Limit {
    /// What was limited.
    pub of: Limited,
    /// The greatest number of them.
    pub number: u64,
}

/// What a [`Limit`] is of.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum Limited {
    /// Failures, where neighbours that fail alike are one:
    /// [`max_failures`](crate::Sweep::max_failures).
    Failures,
    /// Failing inputs, however few failures they are.
    FailingInputs,
    /// Child processes that crashed or violated the protocol.
    Crashes,
    /// Child processes that did not answer in time.
    Timeouts,
}

impl Limit {
    pub(crate) fn new(of: Limited, number: u64) -> Self {
        Self { of, number }
    }
}

/// Displays the limit, such as `100 crashes`.
impl fmt::Display for Limit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let noun = match self.of {
            Limited::Failures => "failure",
            Limited::FailingInputs => "failing input",
            Limited::Crashes if self.number != 1 => return write!(f, "{} crashes", self.number),
            Limited::Crashes => "crash",
            Limited::Timeouts => "timeout",
        };
        f.write_str(&plural(self.number.into(), noun))
    }
}
