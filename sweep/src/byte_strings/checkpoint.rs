//! Checkpoints of sweeps over byte strings, and their content.

use std::path::Path;
use std::time::Duration;

use serde::{Deserialize, Serialize};

use super::totals::Totals;
use crate::state::checkpoint_file::CheckpointFile;
use crate::state::envelope::Content;

/// A checkpoint file with the progress of a sweep over byte strings, from which an interrupted sweep
/// resumes.
///
/// The file is locked against other processes until the `Checkpoint` is dropped.
pub struct Checkpoint {
    pub(super) file: CheckpointFile<Saved>,
}

/// The content of the file.
#[derive(Clone, Serialize, Deserialize)]
pub(super) struct Saved {
    swept: String,
    pub(super) sweep: Identity,
    /// The times of all runs so far.
    pub(super) seconds: f64,
    pub(super) cpu_seconds: Option<f64>,
    pub(super) totals: Totals,
}

/// What a sweep checks. It resumes only from a checkpoint with the same identity.
#[derive(Clone, PartialEq, Serialize, Deserialize)]
pub(super) struct Identity {
    pub(super) program: String,
    /// The length up to which every string is checked.
    pub(super) len: usize,
    pub(super) types: Vec<String>,
    /// The names of the decoders.
    pub(super) decoders: Vec<String>,
    /// The kernels of the decoders if they were chosen, or `None` for all of each machine. Kernels
    /// differ between machines, and the expected results do not.
    pub(super) kernels: Option<Vec<String>>,
}

impl Content for Saved {
    const SWEPT: &'static str = "bytes";
}

impl Saved {
    pub(super) fn new(sweep: Identity, seconds: f64, cpu_seconds: Option<f64>, totals: Totals) -> Self {
        Self { swept: Self::SWEPT.to_owned(), sweep, seconds, cpu_seconds, totals }
    }
}

impl Identity {
    /// Returns how `other` differs from this sweep, or `None` if both check the same.
    fn difference_to(&self, other: &Self) -> Option<String> {
        let kernels =
            |of: &Self| of.kernels.as_ref().map_or("all of the machine".into(), |list| list.join(","));
        let pairs = [
            ("program", self.program.clone(), other.program.clone()),
            ("length", self.len.to_string(), other.len.to_string()),
            ("list of types", self.types.join(","), other.types.join(",")),
            ("list of decoders", self.decoders.join(","), other.decoders.join(",")),
            ("list of kernels", kernels(self), kernels(other)),
        ];
        let (what, own, others) = pairs.into_iter().find(|(_, own, others)| own != others)?;
        Some(format!("its {what} is {others}, not {own}"))
    }
}

impl Checkpoint {
    /// Opens a checkpoint file, which may be new or empty, and locks it.
    ///
    /// # Errors
    ///
    /// Returns a message with the file and the remedy if another process has locked the file, or if
    /// it cannot be read, is damaged, or is not a checkpoint of such a sweep. The file is left
    /// unchanged.
    pub fn open(path: &Path) -> Result<Self, String> {
        Ok(Self { file: CheckpointFile::open(path)? })
    }

    /// Sets the interval at which the progress is saved, which is five seconds by default.
    pub fn save_every(mut self, interval: Duration) -> Self {
        self.file.save_every = interval;
        self
    }

    /// Sets a function that is called with a message if the progress cannot be saved. The sweep
    /// continues and tries again.
    pub fn on_save_error(mut self, report: impl Fn(&str) + Send + Sync + 'static) -> Self {
        self.file.on_save_error = Box::new(report);
        self
    }

    /// Returns a message if the final state of the sweep could not be saved.
    pub fn save_error(&self) -> Option<&str> {
        self.file.save_error()
    }

    /// Returns the saved progress, if it belongs to this sweep.
    ///
    /// # Errors
    ///
    /// Returns a message if it belongs to another sweep.
    pub(super) fn resume(&self, sweep: &Identity) -> Result<Option<Saved>, String> {
        let Some(saved) = self.file.saved() else { return Ok(None) };
        match sweep.difference_to(&saved.sweep) {
            None => Ok(Some(saved.clone())),
            Some(difference) => Err(self.file.belongs_to_another(&difference)),
        }
    }
}
