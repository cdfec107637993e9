//! Checkpoints: a file that holds what a sweep has done, so that a sweep that was cut off goes on where it was.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::time::Duration;

use super::checkpoint_format::{Saved, read};
use super::file_lock::{FileLock, located, lock};
use crate::report::output_file::{OutputFile, remove_leftovers};
use crate::report::printable::Printable;
use crate::report::sweep_report::Report;

/// A checkpoint file, locked for this process as long as this exists.
pub struct Checkpoint {
    path: PathBuf,
    pub(crate) every: Duration,
    pub(crate) tell: Box<dyn Fn(&str) + Send + Sync>,
    saved: Option<Saved>,
    trouble: Option<String>,
    /// Beside the file, which a rename replaces: a lock on the file itself would go with it.
    _lock: FileLock,
}

impl Checkpoint {
    /// Opens the checkpoint of that name, or prepares a new one. No other process can while this one has it.
    ///
    /// # Errors
    ///
    /// Where another sweep has it, it cannot be read, or it is torn or something else: a line that names the file
    /// and the remedy. The file is left as it is.
    pub fn open(path: &Path) -> Result<Self, String> {
        let named = |error: &dyn std::fmt::Display, remedy: &str| {
            format!("checkpoint '{}': {error}: {remedy}", path.display())
        };
        let place =
            located(path).map_err(|error| named(&error, "name a file in a folder that you may write to"))?;
        if fs::metadata(&place).is_ok_and(|found| !found.is_file()) {
            return Err(named(&"it is no regular file", "name another"));
        }
        let lock = lock(&place).map_err(|error| named(&error.0, error.1))?;
        remove_leftovers(&place);
        let saved = match read(&place) {
            Ok(content) => Some(Saved::parse(&content).map_err(|error| {
                named(&error, "restore it from a copy, or name another file to start anew")
            })?),
            Err(error) if error.kind() == io::ErrorKind::NotFound => None,
            Err(error) => return Err(named(&error, "make it readable, or name another file")),
        };
        let every = Duration::from_secs(5);
        Ok(Self { path: place, every, tell: Box::new(|_| ()), saved, trouble: None, _lock: lock })
    }

    /// Time between two times that it is saved.
    pub fn every(mut self, every: Duration) -> Self {
        self.every = every;
        self
    }

    /// What to do with a message when it cannot be saved for once: the sweep goes on and tries again.
    pub fn on_trouble(mut self, tell: impl Fn(&str) + Send + Sync + 'static) -> Self {
        self.tell = Box::new(tell);
        self
    }

    /// What it says of the sweep so far; `None` for a new one.
    pub fn report(&self) -> Option<&Report> {
        self.saved.as_ref().map(|saved| &saved.report)
    }

    /// The file, links followed.
    pub(crate) fn path(&self) -> &Path {
        &self.path
    }

    /// Why the last thing that the sweep did could not be saved, if so.
    pub fn trouble(&self) -> Option<&str> {
        self.trouble.as_deref()
    }

    /// What is in it, if it is of the same sweep as `blank`.
    pub(crate) fn resume(&self, blank: &Report) -> Result<Option<Saved>, String> {
        let Some(saved) = &self.saved else { return Ok(None) };
        let kernel = |report: &Report| report.kernel.clone().unwrap_or_else(|| "none".into());
        let shard = |report: &Report| report.shard.clone().unwrap_or_else(|| "1/1".into());
        let differs = |what, own: &str, other: &str| {
            (own != other).then(|| format!("its {what} is {other}, not {own}"))
        };
        let differs = blank
            .difference_to(&saved.report)
            .or_else(|| differs("kernel", &kernel(blank), &kernel(&saved.report)))
            .or_else(|| differs("shard", &shard(blank), &shard(&saved.report)));
        match differs {
            None => Ok(Some(saved.clone())),
            Some(differs) => Err(format!(
                "checkpoint '{}' belongs to another sweep ({}): say the same as then, or name another file",
                self.path.display(),
                Printable(differs)
            )),
        }
    }

    /// Saves it: the old content stays until the new is whole and on the disk.
    pub(crate) fn save(&self, saved: &Saved) -> Result<(), String> {
        let write = || OutputFile::reopen(&self.path)?.finish(&saved.to_bytes()?);
        write().map_err(|error: io::Error| {
            format!(
                "cannot save the checkpoint '{}' ({error}); what it held before is intact: make room or name a file in a folder that you may write to",
                self.path.display()
            )
        })
    }

    /// Saves what the sweep has done at its end.
    pub(crate) fn close(&mut self, saved: &Saved) {
        self.trouble = self.save(saved).err();
    }
}
