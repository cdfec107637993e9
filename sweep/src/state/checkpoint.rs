//! Checkpoints: files with the progress of a sweep, from which an interrupted sweep resumes.

use std::path::Path;
use std::time::Duration;

use super::checkpoint_file::CheckpointFile;
use super::checkpoint_format::Saved;
use crate::report::sweep_report::Report;

/// A checkpoint file with the progress of a sweep, from which an interrupted sweep resumes.
///
/// The file is locked against other processes until the `Checkpoint` is dropped.
pub struct Checkpoint {
    pub(crate) file: CheckpointFile<Saved>,
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

    /// Returns the report of the sweep when the file was opened, or `None` if the file is new or
    /// empty.
    pub fn report(&self) -> Option<&Report> {
        self.file.saved().map(|saved| &saved.report)
    }

    /// Returns a message if the final state of the sweep could not be saved.
    pub fn save_error(&self) -> Option<&str> {
        self.file.save_error()
    }

    /// Returns the saved progress, if it belongs to the same sweep as `blank`. The kernel may be
    /// another one, since results do not depend on it.
    pub(crate) fn resume(&self, blank: &Report) -> Result<Option<Saved>, String> {
        let Some(saved) = self.file.saved() else { return Ok(None) };
        let shard = |report: &Report| report.shard.clone().unwrap_or_else(|| "1/1".into());
        let differs = |what, own: &str, other: &str| {
            (own != other).then(|| format!("its {what} is {other}, not {own}"))
        };
        let differs = blank
            .difference_to(&saved.report)
            .or_else(|| differs("shard", &shard(blank), &shard(&saved.report)));
        match differs {
            None => Ok(Some(saved.clone())),
            Some(differs) => Err(self.file.belongs_to_another(&differs)),
        }
    }
}
