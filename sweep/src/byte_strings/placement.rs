//! The inputs in which a string is given to a decoder.

use std::fmt;

use serde::Serialize;

/// How a string is given to a decoder.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Placement {
    /// As an input of its own, from which one value is decoded.
    First,
    /// As an input of its own, from which all values are decoded.
    Whole,
    /// In a stream with the strings before and after it.
    InOrder,
    /// In a stream with unlike strings and long varints between them; the space for values varies.
    Mixed,
    /// At the end of an input of valid varints, truncated or not.
    AtEnd,
}

impl Placement {
    /// All placements.
    pub const ALL: [Self; 5] = [Self::First, Self::Whole, Self::InOrder, Self::Mixed, Self::AtEnd];

    /// Returns whether strings share an input.
    pub(super) fn is_stream(self) -> bool {
        matches!(self, Self::InOrder | Self::Mixed)
    }
}

impl fmt::Display for Placement {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::First => "first",
            Self::Whole => "whole",
            Self::InOrder => "in order",
            Self::Mixed => "mixed",
            Self::AtEnd => "at end",
        })
    }
}
