//! The mode of a sweep.

use std::fmt;

use serde::{Deserialize, Serialize};

/// The mode of a sweep.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Mode {
    /// The sweep checks every value of the plan.
    #[default]
    Exhaustive,
    /// The sweep checks the boundaries exhaustively and the rest by a stratified sample.
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
