//! How thorough a sweep is.

use std::fmt;

use serde::{Deserialize, Serialize};

/// How thorough a sweep is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Mode {
    /// Every value of the plan.
    Exhaustive,
    /// Boundaries exhaustively, the rest by a stratified sample.
    Sample,
}

impl fmt::Display for Mode {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Exhaustive => "exhaustive",
            Self::Sample => "sample",
        })
    }
}
