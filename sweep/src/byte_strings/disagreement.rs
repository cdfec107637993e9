//! A byte string about which a decoder and the reference decoder disagree.

use std::fmt;

use serde::Serialize;

use super::placement::Placement;

/// A string, what a decoder made of it and what was expected.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct Disagreement {
    /// The bytes, in hex.
    pub bytes: String,
    /// The integer type.
    #[serde(rename = "type")]
    pub value_type: &'static str,
    /// The decoder.
    #[serde(rename = "door")]
    pub decoder: String,
    /// Its kernel, if it has several.
    pub kernel: Option<String>,
    /// Whether overlong encodings were errors.
    pub canonical: bool,
    /// How the string was given.
    pub placement: Placement,
    /// The expected value or end; offsets count from the start of the string.
    pub expected: String,
    /// What came instead, or the message of a panic.
    pub got: String,
    /// In streams: the shortest input around the string that still shows the disagreement, in hex.
    pub stream: Option<String>,
    /// The offset of the string in that input.
    pub at: Option<usize>,
}

/// Longer streams, in hex digits, are in the JSON report only.
const SHOWN: usize = 96;

impl fmt::Display for Disagreement {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let bytes = if self.bytes.is_empty() { "(no bytes)" } else { &self.bytes };
        write!(f, "{bytes} as {} by {}", self.value_type, self.decoder)?;
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
