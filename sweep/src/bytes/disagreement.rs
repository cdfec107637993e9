//! A byte string on which a door and the oracle differ.

use std::fmt;

use serde::Serialize;

/// How a string is given to a door.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Placement {
    /// As an input of its own, of which the first value is asked for.
    First,
    /// As an input of its own, of which all values are asked for.
    Whole,
    /// In a stream with the strings before and after it.
    InOrder,
    /// In a stream with strings unlike it and long values between them, decoded into more or less room.
    Mixed,
    /// At the end of a stream, cut short or not.
    AtEnd,
}

impl Placement {
    /// All of them.
    pub const ALL: [Self; 5] = [Self::First, Self::Whole, Self::InOrder, Self::Mixed, Self::AtEnd];

    /// Whether strings share an input.
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

/// What a door made of a string, and what was due.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct Disagreement {
    /// The bytes, in hex.
    pub bytes: String,
    /// The integer type.
    #[serde(rename = "type")]
    pub value_type: &'static str,
    /// The door.
    pub door: String,
    /// Its kernel, where it has several.
    pub kernel: Option<String>,
    /// Whether overlong forms were to be rejected.
    pub canonical: bool,
    /// How the string was given.
    pub placement: Placement,
    /// The values, their bytes and the verdict that were due; offsets count from the start of the string.
    pub expected: String,
    /// What came instead, or the message of a panic.
    pub got: String,
    /// Where strings shared an input: that input in hex, cut down as far as it still shows the disagreement.
    pub stream: Option<String>,
    /// Where in it the string begins.
    pub at: Option<usize>,
}

/// Longer streams are left to the JSON report.
const SHOWN: usize = 96;

impl fmt::Display for Disagreement {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let bytes = if self.bytes.is_empty() { "(no bytes)" } else { &self.bytes };
        write!(f, "{bytes} as {} by {}", self.value_type, self.door)?;
        if let Some(kernel) = &self.kernel {
            write!(f, " on {kernel}")?;
        }
        let canonical = if self.canonical { "canonical, " } else { "" };
        write!(f, " ({canonical}{}): expected {}, got {}", self.placement, self.expected, self.got)?;
        match (&self.stream, self.at) {
            (Some(stream), _) if *stream == self.bytes => Ok(()),
            (Some(stream), Some(at)) if stream.len() <= SHOWN => write!(f, ", at byte {at} of {stream}"),
            (Some(stream), Some(at)) => {
                write!(f, ", at byte {at} of {} bytes (the JSON report has them)", stream.len() / 2)
            }
            _ => Ok(()),
        }
    }
}

pub(super) fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}
