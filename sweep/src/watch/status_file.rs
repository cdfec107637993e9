//! A file that says how far a sweep is, kept up to date for scripts.

use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::thread::{self, JoinHandle};
use std::time::Duration;
use std::{fs, io};

use crate::report::output_file::OutputFile;
use crate::watch::handle::Watch;
use crate::watch::status::Status;

/// Time between two writings.
const EVERY: Duration = Duration::from_secs(1);

/// Keeps the [`Status`] of a watched sweep in a file as JSON, replaced as a whole once a second. When this is dropped,
/// it says for the last time how the sweep stands or ended.
#[derive(Debug)]
pub struct StatusFile {
    ended: Arc<AtomicBool>,
    writing: Option<JoinHandle<()>>,
}

impl StatusFile {
    /// Writes the file for the first time, so that a bad path is known at once, and keeps it from then on. `tell` gets
    /// a message when it cannot be written later: once, until it can again. The sweep is none the worse for it.
    ///
    /// # Errors
    ///
    /// Where the file cannot be written: a line that names it and the remedy.
    pub fn keep(
        path: &Path,
        watch: Arc<Watch>,
        tell: impl Fn(&str) + Send + 'static,
    ) -> Result<Self, String> {
        let cannot = |error: io::Error, remedy: &str| {
            format!("cannot write the status to '{}' ({error}): {remedy}", path.display())
        };
        let name_another = "name a file in a folder that you may write to";
        if fs::metadata(path).is_ok_and(|found| !found.is_file() && !found.is_dir()) {
            return Err(cannot(io::Error::other("it is no regular file"), name_another));
        }
        let first = OutputFile::create(path).and_then(|_| write(path, &watch));
        first.map_err(|error| cannot(error, name_another))?;
        let in_vain = format!(
            "cannot write the status to '{}'; it is out of date until there is room: the sweep goes on",
            path.display()
        );
        let ended = Arc::new(AtomicBool::new(false));
        let writing = thread::Builder::new().name("status".into()).spawn({
            let (path, ended) = (path.to_owned(), Arc::clone(&ended));
            move || {
                let mut told = false;
                loop {
                    thread::park_timeout(EVERY);
                    let is_last = ended.load(Relaxed);
                    let written = write(&path, &watch);
                    if let Some(error) = written.as_ref().err().filter(|_| !told) {
                        tell(&format!("{in_vain} ({error})"));
                    }
                    told = written.is_err();
                    if is_last {
                        return;
                    }
                }
            }
        });
        let writing = writing.map_err(|error| cannot(error, "end some other programs"))?;
        Ok(Self { ended, writing: Some(writing) })
    }
}

impl Drop for StatusFile {
    fn drop(&mut self) {
        self.ended.store(true, Relaxed);
        if let Some(writing) = self.writing.take() {
            writing.thread().unpark();
            let _ = writing.join();
        }
    }
}

fn write(path: &Path, watch: &Watch) -> io::Result<()> {
    let mut text = serde_json::to_vec_pretty(&Status::of(watch))?;
    text.push(b'\n');
    OutputFile::again(path)?.finish_unsynced(&text)
}
