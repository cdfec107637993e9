//! Checkpoints: locked files with the progress of a sweep, from which an interrupted sweep resumes.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::time::Duration;

use super::envelope::{Saved, read, seal, unseal};
use super::file_lock::{FileLock, lock, lock_path, resolve};
use crate::error::FileError;
use crate::report::output_file::{OutputFile, remove_leftovers};
use crate::report::sweep_report::Report;

/// A checkpoint file with the progress of a sweep, from which an interrupted sweep resumes.
///
/// The file is locked against other processes until the `Checkpoint` is dropped.
pub struct Checkpoint {
    path: PathBuf,
    pub(crate) save_every: Duration,
    pub(crate) on_save_error: Box<dyn Fn(&FileError) + Send + Sync>,
    saved: Option<Saved>,
    save_error: Option<FileError>,
    /// A lock on a separate file. Each save replaces the checkpoint file, and a lock on it would be
    /// lost.
    _lock: FileLock,
}

impl Checkpoint {
    /// Opens a checkpoint file and locks it. A file that does not exist or is empty is new:
    /// `mktemp` creates empty files.
    ///
    /// # Errors
    ///
    /// Returns an error if another process has locked the file, or if it cannot be read, is damaged,
    /// or is not a checkpoint. The file is left unchanged.
    pub fn open(path: &Path) -> Result<Self, FileError> {
        const FOLDER: &str = "name a file in a writable folder";
        let resolved = resolve(path).map_err(|error| FileError::new(path, error, FOLDER))?;
        if fs::metadata(&resolved).is_ok_and(|found| !found.is_file()) {
            return Err(FileError::new(path, "not a regular file", "name another file"));
        }
        let lock = lock(&resolved).map_err(|(problem, remedy)| FileError::new(path, problem, remedy))?;
        remove_leftovers(&resolved);
        let saved = match read(&resolved) {
            Ok(content) if content.is_empty() => None,
            Ok(content) => Some(unseal(&content).map_err(|problem| {
                FileError::new(path, problem, "restore it from a copy, or name another file to start over")
            })?),
            Err(error) if error.kind() == io::ErrorKind::NotFound => None,
            Err(error) => return Err(FileError::new(path, error, "make it readable, or name another file")),
        };
        Ok(Self {
            path: resolved,
            save_every: Duration::from_secs(5),
            on_save_error: Box::new(|_| ()),
            saved,
            save_error: None,
            _lock: lock,
        })
    }

    /// Returns the path of the file that locks the checkpoint in this file, and that no output may have.
    pub fn lock_path(path: &Path) -> PathBuf {
        lock_path(&resolve(path).unwrap_or_else(|_| path.to_owned()))
    }

    /// Returns the path of the file, with symbolic links resolved.
    pub(crate) fn path(&self) -> &Path {
        &self.path
    }

    /// Sets the interval at which the progress is saved, which is five seconds by default.
    pub fn save_every(mut self, interval: Duration) -> Self {
        self.save_every = interval;
        self
    }

    /// Sets a function that is called if the progress cannot be saved. The sweep continues and tries
    /// again.
    pub fn on_save_error(mut self, report: impl Fn(&FileError) + Send + Sync + 'static) -> Self {
        self.on_save_error = Box::new(report);
        self
    }

    /// Returns the report of the sweep when the file was opened, or `None` if the file is new or
    /// empty.
    pub fn report(&self) -> Option<&Report> {
        self.saved.as_ref().map(|saved| &saved.report)
    }

    /// Returns why the final state of the sweep could not be saved, if it could not.
    pub fn save_error(&self) -> Option<&FileError> {
        self.save_error.as_ref()
    }

    /// Returns the saved progress, if it belongs to the same sweep as `blank`. The kernel may be
    /// another one, since results do not depend on it.
    pub(crate) fn resume(&self, blank: &Report) -> Result<Option<Saved>, FileError> {
        let Some(saved) = &self.saved else { return Ok(None) };
        let shard = |report: &Report| report.shard.clone().unwrap_or_else(|| "1/1".into());
        let differs = |what, own: &str, other: &str| {
            (own != other).then(|| format!("its {what} is {other}, not {own}"))
        };
        let differs = blank
            .difference_to(&saved.report)
            .or_else(|| differs("shard", &shard(blank), &shard(&saved.report)));
        let Some(differs) = differs else { return Ok(Some(saved.clone())) };
        let problem = format_args!("the checkpoint belongs to another sweep ({differs})");
        const RERUN: &str = "rerun with the original arguments, or name another file";
        Err(FileError::new(&self.path, problem, RERUN))
    }

    /// Saves the progress. The old content of the file is replaced only once the new content is
    /// complete and on disk.
    pub(crate) fn save(&self, content: &Saved) -> Result<(), FileError> {
        let write = || OutputFile::reopen(&self.path)?.finish(&seal(content)?);
        write().map_err(|error: io::Error| {
            let problem =
                format_args!("cannot save the checkpoint ({error}), its previous content is intact");
            FileError::new(&self.path, problem, "free some space, or name a file in a writable folder")
        })
    }

    /// Saves the final state of the sweep.
    pub(crate) fn close(&mut self, content: &Saved) {
        self.save_error = self.save(content).err();
    }
}
