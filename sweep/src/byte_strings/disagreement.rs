//! A byte string about which a decoder and the reference decoder disagree.

use std::fmt;

use serde::{Deserialize, Serialize};

use super::placement::Placement;

/// A byte string with a decoder's result and the expected result.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Disagreement {
    /// The bytes of the string in hex.
    pub bytes: String,
    /// The integer type.
    #[serde(rename = "type")]
    pub value_type: String,
    /// The name of the decoder.
    pub decoder: String,
    /// The kernel of the decoder, if it has several.
    pub kernel: Option<String>,
    /// Whether overlong encodings were errors.
    pub canonical: bool,
    /// The placement of the string in the input.
    pub placement: Placement,
    /// The expected value, error or end. Offsets are relative to the start of the string.
    pub expected: String,
    /// The decoder's result instead, or the message of its panic.
    pub got: String,
    /// For streams, the shortest input around the string that still shows the disagreement, in hex.
    pub stream: Option<String>,
    /// The offset of the string in `stream`.
    pub at: Option<usize>,
}

/// Streams with more hex digits than this are shown in the JSON report only.
const MAX_SHOWN: usize = 96;

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
            (Some(stream), Some(at)) if stream.len() <= MAX_SHOWN => write!(f, ", at byte {at} of {stream}"),
            (Some(stream), Some(at)) => {
                write!(f, ", at byte {at} of {} bytes (see the JSON report)", stream.len() / 2)
            }
            _ => Ok(()),
        }
    }
}

/// Formats bytes in hex.
pub(super) fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}
