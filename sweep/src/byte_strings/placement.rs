//! The inputs in which a string is given to a decoder.

use std::fmt;

/// The input in which a string is given to a decoder.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Placement {
    /// The string alone; one value is decoded.
    OneValue,
    /// The string alone; all its values are decoded.
    AllValues,
    /// A stream with the strings before and after it.
    Stream,
    /// A stream of dissimilar strings with long varints between them; the capacity for values
    /// varies.
    MixedStream,
    /// Valid varints followed by the string, which may be truncated.
    Appended,
}

impl Placement {
    /// All placements.
    pub(super) const ALL: [Self; 5] =
        [Self::OneValue, Self::AllValues, Self::Stream, Self::MixedStream, Self::Appended];

    /// Returns whether strings share an input.
    #[inline]
    pub(super) fn is_stream(self) -> bool {
        matches!(self, Self::Stream | Self::MixedStream)
    }
}

impl fmt::Display for Placement {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::OneValue => "one value",
            Self::AllValues => "all values",
            Self::Stream => "stream",
            Self::MixedStream => "mixed stream",
            Self::Appended => "appended",
        })
    }
}
