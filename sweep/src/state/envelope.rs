//! The outer form of a checkpoint file: the content of a kind of sweep, with a checksum.

use std::fs::File;
use std::io::{self, Read};
use std::path::Path;

use serde::{Deserialize, Serialize};
use serde_json::value::{RawValue, to_raw_value};

use super::totals::Totals;
use crate::report::sweep_report::{Report, hash};

/// The version of the format.
const FORMAT: u32 = 1;
/// The maximum size of a file in bytes.
pub(crate) const MAX_FILE_SIZE: u64 = 64 << 20;

/// The content: a report, and the state from which the sweep resumes.
#[derive(Clone, Serialize, Deserialize)]
pub(crate) struct Saved {
    pub(crate) report: Report,
    pub(crate) state: Totals,
}

/// The file: the content with its checksum.
#[derive(Serialize, Deserialize)]
struct Envelope {
    checkpoint: u32,
    /// The hash of the content as it is written.
    sha256: String,
    content: Box<RawValue>,
}

/// Returns the bytes of a checkpoint file with this content.
pub(crate) fn seal(content: &Saved) -> io::Result<Vec<u8>> {
    let content = to_raw_value(content)?;
    let sha256 = hash(content.get().as_bytes());
    let mut bytes = serde_json::to_vec(&Envelope { checkpoint: FORMAT, sha256, content })?;
    bytes.push(b'\n');
    Ok(bytes)
}

/// Reads the content of a checkpoint file.
///
/// # Errors
///
/// Returns the problem if the file is damaged or is not a checkpoint.
pub(crate) fn unseal(file: &[u8]) -> Result<Saved, String> {
    let invalid = |error: serde_json::Error| format!("not a checkpoint, or truncated ({error})");
    let envelope: Envelope = serde_json::from_slice(file).map_err(invalid)?;
    if envelope.checkpoint != FORMAT {
        let format = envelope.checkpoint;
        return Err(format!("unsupported checkpoint format {format} (this program supports {FORMAT})"));
    }
    let content = envelope.content.get();
    if envelope.sha256 != hash(content.as_bytes()) {
        return Err("damaged (its checksum does not match its content)".into());
    }
    serde_json::from_str(content).map_err(invalid)
}

/// Reads a checkpoint or report file, up to the maximum size.
pub(crate) fn read(path: &Path) -> io::Result<Vec<u8>> {
    let mut content = Vec::new();
    File::open(path)?.take(MAX_FILE_SIZE + 1).read_to_end(&mut content)?;
    if content.len() as u64 > MAX_FILE_SIZE {
        return Err(io::Error::other("too large for a checkpoint or a report"));
    }
    Ok(content)
}
