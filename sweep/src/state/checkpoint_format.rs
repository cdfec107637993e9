//! The format of a checkpoint file: a report and the finished units, with a checksum.

use std::collections::BTreeMap;
use std::fs::File;
use std::io::{self, Read};
use std::path::Path;

use serde::{Deserialize, Serialize};
use serde_json::value::{RawValue, to_raw_value};

use super::totals::{Totals, UnitTotals};
use crate::check::counts::Counts;
use crate::check::failure::Failure;
use crate::plan::integer::Kind;
use crate::plan::schedule::Schedule;
use crate::plan::unit_set::UnitSet;
use crate::report::decimal;
use crate::report::printable::Printable;
use crate::report::sweep_report::{Report, hash};

/// The version of the format.
const FORMAT: u32 = 1;
/// The maximum size of a file in bytes.
pub(crate) const MAX_FILE_SIZE: u64 = 64 << 20;

/// The content of the file: a report, and the state from which the sweep resumes.
#[derive(Clone, Serialize, Deserialize)]
pub(crate) struct Saved {
    pub(crate) report: Report,
    pub(crate) state: SavedUnits,
}

/// The finished units, with their counts and failures.
#[derive(Clone, Serialize, Deserialize)]
pub(crate) struct SavedUnits {
    finished: UnitSet,
    #[serde(with = "decimal::list")]
    by_length: Vec<u64>,
    #[serde(with = "decimal::list")]
    drawn: Vec<u64>,
    #[serde(with = "decimal")]
    failures: u64,
    listed: BTreeMap<u64, Vec<Failure>>,
}

/// The file: the content with its checksum.
#[derive(Serialize, Deserialize)]
struct Envelope {
    checkpoint: u32,
    /// The hash of the content as it is written.
    sha256: String,
    content: Box<RawValue>,
}

impl Saved {
    /// Returns the content of the checkpoint file.
    pub(super) fn to_bytes(&self) -> io::Result<Vec<u8>> {
        let content = to_raw_value(self)?;
        let sha256 = hash(content.get().as_bytes());
        let mut bytes = serde_json::to_vec(&Envelope { checkpoint: FORMAT, sha256, content })?;
        bytes.push(b'\n');
        Ok(bytes)
    }

    /// Reads the content of a checkpoint file.
    pub(crate) fn parse(content: &[u8]) -> Result<Self, String> {
        let invalid =
            |error: serde_json::Error| format!("not a checkpoint, or truncated ({})", Printable(error));
        let envelope: Envelope = serde_json::from_slice(content).map_err(invalid)?;
        if envelope.checkpoint != FORMAT {
            let format = envelope.checkpoint;
            return Err(format!("unsupported checkpoint format {format} (this program supports {FORMAT})"));
        }
        if envelope.sha256 != hash(envelope.content.get().as_bytes()) {
            return Err("damaged (its checksum does not match its content)".into());
        }
        serde_json::from_str(envelope.content.get()).map_err(invalid)
    }
}

impl SavedUnits {
    /// Creates the saved form of the totals. Unfinished units, which failed too often, are left out
    /// and checked again after resuming.
    pub(crate) fn of(totals: &Totals) -> Self {
        Self {
            finished: totals.finished.units.clone(),
            by_length: totals.finished.counts.by_length.to_vec(),
            drawn: totals.finished.counts.drawn.clone(),
            failures: totals.finished.counts.failures,
            listed: totals.finished.listed.clone(),
        }
    }

    /// Returns the schedule and the totals with which the sweep resumes.
    ///
    /// # Errors
    ///
    /// Returns a message if the counts do not match the finished units.
    pub(crate) fn resume(
        self,
        kind: Kind,
        schedule: Schedule,
        list: usize,
    ) -> Result<(Schedule, Totals), String> {
        const MISMATCH: &str =
            "checkpoint: its counts do not match its finished units; name another file to start over";
        let schedule = schedule.resumed(self.finished.clone()).ok_or(MISMATCH)?;
        let (by_length, drawn) = schedule.expected(kind, &self.finished);
        if by_length[..] != self.by_length || drawn != self.drawn {
            return Err(MISMATCH.into());
        }
        let mut totals = Totals::new(drawn.len(), list);
        totals.finished = UnitTotals {
            units: self.finished,
            counts: Counts { by_length, drawn, failures: self.failures },
            listed: self.listed,
        };
        Ok((schedule, totals))
    }
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
