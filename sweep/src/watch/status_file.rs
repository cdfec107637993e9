//! A file with the current status of a sweep, for scripts.

use std::path::Path;
use std::sync::Arc;
use std::time::Duration;
use std::{fs, io};

use crate::error::FileError;
use crate::report::output_file::OutputFile;
use crate::watch::handle::Watch;
use crate::watch::status::Status;
use crate::watch::ticker::Ticker;

/// The time between two updates of the file.
const INTERVAL: Duration = Duration::from_secs(1);

/// Keeps the [`Status`] of a watched sweep as JSON in a file, which is replaced atomically once a
/// second and for the last time when this is dropped.
#[derive(Debug)]
pub struct StatusFile {
    _writing: Ticker,
}

impl StatusFile {
    /// Writes the file for the first time and starts to update it.
    ///
    /// If a later update fails, `tell` receives the error, once until an update succeeds again. The
    /// sweep continues.
    ///
    /// # Errors
    ///
    /// Returns an error if the file cannot be written.
    pub fn keep(
        path: &Path,
        watch: Arc<Watch>,
        tell: impl Fn(&FileError) + Send + 'static,
    ) -> Result<Self, FileError> {
        fn cannot(path: &Path, error: &io::Error, remedy: &'static str) -> FileError {
            FileError::new(path, format_args!("cannot write the status ({error})"), remedy)
        }
        if fs::metadata(path).is_ok_and(|found| !found.is_file() && !found.is_dir()) {
            const REGULAR: &str = "name a regular file, which is replaced each second";
            return Err(cannot(path, &io::Error::other("not a regular file"), REGULAR));
        }
        let first = OutputFile::create(path).and_then(|_| write(path, &watch));
        first.map_err(|error| cannot(path, &error, "name a file in a writable folder"))?;
        let (file, mut is_outdated) = (path.to_owned(), false);
        let writing = Ticker::start("status", INTERVAL, move |_| {
            let written = write(&file, &watch);
            if let Some(error) = written.as_ref().err().filter(|_| !is_outdated) {
                const OUTDATED: &str =
                    "the sweep continues, and the file is outdated until it can be written again";
                tell(&cannot(&file, error, OUTDATED));
            }
            is_outdated = written.is_err();
        });
        let writing = writing.map_err(|error| cannot(path, &error, "close some other programs"))?;
        Ok(Self { _writing: writing })
    }
}

fn write(path: &Path, watch: &Watch) -> io::Result<()> {
    let mut text = serde_json::to_vec_pretty(&Status::of(watch))?;
    text.push(b'\n');
    OutputFile::reopen(path)?.finish_unsynced(&text)
}
