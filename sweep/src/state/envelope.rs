//! The outer form of a checkpoint file: the content of a kind of sweep, with a checksum.

use std::fs::File;
use std::io::{self, Read};
use std::path::Path;

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::value::{RawValue, to_raw_value};

use crate::report::printable::Printable;
use crate::report::sweep_report::hash;

/// The version of the format.
const FORMAT: u32 = 1;
/// The maximum size of a file in bytes.
pub(crate) const MAX_FILE_SIZE: u64 = 64 << 20;

/// The content of the checkpoints of one kind of sweep.
pub(crate) trait Content: Clone + Send + Sync + Serialize + DeserializeOwned {
    /// What the sweep checks, as in the field `swept` of the content. The content of a sweep over
    /// values has no such field.
    const SWEPT: &'static str;
}

/// [`Content::SWEPT`] of a sweep over values.
pub(crate) const VALUES: &str = "values";

/// The file: the content with its checksum.
#[derive(Serialize, Deserialize)]
struct Envelope {
    checkpoint: u32,
    /// The hash of the content as it is written.
    sha256: String,
    content: Box<RawValue>,
}

/// The kind of sweep that a content belongs to.
#[derive(Deserialize)]
struct Kind {
    swept: Option<String>,
}

/// Returns the bytes of a checkpoint file with this content.
pub(crate) fn seal(content: &impl Content) -> io::Result<Vec<u8>> {
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
/// Returns the problem if the file is damaged, is not a checkpoint, or is the checkpoint of another
/// kind of sweep.
pub(crate) fn unseal<C: Content>(file: &[u8]) -> Result<C, String> {
    let invalid = |error: serde_json::Error| format!("not a checkpoint, or truncated ({})", Printable(error));
    let envelope: Envelope = serde_json::from_slice(file).map_err(invalid)?;
    if envelope.checkpoint != FORMAT {
        let format = envelope.checkpoint;
        return Err(format!("unsupported checkpoint format {format} (this program supports {FORMAT})"));
    }
    let content = envelope.content.get();
    if envelope.sha256 != hash(content.as_bytes()) {
        return Err("damaged (its checksum does not match its content)".into());
    }
    let Kind { swept } = serde_json::from_str(content).map_err(invalid)?;
    let swept = swept.as_deref().unwrap_or(VALUES);
    if swept != C::SWEPT {
        return Err(format!("belongs to a sweep over {}, not over {}", Printable(swept), C::SWEPT));
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
