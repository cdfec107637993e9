//! The format of a checkpoint file: a report and the finished units, under a checksum.

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
/// The greatest size in bytes of a file that is read.
pub(crate) const LARGEST: u64 = 64 << 20;

/// What is in the file: a report, and what it takes to go on.
#[derive(Clone, Serialize, Deserialize)]
pub(crate) struct Saved {
    pub(crate) report: Report,
    pub(crate) state: SavedUnits,
}

/// The finished units, and what was counted in them.
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

/// The file.
#[derive(Serialize, Deserialize)]
struct Envelope {
    checkpoint: u32,
    /// Of the content as it is written.
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
        let torn = |error: serde_json::Error| format!("it is torn or no checkpoint ({})", Printable(error));
        let envelope: Envelope = serde_json::from_slice(content).map_err(torn)?;
        if envelope.checkpoint != FORMAT {
            return Err(format!("its format is {}, and this program knows {FORMAT}", envelope.checkpoint));
        }
        if envelope.sha256 != hash(envelope.content.get().as_bytes()) {
            return Err("it is damaged: its checksum is that of another content".into());
        }
        serde_json::from_str(envelope.content.get()).map_err(torn)
    }
}

impl SavedUnits {
    /// What is worth keeping of a totals. UnitSet that failed too often to be finished are done again.
    pub(crate) fn of(totals: &Totals) -> Self {
        Self {
            finished: totals.finished.units.clone(),
            by_length: totals.finished.counts.by_length.to_vec(),
            drawn: totals.finished.counts.drawn.clone(),
            failures: totals.finished.counts.failures,
            listed: totals.finished.listed.clone(),
        }
    }

    /// The schedule and the totals to go on with. Everything counted must be what the finished units have.
    pub(crate) fn resume(
        self,
        kind: Kind,
        schedule: Schedule,
        list: usize,
    ) -> Result<(Schedule, Totals), String> {
        const WRONG: &str = "its counts are not those of the values that it says are done: start anew";
        let schedule = schedule.resumed(self.finished.clone()).ok_or(WRONG)?;
        let (by_length, drawn) = schedule.expected(kind, &self.finished);
        if by_length[..] != self.by_length || drawn != self.drawn {
            return Err(WRONG.into());
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

/// Reads a file of ours, whatever it is.
pub(crate) fn read(path: &Path) -> io::Result<Vec<u8>> {
    let mut content = Vec::new();
    File::open(path)?.take(LARGEST + 1).read_to_end(&mut content)?;
    if content.len() as u64 > LARGEST {
        return Err(io::Error::other("it is too large to be a checkpoint or a report"));
    }
    Ok(content)
}
